"""The words of the page that checks printed study notes, in Chinese."""

from pages.understand.errata.words_contract import ClaimWords, ErrataWords
from views.text.lesson import Lesson

ZH = ErrataWords(
    lesson=Lesson(
        title="什么都别轻信：给一份笔记勘误",
        lead=(
            "印出来的数看上去总像真的。这里把一份学习笔记所印的，"
            "同用它自己的输入算出来的放在一起：找找看，两者从哪一步分开。"
        ),
        learnt="印出来的数只是一种说法：重算一遍，找出第一个差得超过末位舍入的步骤。",
    ),
    choose="笔记上印的",
    names={
        "q1": "头 1 的 Q",
        "q2": "头 2 的 Q",
        "softmax_row_2": "爱的 softmax",
        "output_row_2": "爱的输出",
        "output_row_3": "北京的输出",
        "double_division": "除了两次 h",
        "orthogonal": "正交的头",
        "source_causal": "源句加掩码",
        "mask_zero": "用 0 作掩码",
        "column_convention": "Q = W x",
        "parameter_count": "3 d_model² 个参数",
        "nonlinear_combination": "非线性组合",
        "rnn_previous_word": "只看前一个词",
        "subject_predicate": "主语和谓语",
    },
    where={
        "q1": "d_model = 4、两个头的例子：头 1 的 Q，由 X 和 W^Q 得出。",
        "q2": "d_model = 4、两个头的例子：头 2 的 Q，由 X 和 W^Q 得出。",
        "softmax_row_2": "我爱北京，除数 8，因果掩码：softmax([0.75, 1.125])。",
        "output_row_2": "我爱北京，除数 8，因果掩码：爱的输出。",
        "output_row_3": "我爱北京，除数 8，因果掩码：北京的输出。",
        "double_division": "多头注意力的形状表。",
        "orthogonal": "单头与多头的对比。",
        "source_causal": "我爱北京作为翻译的源句。",
        "mask_zero": "掩码这一步。",
        "column_convention": "得出 Q、K、V 的地方。",
        "parameter_count": "单头与多头的对比。",
        "nonlinear_combination": "为什么要许多头。",
        "rnn_previous_word": "注意力与循环网络的对比。",
        "subject_predicate": "各个头在看什么。",
    },
    printed="笔记上印的",
    computed="算出来的",
    off="相差",
    correct="应当是",
    parts=(
        "两者在 {stage} 分开：印出的 {all} 个数里有 {wrong} 个不符，"
        "最多差 {off}（第 {row} 行第 {column} 列）。"
    ),
    parts_before=("两者更早就分开了：在 {stage}，印出的数已经差了 {off}；这里印出的数差 {here}。"),
    parts_nowhere=("两者没有分开：{computed} 取整就是 {printed}，而笔记也只印了整数。"),
    why={
        "q1": (
            "X 和 W^Q 都是给定的，Q 就是第一个结果。每个数是四个乘积之和；"
            "正负号弄错或漏掉乘积一共有 {ways} 种情形，"
            "能解释 {wrong} 个错数中的 {explained} 个。"
            "其余的数，用这个 X 和这个 W^Q 无论怎样弄错正负号或漏项都得不出来。"
        ),
        "q2": (
            "X 和 W^Q 都是给定的，Q 就是第一个结果。每个数是四个乘积之和；"
            "正负号弄错或漏掉乘积一共有 {ways} 种情形，"
            "能解释 {wrong} 个错数中的 {explained} 个。"
            "其余的数，用这个 X 和这个 W^Q 无论怎样弄错正负号或漏项都得不出来。"
        ),
        "softmax_row_2": (
            "到 scaled 为止还是对的：{a} 和 {b}，相差 {gap}；要得到 {p} 和 {q} 这两份，"
            "分数得相差 {least} 到 {most}。另外试了几种分法（用 {tried} 代替 eˣ），"
            "只有 {found} 印出来恰好是这两个数：按 {a}² 和 {b}² 的比例来分。"
            "当时是不是这样算的，计算回答不了。"
        ),
        "output_row_2": (
            "求和本身没错：{p} · {v} + {q} · {w} = {total}，正是印出的数。"
            "错是从权重带过来的，权重早已不对。"
        ),
        "output_row_3": (
            "不过，把权重只留一位小数（{weights}）来算，恰好得 {total}；"
            "若把 26 读作 26.0，就差了 {here}。用原来的权重算是 {computed}。"
        ),
    },
    claims={
        "double_division": ClaimWords(
            printed="Q (M, N, D_k)，其中 D_k = D / heads，又切成 D_k / heads。",
            correct=(
                "要么每个头把 D 投影到 D / heads，要么一次 D 到 D 的投影再切成头；不能两样都做。"
            ),
            shown=(
                "d_model = {d_model}、h = {heads} 时 d_k = {once}。再除一次只剩 {twice}，"
                "{heads} 个头并排只有 {left} 宽，不是 {d_model}：W^O 就乘不上了。"
                "下面：concat 的第三个数是头 2 的第一个数，因为两个头各给 4 / 2 = 2 个。"
            ),
        ),
        "orthogonal": ClaimWords(
            printed="h 个正交的子空间。",
            correct="h 个学出来的子空间；没有什么使它们正交。",
            shown=(
                "就在笔记自己的例子里，头 1 与头 2 的 W^Q 各列之间的余弦，"
                "绝对值最大到 {largest}；若是正交的子空间，处处都该是 0。"
            ),
            grids=("W_Q 各列之间的余弦",),
        ),
        "source_causal": ClaimWords(
            printed="给中文源句加因果掩码。",
            correct="编码器–解码器只给正在生成的译文加因果掩码；源句整句可见（填充除外）。",
            shown=("加了掩码，我只能看见自己（{masked}）；整句可见时，它把 {whole} 份给了北京。"),
            grids=("加掩码的权重", "整句可见的权重"),
        ),
        "mask_zero": ClaimWords(
            printed="把被遮的分数填成 −∞（或 0）。",
            correct="只能是 −∞：分数为 0 时，相除之前仍有 e⁰ = 1。",
            shown=("填 0 时，我把 {leak} 份给了还不存在的词，爱也给了 {other}；填 −∞ 时恰好是 0。"),
            grids=("填 0 的权重", "填 −∞ 的权重"),
        ),
        "column_convention": ClaimWords(
            printed="Q = W^Q x，旁边的表却是一词一行。",
            correct="词作行时 Q = x W^Q；W x 是词作列的写法。",
            shown=(
                "词作行时 X 是 {rows}，W^Q 是 {matrix}，X W^Q 就是 {result}："
                "第 2 行是第 2 个词。"
                "换一种写法必须是 (W^Q)ᵀ Xᵀ：数相同，只是行列互换，两者相差 {difference}。"
            ),
            grids=("Q = X W_Q：词作行", "W_Qᵀ Xᵀ：词作列"),
        ),
        "parameter_count": ClaimWords(
            printed="3 d_model² 个参数。",
            correct="Q、K、V 共 3 d_model²，W^O 还有 d_model²：一共 4 d_model²（偏置不计）。",
            shown=(
                "d_model = {d_model} 时：不算 W^O 是 {three} 个，算上是 {four} 个；"
                "一个头如此，{heads} 个头也如此。"
            ),
        ),
        "nonlinear_combination": ClaimWords(
            printed="各子空间的非线性组合。",
            correct=(
                "concat 与 W^O 把各头线性地合起来；非线性都在每个头内部：q · k、softmax、权重乘 V。"
            ),
            shown=("头 1 加进去的与头 2 加进去的，相加就是输出，不多不少：最大相差 {difference}。"),
            grids=("头 1 加的", "头 2 加的", "输出"),
        ),
        "rnn_previous_word": ClaimWords(
            printed="循环网络只看前一个词。",
            correct="它的状态带着前面所有的词，越远越淡。",
            shown=(
                "一个小循环网络（种子 {seed}）读完我爱北京：最后的状态对我的响应是 {first}，"
                "对爱是 {second}，对北京是 {third}：越远越小，但不是 0。"
                "注意力一步就够到我，下面的权重是 {weight}。"
            ),
            grids=("∂h₃/∂x 的大小",),
        ),
        "subject_predicate": ClaimWords(
            printed="我和北京是主语和谓语。",
            correct="是主语和宾语；我–爱是主语和谓语动词，爱–北京是动词和宾语。",
            shown=(
                "这由语法说了算，不由计算：scores[我, 北京] = {score} 只说像到什么程度，"
                "不说是哪一种关系。"
            ),
        ),
    },
    more="多看一点",
    opened="问题所在的那一格",
    check="查一查自己书上的一页",
    check_lead=(
        "选好例子和步骤，把笔记上印的数贴进来。"
        "算出来的数按印出的位数四舍五入后若与它相同，就算相符。"
    ),
    book="例子",
    books={
        "wo_ai_beijing_causal": "我爱北京，÷ 8，因果",
        "wo_ai_beijing": "我爱北京，÷ 8，无掩码",
        "whole_numbers": "猫追球，整数",
        "d4_h2": "d_model = 4，h = 2",
    },
    stage="步骤",
    head="头",
    pasted="笔记上印的数，一行一排",
    pasted_help="不想比较的数写“?”；被遮的写 −∞ 或 -inf。",
    agrees="{all} 个数在所印的位数内全都相符。",
    disagrees=(
        "{all} 个数里有 {wrong} 个差得超过末位舍入；差得最多的是第 {row} 行第 {column} 列，"
        "差 {off}：印的是 {printed}，算出来是 {computed}。"
    ),
    errors={
        "empty": "还没有数。请至少贴一行。",
        "long": "文字超过 {limit} 个字符。请只贴一个矩阵。",
        "large": "{rows} × {columns} 个数太多了，每边最多 {limit} 个。",
        "ragged": "第 {row} 行有 {columns} 个数，第一行有 {first} 个。缺的请用“?”补上。",
        "number": "第 {row} 行第 {column} 列：“{text}”不是数。",
        "grouped": "“{text}”是一个数，还是几个数？是一个数就写成 {plain}，是几个数就用空格隔开。",
    },
    shape=(
        "{stage} 是 {rows} × {columns} 的矩阵，贴进来的却是 {pasted_rows} × {pasted_columns}。"
        "缺的请用“?”补上，或换一个步骤。"
    ),
    code="作比较的代码",
)
