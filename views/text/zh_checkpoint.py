"""读者自己的模型，其输入部分独有的各步。"""

from views.text.contract import StageWords

CHECKPOINT = {
    "segment": StageWords(
        "段",
        "segment · 属于第几段",
        "BERT 训练时一次读两句话，每句各有一个段向量。这里只有一段文字，"
        "所以每个{token}加的都是第一段的向量。",
    ),
    "summed": StageWords(
        "求和",
        "是什么 + 在哪一段 + 第几个",
        "“{row}”本身的向量、所在段的向量和所在位置的向量，三者相加。",
    ),
    "normed_sum": StageWords(
        "输入",
        "X · 把和的每一行放到同一尺度",
        "每行减去平均、除以标准差，再乘 γ 加 β。进入第一层的就是它。",
    ),
    "own_image": StageWords(
        "图像",
        "图像就是数",
        "图像是一张数表：高 × 宽 × 三个颜色通道。每个像素值 0…255 先除以 255，"
        "再减去该颜色的平均、除以标准差，这两个数由模型的 preprocessor_config.json 规定"
        "（没有写明就都是 ½，写明不做就是 0 和 1）。",
    ),
    "b_E": StageWords("b^E", "$b^E$ · 投影的偏置", "每一块的那一行都加上它。"),
}
