"""What every page of the chapter says: a question, and at the end what was learnt."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Lesson:
    """title: the headline; lead: the question and what to try; learnt: one sentence at the end."""

    title: str
    lead: str
    learnt: str


@dataclass(frozen=True)
class ChapterWords:
    """The frame around the pages of the chapter, and its contents page.

    about: one line for each page, by its name in the URL.
    """

    lesson: Lesson
    learnt: str
    this_view: str
    next: str
    by_hand: str
    experiments: str
    more: str
    about: dict[str, str]


CHAPTER = {
    "en": ChapterWords(
        lesson=Lesson(
            title="Understand: change a number, see what it does",
            lead=(
                "Small examples that can be worked out on paper, and {experiments} experiments "
                "with one idea each. They run on the same code, figures and microscope as the "
                "rest of the app."
            ),
            learnt="A number that you have changed yourself is a number that you understand.",
        ),
        learnt="What was learnt",
        this_view="The address of exactly this view",
        next="Next",
        by_hand="By hand",
        experiments="Experiments",
        more="Words",
        about={
            "by_hand": "我爱北京 on paper: edit any matrix and see what follows.",
            "sizes": "What the four numbers of (32, 8, 10, 64) mean, in three standard sizes.",
            "errata": "The numbers of printed notes against computed ones: find where they part.",
            "predict": "Cover cells, guess them, then see the sum; or print a worksheet.",
            "softmax": "How a row of scores becomes shares of one, and what temperature does.",
            "scaling": "Why scores are divided by √d_k, and not by anything else.",
            "masks": "Who may look at whom: causal, padding, window, or drawn by you.",
            "heads": "One head or many: the same cost, different views.",
            "order": "Does attention know which word came first?",
            "cross": "Where Q, K and V come from: one sequence or two.",
            "break_it": "Seven famous mistakes, and what gives each of them away.",
            "before": "What a recurrent net still knows of the first word.",
            "around": "Dropout, residual and LayerNorm: the numbers before and after.",
            "glossary": "Other books' names for the same things, and learners' questions.",
        },
    ),
    "zh": ChapterWords(
        lesson=Lesson(
            title="弄懂它：改一个数，看它牵动什么",
            lead=(
                "几个能在纸上算完的小例子，和 {experiments} 个各讲一件事的实验。"
                "用的是与其余各页同一套代码、同样的图和同一台显微镜。"
            ),
            learnt="亲手改过的数，才是真正懂了的数。",
        ),
        learnt="学到了什么",
        this_view="此刻所见的网址",
        next="下一个",
        by_hand="动手算",
        experiments="实验",
        more="词语",
        about={
            "by_hand": "在纸上算我爱北京：任意矩阵都能改，看结果怎样变。",
            "sizes": "(32, 8, 10, 64) 的四个数是什么意思：三种标准尺寸。",
            "errata": "笔记上印的与算出来的：看两者从哪一步分开。",
            "predict": "盖住格子，先猜再看算式；也可打印练习纸。",
            "softmax": "一行分数怎样变成加起来等于 1 的权重，温度又做了什么。",
            "scaling": "为什么偏偏除以 √d_k。",
            "masks": "谁可以看谁：因果、填充、窗口，或由你来画。",
            "heads": "一个头还是许多头：花费相同，眼光不同。",
            "order": "注意力知道哪个词在前吗？",
            "cross": "Q、K、V 从哪里来：一个序列还是两个。",
            "break_it": "七个有名的错误，各自在哪里露出马脚。",
            "before": "循环网络到最后还记得多少第一个词。",
            "around": "Dropout、残差、LayerNorm：前后的数字。",
            "glossary": "同一样东西在别的书里叫什么，以及学习者常问的问题。",
        },
    ),
}
