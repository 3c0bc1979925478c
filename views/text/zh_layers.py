"""一层里注意力周围的各步，以及最后一层之后的各步。"""

from views.text.contract import StageWords

LAYERS = {
    "learnt_table": StageWords(
        "词表",
        "词表：一行一个词元",
        "E 的每一行是词表里一个词元的向量（一个词，或词的一截），由训练学得。",
    ),
    "learnt_projection": StageWords(
        "W^E", "投影矩阵 $W^E$", "把一块的全部像素压成 d_model 个数的矩阵，由训练学得。"
    ),
    "learnt_cls": StageWords(
        "[CLS]",
        "[CLS]：没有图像的那一块",
        "多放一个不属于任何一块的向量，由训练学得；模型最后从它这里读出答案。",
    ),
    "learnt_position": StageWords(
        "位置",
        "位置：在哪一格",
        "注意力本身不知道位置。这里每个位置有一个向量，由训练学得。",
    ),
    "stream": StageWords(
        "主干",
        "stream · 流进来的向量",
        "前面各部分算出的向量。每一部分都读它、往上加一点，谁也不取代它。",
    ),
    "normed_stream": StageWords(
        "输入",
        "X · 主干的每一行回到同一尺度",
        "每行减去平均、除以标准差，再乘 γ 加 β：这里的 LayerNorm 放在前面（pre-norm），"
        "原论文放在后面。",
    ),
    "fed": StageWords(
        "输入", "X · 进入前馈层的向量", "每一行是一个{token}的向量，刚从注意力出来。"
    ),
    "last_vectors": StageWords(
        "末层", "X · 最后的向量", "所有层共同算出的结果，答案就从这里读出。"
    ),
    "gamma": StageWords("γ", "γ · LayerNorm 的伸缩", "由训练学得：每一列一个倍数。"),
    "beta": StageWords("β", "β · LayerNorm 的平移", "由训练学得：每一列加上一个数。"),
    "learnt_norm": StageWords(
        "归一",
        "LayerNorm · 每行回到同一尺度",
        "“{row}”这一行减去平均，除以 √(方差 + ε)，然后每一列乘以 γ、加上 β。",
    ),
    "W_1": StageWords("W_1", "$W_1$ · 进到更宽的中间层", "把 d_model 个数变成 {d_ff} 个。"),
    "b_1": StageWords("b_1", "$b_1$ · 中间层的偏置", "在激活函数之前加上。"),
    "hidden": StageWords(
        "中间层",
        "hidden · 变宽，再过激活函数",
        "“{row}”的向量乘以 W_1 加 b_1，变成 {d_ff} 个数，再经过激活函数。"
        "这里{token}与{token}互不相看：各自消化刚才收集到的东西。",
    ),
    "W_2": StageWords("W_2", "$W_2$ · 从中间层回来", "把 {d_ff} 个数变回 d_model 个。"),
    "b_2": StageWords("b_2", "$b_2$ · 回程的偏置", "每一行都加上的常数。"),
    "fed_output": StageWords(
        "输出",
        "$W_2$ · 回到 d_model",
        "“{row}”的 {d_ff} 个数乘以 W_2 加 b_2：这就是前馈层给它添上的东西。",
    ),
    "stream_on": StageWords(
        "残差",
        "stream + 输出 · 旧的加新的",
        "输出不是取代流进来的向量，而是加上去：主干就这样穿过每一层。",
    ),
    "cls_vector": StageWords(
        "[CLS]", "$X_0$ · 只取 [CLS] 这一行", "答案从第一行读出；图像块已经完成了任务。"
    ),
    "W_P": StageWords("W^P", "$W^P$ · 通向答案的矩阵", "每个可能的答案占一列。"),
    "b_P": StageWords("b^P", "$b^P$ · 答案的偏置", "每个可能的答案一个数。"),
    "logits": StageWords(
        "logits",
        "logits · 每个答案得一个分",
        "“{row}”这一行与 W^P 的每一列相乘相加，再加 b^P：分越高，越有可能。",
    ),
    "probabilities": StageWords(
        "softmax",
        "softmax · 分数变成概率",
        "与注意力里的 softmax 是同一个：每个分数取 e 的次方，再除以这一行的和。"
        "“{row}”把 1 分给所有答案。",
    ),
}
