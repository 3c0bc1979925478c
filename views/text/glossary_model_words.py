"""What the terms of a whole model mean, in one sentence."""

from views.text.glossary_term import TermWords

MODEL_TERMS = {
    "en": {
        "feed_forward": TermWords(
            "feed-forward layer",
            "What works each token's vector through by itself: to a wider middle, bent there by "
            "ReLU or GELU, and back; no token sees another.",
        ),
        "d_ff": TermWords(
            "width of the feed-forward layer",
            "How many numbers describe a token in the wide middle; four times d_model in the "
            "paper.",
        ),
        "gamma": TermWords(
            "stretch of LayerNorm",
            "One factor for each column, learnt in training: what LayerNorm brought to variance "
            "1 is stretched by it again.",
        ),
        "beta": TermWords(
            "shift of LayerNorm",
            "One number for each column, learnt in training and added after the stretch.",
        ),
        "stream": TermWords(
            "residual stream",
            "The vectors that run through all layers: every part reads them and adds something, "
            "and none replaces them.",
        ),
        "post_norm": TermWords(
            "LayerNorm after the part",
            "LayerNorm(x + part(x)), as in the paper and in BERT: the sum itself is brought "
            "onto one scale.",
        ),
        "pre_norm": TermWords(
            "LayerNorm in front of the part",
            "x + part(LayerNorm(x)), as in GPT-2 and ViT: the part reads a normalised copy, and "
            "the stream itself stays as it is.",
        ),
        "cls": TermWords(
            "class token",
            "One more token in front that stands for no word and no patch: from its last vector "
            "the answer is read off.",
        ),
        "logits": TermWords(
            "scores of the answers",
            "One number for every possible answer before softmax: the larger, the likelier; in "
            "older texts also the scores inside attention.",
        ),
        "probabilities": TermWords(
            "probabilities of the answers",
            "What softmax makes of the logits: one unit shared out over all words or classes.",
        ),
        "greedy": TermWords(
            "greedy decoding",
            "At every step the likeliest word is taken and never taken back; beam search keeps "
            "several beginnings instead.",
        ),
        "teacher_forcing": TermWords(
            "teacher forcing",
            "The decoder reads the right words instead of its own, all at once, as in training.",
        ),
        "rollout": TermWords(
            "attention rollout",
            "The mean weights of all layers multiplied, each mixed half and half with the "
            "identity: an estimate of where a token's vector comes from, no proof.",
        ),
    },
    "zh": {
        "feed_forward": TermWords(
            "前馈层",
            "每个词元的向量各自加工：先变宽，在中间经 ReLU 或 GELU 折一下，再变回来；"
            "词元之间互不相看。",
        ),
        "d_ff": TermWords(
            "前馈层的宽度",
            "在变宽的中间，一个词元用多少个数来描述；论文里是 d_model 的四倍。",
        ),
        "gamma": TermWords(
            "LayerNorm 的缩放",
            "每列一个倍数，由训练得到：LayerNorm 把方差调成 1 之后，再按它拉伸。",
        ),
        "beta": TermWords(
            "LayerNorm 的平移",
            "每列一个数，由训练得到，在拉伸之后加上。",
        ),
        "stream": TermWords(
            "残差流",
            "贯穿所有层的那些向量：每一部分都读它、往上加一点，谁也不替换它。",
        ),
        "post_norm": TermWords(
            "LayerNorm 放在后面",
            "LayerNorm(x + 部分(x))，论文和 BERT 都这样：把相加的结果调到同一尺度。",
        ),
        "pre_norm": TermWords(
            "LayerNorm 放在前面",
            "x + 部分(LayerNorm(x))，GPT-2 和 ViT 都这样：这一部分读的是归一化的副本，"
            "残差流本身不变。",
        ),
        "cls": TermWords(
            "分类词元",
            "放在最前面的一个词元，不代表任何词或图像块：答案从它最后的向量读出。",
        ),
        "logits": TermWords(
            "各个答案的分数",
            "softmax 之前，每个可能的答案各有一个数：越大越可能；"
            "有的书把注意力里的分数也叫 logits。",
        ),
        "probabilities": TermWords(
            "各个答案的概率",
            "softmax 由 logits 得到的结果：1 份分给所有的词或类别。",
        ),
        "greedy": TermWords(
            "贪心解码",
            "每一步都取最可能的那个词，取了就不反悔；束搜索（beam search）则同时保留几个开头。",
        ),
        "teacher_forcing": TermWords(
            "教师强制",
            "解码器读的不是自己译出的词，而是正确的词，一次全给出来，训练时就是这样。",
        ),
        "rollout": TermWords(
            "注意力展开",
            "把各层的平均权重连乘起来，每层先与单位矩阵各占一半：估计一个词元的向量来自哪里，"
            "并不是证明。",
        ),
    },
}
