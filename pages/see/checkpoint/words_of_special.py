"""What the switch says that takes special tokens out of the picture."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class SpecialWords:
    """By what is hidden: ``special`` tokens of a text, the ``cls`` of a picture, the ``first``
    token of a model that has no special ones.

    show: the switch. taken: how much of one head's weight they take, and how much they would get if
    every token shared out its weight evenly among all that it may see; by whether they have
    ``several`` names or ``one``, or are the ``first`` token. hidden: what is left out of the
    picture, and what is not. and_: between the last two names, list_: between the others.
    """

    show: Mapping[str, str]
    help: str
    taken: Mapping[str, str]
    hidden: str
    and_: str
    list_: str


WORDS = {
    "en": SpecialWords(
        show={
            "special": "Show special tokens",
            "cls": "Show [CLS]",
            "first": "Show the first token",
        },
        help=(
            "Unticked: their rows and columns are veiled wherever tokens meet tokens, and colours "
            "reach as far as the rest. No number changes."
        ),
        taken={
            "several": (
                "In head {head}, {names} take {taken} of what all tokens give; evenly it would be "
                "{even}."
            ),
            "one": (
                "In head {head}, {names} takes {taken} of what all tokens give; evenly it would be "
                "{even}."
            ),
            "first": (
                "No special tokens here. In head {head}, the first token takes {taken} of what all "
                "tokens give; evenly it would be {even}."
            ),
        },
        hidden=(
            "Veiled, not removed: a veiled cell still opens, and a row adds up to 1 only with what "
            "is veiled."
        ),
        and_=" and ",
        list_=", ",
    ),
    "zh": SpecialWords(
        show={
            "special": "显示特殊词元",
            "cls": "显示 [CLS]",
            "first": "显示第一个词元",
        },
        help=(
            "去掉勾选后，凡是词元对词元的图，它们的行和列都会被盖住，颜色只按其余的词元来定。"
            "数字一个也不变。"
        ),
        taken={
            "several": (
                "在第 {head} 个头里，全部词元给出的权重中，{names} 拿走了 {taken}；"
                "平均分的话是 {even}。"
            ),
            "one": (
                "在第 {head} 个头里，全部词元给出的权重中，{names} 拿走了 {taken}；"
                "平均分的话是 {even}。"
            ),
            "first": (
                "这个模型没有特殊词元。在第 {head} 个头里，全部词元给出的权重中，"
                "第一个词元拿走了 {taken}；"
                "平均分的话是 {even}。"
            ),
        },
        hidden="只是盖住，没有去掉：盖住的格子照样能打开；每一行要连同盖住的一起，加起来才是 1。",
        and_=" 和 ",
        list_="、",
    ),
}
