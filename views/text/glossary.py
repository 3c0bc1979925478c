"""The words of the page "Words for other books": what each term means, in one sentence."""

from collections.abc import Mapping
from dataclasses import dataclass

from views.text.glossary_model_words import MODEL_TERMS
from views.text.glossary_term import TermWords
from views.text.lesson import Lesson


@dataclass(frozen=True)
class GlossaryWords:
    """The table of terms. terms: by name; places: where a name is met; groups: their headings.

    models: by name, on what input a trained model has the shape that is shown.
    """

    lesson: Lesson
    parts: Mapping[str, str]
    find: str
    find_hint: str
    nothing: str
    several: str
    asked: str
    yours: str
    see: str
    words_here: str
    groups: Mapping[str, str]
    models: Mapping[str, str]
    places: Mapping[str, str]
    terms: Mapping[str, TermWords]


WORDS = {
    "en": GlossaryWords(
        lesson=Lesson(
            title="Words for other books",
            lead=(
                "The same thing has a dozen names. Type one that you have met, such as N, c_attn "
                "or hidden_size, and see what it is called here, what shape it has in your "
                "sentence, and where it comes to be."
            ),
            learnt=(
                "Names change from book to book, but a shape with named axes says what a thing is."
            ),
        ),
        parts={"words": "Words", "questions": "Questions that come again and again"},
        find="A name from another book",
        find_hint="N, attn_scores, c_attn, num_heads, 查询 …",
        nothing=(
            "No term here is called “{find}”. Try a shorter piece of the name, or the name of the "
            "step that it belongs to."
        ),
        several=(
            "“{find}” means different things in different books: {count} terms here have that name."
        ),
        asked="You asked for",
        yours="The shapes are those of “{sentence}”. {origin}",
        see="See it",
        words_here="Words here:",
        groups={
            "sizes": "Sizes",
            "inputs": "What goes in",
            "matrices": "Learnt matrices",
            "steps": "Step by step",
            "kinds": "Kinds of attention",
            "layers": "Around attention, in a whole model",
            "answers": "The model's answer",
        },
        models={
            "translator": "in the translator, for 我爱北京",
            "vision": "in the model for pictures, for one picture",
        },
        places={
            "papers": "papers",
            "older": "before 2017",
            "research": "blogs and interpretability",
            "pytorch": "PyTorch",
            "keras": "TensorFlow / Keras",
            "hf": "Hugging Face",
            "gpt2": "GPT-2 code",
            "vision": "vision (ViT, timm)",
            "sound": "speech",
            "code": "code",
            "chinese": "in Chinese",
        },
        terms={
            "n": TermWords(
                "number of tokens",
                "How many words, patches or frames stand in the sequence; where queries and keys "
                "come from two sequences there are two such numbers, n_q and n_k.",
            ),
            "batch": TermWords(
                "number of samples",
                "How many sequences are computed at once; each attends only within itself.",
            ),
            "d_model": TermWords(
                "width of a token's vector",
                "How many numbers describe one token on its way into attention and out of it.",
            ),
            "h": TermWords(
                "number of heads",
                "How many attentions run side by side, each with small matrices of its own.",
            ),
            "d_k": TermWords(
                "width of a query and key in one head",
                "How many numbers a query and a key have in one head, usually d_model / h; its "
                "root divides the scores.",
            ),
            "d_v": TermWords(
                "width of a value in one head",
                "How many numbers a value has in one head; usually the same as d_k, but nothing "
                "asks for it.",
            ),
            "token": TermWords(
                "token",
                "One element of the sequence: a word, a piece of one, a patch of a picture, a "
                "frame of sound.",
            ),
            "E": TermWords(
                "embedding table", "One row for each token of the vocabulary: its vector."
            ),
            "position": TermWords(
                "position",
                "What is added to a token's vector so that it says where the token stands.",
            ),
            "X": TermWords(
                "input",
                "The vectors that attention reads, before any projection; query, key and value "
                "of PyTorch's nn.MultiheadAttention are such inputs, not yet Q, K and V, which "
                "they are for F.scaled_dot_product_attention.",
            ),
            "W_Q": TermWords(
                "query matrix",
                "Turns a token's vector into its query; in_proj, c_attn and qkv hold W_Q, W_K and "
                "W_V in one.",
            ),
            "W_K": TermWords(
                "key matrix",
                "Turns a token's vector into its key; the second third of in_proj, c_attn or qkv.",
            ),
            "W_V": TermWords(
                "value matrix",
                "Turns a token's vector into its value; the last third of in_proj, c_attn or qkv.",
            ),
            "W_O": TermWords(
                "output matrix",
                "Mixes what the heads found, side by side, into one vector of width d_model.",
            ),
            "Q": TermWords("query", "What a token asks for, one row for each token in each head."),
            ("K"): TermWords(
                ("key"), "What a token can be found by, one row for each token in each head."
            ),
            ("V"): TermWords(
                "value", "What a token has to give, one row for each token in each head."
            ),
            "scores": TermWords(
                "attention scores",
                "The dot product of every query with every key, before anything is done to it.",
            ),
            "scaled": TermWords(
                "scaled scores",
                "The scores divided by √d_k, so that their spread does not grow with the width.",
            ),
            "masked": TermWords(
                "masked scores",
                "The scaled scores with −∞ where a query may not look, which softmax turns into "
                "exactly 0; mind that some libraries mark with True what may not be seen.",
            ),
            "weights": TermWords(
                "attention weights",
                "What softmax makes of the scores: each query's one unit, shared out over the "
                "keys, so that every row sums to 1.",
            ),
            "dropped": TermWords(
                "weights after dropout",
                "In training only: some weights set to 0 and the others grown to make up for it.",
            ),
            "head_output": TermWords(
                "output of a head",
                "What each query takes home: the values, added up by its weights.",
            ),
            "concat": TermWords("concatenation", "The outputs of all heads, side by side."),
            "output": TermWords(
                "output of multi-head attention",
                (
                    "What the heads put side by side become through W_O: one new vector for each "
                    "token."
                ),
            ),
            "residual": TermWords(
                "residual connection", "The input added to the output, so that nothing is lost."
            ),
            "normalised": TermWords(
                "layer normalisation",
                (
                    "Every token's vector brought to mean 0 and variance 1 over its own entries, "
                    "then stretched by γ and shifted by β where these were learnt. After the "
                    "residual in the paper and in the translator; before attention in GPT-2 (ln_1) "
                    "and in the vision transformer."
                ),
            ),
            "multi_head": TermWords(
                "multi-head attention",
                "h attentions in parallel, put side by side and mixed by W_O.",
            ),
            "self_attention": TermWords(
                "self-attention",
                "Q, K and V all come from one sequence: every token looks at its own sentence.",
            ),
            "cross_attention": TermWords(
                "cross-attention",
                "Q comes from one sequence, K and V from another; PyTorch's kdim and vdim are the "
                "widths of that other one before it is projected.",
            ),
        }
        | MODEL_TERMS["en"],
    ),
    "zh": GlossaryWords(
        lesson=Lesson(
            title="别的书怎么叫",
            lead=(
                "同一样东西有一打名字。输入你在别处见到的一个，例如 N、c_attn 或 hidden_size，"
                "看它在这里叫什么、在你的句子里是什么形状、在哪一步产生。"
            ),
            learnt="书与书之间名字会变，而一个写明了每条轴的形状能说清它是什么。",
        ),
        parts={"words": "词语", "questions": "常常有人问的问题"},
        find="别的书里的名字",
        find_hint="N、attn_scores、c_attn、num_heads、查询……",
        nothing="这里没有叫“{find}”的词语。试试名字里较短的一段，或它所属那一步的名字。",
        several="“{find}”在不同的书里指不同的东西：这里有 {count} 个词语都叫这个名字。",
        asked="你要找的",
        yours="形状取自“{sentence}”。{origin}",
        see="去看看",
        words_here="这里的词语：",
        groups={
            "sizes": "尺寸",
            "inputs": "输入",
            "matrices": "学到的矩阵",
            "steps": "一步一步",
            "kinds": "注意力的种类",
            "layers": "整个模型里，注意力的周围",
            "answers": "模型的回答",
        },
        models={
            "translator": "翻译模型，输入“我爱北京”",
            "vision": "看图的模型，输入一张图",
        },
        places={
            "papers": "论文",
            "older": "2017 年以前",
            "research": "博客与可解释性研究",
            "pytorch": "PyTorch",
            "keras": "TensorFlow / Keras",
            "hf": "Hugging Face",
            "gpt2": "GPT-2 代码",
            "vision": "视觉（ViT、timm）",
            "sound": "语音",
            "code": "代码",
            "chinese": "中文书",
        },
        terms={
            "n": TermWords(
                "词元个数",
                "序列里有多少个词、图像块或帧；查询和键来自两个序列时，有 n_q 和 n_k 两个数。",
            ),
            "batch": TermWords("样本个数", "同时计算多少个序列；每个序列只在自己内部做注意力。"),
            "d_model": TermWords("词元向量的宽度", "一个词元进出注意力时，用多少个数来描述。"),
            "h": TermWords("头的个数", "有多少个注意力并排进行，各有自己的小矩阵。"),
            "d_k": TermWords(
                "每个头里查询和键的宽度",
                "一个头里，查询和键各有多少个数，通常是 d_model / h；分数要除以它的平方根。",
            ),
            "d_v": TermWords(
                "每个头里值的宽度", "一个头里，值有多少个数；通常与 d_k 相同，但并无必要。"
            ),
            "token": TermWords(
                "词元", "序列里的一个成员：一个词、词的一段、图像的一块，或声音的一帧。"
            ),
            "E": TermWords("词向量表", "词表里每个词元占一行，这一行就是它的向量。"),
            "position": TermWords(
                "位置编码", "加到词元向量上的一行数，使向量也说得出词元站在第几个。"
            ),
            "X": TermWords(
                "输入",
                "注意力读进来的向量，还没有经过投影；PyTorch 的 nn.MultiheadAttention 里，"
                "query、key、value 就是这样的输入，还不是 Q、K、V；"
                "F.scaled_dot_product_attention 的 query、key、value 却已经是 Q、K、V。",
            ),
            "W_Q": TermWords(
                "查询矩阵",
                "把词元的向量变成查询；in_proj、c_attn 和 qkv 把 W_Q、W_K、W_V 合成了一个。",
            ),
            "W_K": TermWords(
                "键矩阵", "把词元的向量变成键；是 in_proj、c_attn 或 qkv 的第二个三分之一。"
            ),
            "W_V": TermWords(
                "值矩阵", "把词元的向量变成值；是 in_proj、c_attn 或 qkv 的最后三分之一。"
            ),
            "W_O": TermWords("输出矩阵", "把并排放好的各头结果混合成一个宽 d_model 的向量。"),
            "Q": TermWords("查询", "词元想找什么，每个词元在每个头里有一行。"),
            "K": TermWords("键", "词元凭什么被找到，每个词元在每个头里有一行。"),
            "V": TermWords("值", "词元能给出什么，每个词元在每个头里有一行。"),
            "scores": TermWords("注意力分数", "每个查询与每个键的点积，还没有做任何处理。"),
            "scaled": TermWords("缩放后的分数", "分数除以 √d_k，这样宽度再大，分数也不会更分散。"),
            "masked": TermWords(
                "加了掩码的分数",
                "在查询不许看的地方填上 −∞，经 softmax 恰好变成 0；"
                "注意有的库用 True 标出的是不许看的。",
            ),
            "weights": TermWords(
                "注意力权重",
                "softmax 由分数得到的结果：每个查询把 1 份注意力分给各个键，所以每行之和为 1。",
            ),
            "dropped": TermWords(
                "dropout 之后的权重", "只在训练时：一部分权重变成 0，其余按比例放大来补足。"
            ),
            "head_output": TermWords(
                "一个头的输出", "每个查询带回家的东西：各个值按它的权重加起来。"
            ),
            "concat": TermWords("拼接", "所有头的输出，并排放在一起。"),
            "output": TermWords(
                "多头注意力的输出", "并排的各头经过 W_O 得到的结果：每个词元一个新向量。"
            ),
            "residual": TermWords("残差连接", "把输入加到输出上，原来的东西就不会丢。"),
            "normalised": TermWords(
                ("层归一化"),
                (
                    "把每个词元的向量，按它自己的各个数调成均值 0、方差 1；学过的还要乘 γ、加 β。"
                    "论文和翻译模型放在残差之后，GPT-2（ln_1）和视觉 Transformer 放在注意力之前。"
                ),
            ),
            "multi_head": TermWords("多头注意力", "h 个注意力并行，结果并排放好，再由 W_O 混合。"),
            "self_attention": TermWords(
                "自注意力", "Q、K、V 都来自同一个序列：每个词元看的是自己所在的句子。"
            ),
            "cross_attention": TermWords(
                "交叉注意力",
                "Q 来自一个序列，K 和 V 来自另一个；PyTorch 的 kdim 和 vdim "
                "是那另一个序列投影之前的宽度。",
            ),
        }
        | MODEL_TERMS["zh"],
    ),
}
