"""每一步的中文说明，键与 core 里的阶段同名。"""

from views.text.contract import StageWords
from views.text.zh_checkpoint import CHECKPOINT
from views.text.zh_layers import LAYERS
from views.text.zh_sound import SOUND

STAGES = {
    "tokens": StageWords(
        "编号",
        "每个词先有一个编号",
        "句子被切成词元（token），每个词元换成它在词表 E 里的行号。行号只是地址，没有大小之分。",
    ),
    "E": StageWords(
        "词表",
        "词表：一行一个词",
        "E 的每一行是一个词的向量。这里的向量由词本身和种子算出，同一个词在哪里都一样。",
    ),
    "embedding": StageWords(
        "词向量",
        "按编号取出词向量",
        "“{row}”按编号到词表 E 里取出自己那一行，一个数也不改。",
    ),
    "position": StageWords(
        "位置",
        "位置编码：第几个",
        "注意力本身不知道先后。给每个位置一行正弦和余弦，让“第几个”也成为向量的一部分。",
        "位置编码已关闭：打开后，词的先后才会影响结果。",
    ),
    "image": StageWords(
        "图像",
        "图像就是数",
        "图像是一张数表：高 × 宽 × 三个颜色通道，每个像素值由 0…255 换到 −1…1。",
    ),
    "patches": StageWords(
        "切块",
        "把图切成小方块",
        "图像被切成同样大小的小块（patch），每一块相当于句子里的一个词。像素只是搬家，没有改变。",
    ),
    "flattened": StageWords(
        "拉平",
        "每一块拉成一行",
        "“{row}”的像素逐行排开，三个颜色挨着放，成为一个长向量。",
    ),
    "W_E": StageWords("W^E", "投影矩阵 $W^E$", "把一块的全部像素压成 d_model 个数的矩阵。"),
    "projection": StageWords(
        "投影",
        "每一块投影成一个向量",
        "“{row}”拉平后的长向量乘以 W^E，压成 d_model 个数：块的向量，与词向量同一个角色。",
    ),
    "cls": StageWords(
        "[CLS]",
        "[CLS]：没有图像的那一块",
        "多放一个向量，不对应任何一块；它可以汇总整张图。",
    ),
    "sequence": StageWords(
        "加 [CLS]",
        "把 [CLS] 放在最前面",
        "[CLS] 排在第 1 位，图像块依次跟在后面，数值不变。",
        "[CLS] 已关闭。",
    ),
    "X": StageWords(
        "输入",
        "X · 进入注意力的输入",
        "每一行是一个{token}的向量。从这里开始，文字、图像和声音走的是同一条路。",
    ),
    "memory": StageWords("记忆", "memory · 被查询的另一个序列", "交叉注意力的 K 和 V 从这里来。"),
    "W_Q": StageWords("W^Q", "$W^Q$ · 查询矩阵", "每个头一张，把输入变成“我要找什么”。"),
    "W_K": StageWords("W^K", "$W^K$ · 键矩阵", "每个头一张，把输入变成“凭什么找到我”。"),
    "W_V": StageWords("W^V", "$W^V$ · 值矩阵", "每个头一张，把输入变成“我能给什么”。"),
    "W_O": StageWords("W^O", "$W^O$ · 输出矩阵", "把各头的结果线性地混合回 d_model 个数。"),
    "b_Q": StageWords("b^Q", "$b^Q$ · 查询的偏置", "加到每个查询上的常数。"),
    "b_K": StageWords("b^K", "$b^K$ · 键的偏置", "给一整行分数加同一个数，softmax 看不出来。"),
    "b_V": StageWords("b^V", "$b^V$ · 值的偏置", "加到每个值上的常数。"),
    "b_O": StageWords("b^O", "$b^O$ · 输出的偏置", "加到输出上的常数。"),
    "Q": StageWords(
        "查询",
        "Q · 每个{token}想找什么",
        "查询（Query）：“{row}”拿自己的向量乘以这个头的 W^Q，问出它想找的东西。",
    ),
    "K": StageWords(
        "键",
        "K · 每个{token}凭什么被找到",
        "键（Key）：“{row}”拿自己的向量乘以 W^K，挂出一块让别人来对照的牌子。",
    ),
    "V": StageWords(
        "值",
        "V · 每个{token}能给出什么",
        "值（Value）：“{row}”拿自己的向量乘以 W^V，备好被选中时要交出去的内容。",
    ),
    "padding": StageWords(
        "填充", "padding · 哪些是真的词", "短句用 [PAD] 补齐；补上去的位置谁也不该看。"
    ),
    "causal": StageWords(
        "因果",
        "causal · 只看自己和前面",
        "生成时后面的{token}还不存在，所以第 i 行只允许看第 1 到第 i 列。",
    ),
    "allowed": StageWords("允许", "allowed · 谁可以看谁", "自己画出的允许表。"),
    "bias": StageWords("偏置", "bias · 加到分数上的数", "在掩码之前加到分数上。"),
    "scores": StageWords(
        "打分",
        r"$QK^\top$ · 每个{token}问每个{token}",
        "把“{row}”的查询与“{column}”的键逐项相乘再相加（点积）。数越大，两者在这个头里越合拍。",
    ),
    "scaled": StageWords(
        "缩放",
        r"$\div\sqrt{d_k}$ · 把分数收小",
        "点积的起伏随 √d_k 变大；不除的话 softmax 会几乎只选一个{token}，梯度也近于 0。"
        "这里 d_k = {d_k}。",
    ),
    "masked": StageWords(
        "掩码",
        "+ M · 不许看的变成 −∞",
        "不允许看的格子换成 −∞，经过 softmax 恰好是 0。换成 0 可不行：e⁰ = 1，仍会分到权重。",
        "没有掩码：每个{token}都可以看所有的{token}。",
    ),
    "weights": StageWords(
        "权重",
        "softmax · 每一行分掉 1",
        "“{row}”有 1 份注意力要分给所有的{token}：每个分数取 e 的幂，再除以这一行的总和。"
        "行和是 1，列和不必是 1。",
    ),
    "keep": StageWords("保留", "keep · 谁被留下", "dropout 随机抽出的开关：1 留下，0 丢掉。"),
    "dropped": StageWords(
        "丢弃",
        "dropout · 训练时随机丢掉一些",
        "丢掉的权重变成 0，留下的放大到 1/(1−p) 倍。只在训练时用，使用模型时没有这一步。",
        "dropout 为 0：使用训练好的模型时就是这样。",
    ),
    "head_output": StageWords(
        "加权和",
        "$A V$ · 按权重取回内容",
        "“{row}”按自己的权重把每个{token}的值加起来：看谁多，就从谁那里拿得多。",
    ),
    "concat": StageWords(
        "拼接",
        "concat · 各头并排",
        "{heads} 个头的结果左右拼成一行，数值原样搬过来。",
    ),
    "output": StageWords(
        "输出",
        "$W^O$ · 把各头混合起来",
        "拼好的一行乘以 W^O：各头的发现线性地混成“{row}”的新向量。",
        "没有 W^O：到拼接为止。",
    ),
    "residual": StageWords(
        "残差",
        "X + 输出 · 旧的加新的",
        "输出不是取代输入，而是加到输入上：原来的意思还在，注意力只做补充。",
        "这里显示的到注意力本身为止。",
    ),
    "normalised": StageWords(
        "归一",
        "LayerNorm · 每行回到同一尺度",
        "“{row}”这一行减去平均，再除以 √(方差 + ε)：每一行都回到同样的中心和起伏。",
        "这里显示的到注意力本身为止。",
    ),
    **LAYERS,
    **CHECKPOINT,
    **SOUND,
}
