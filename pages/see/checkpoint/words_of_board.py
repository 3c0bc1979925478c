"""What the board of all heads says."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class HeadsWords:
    """Heads that do the same: how many there are, and what one of them does."""

    counted: str
    says: str


@dataclass(frozen=True)
class BoardWords:
    """All heads of all layers by what they do with the reader's input.

    show, help: the switch. counts: what stands before the counted kinds; kinds: by
    ``core.experiments.head_patterns.Pattern``, and ``none`` where no token has a choice. tokens:
    what a token is called here; and_: between the names of special ones; key: one of a text, by
    its name and its number. how: by what rule a head is of a kind. proves: what such a board is
    worth.
    """

    show: str
    help: str
    label: str
    layer: str
    head: str
    place: str
    counts: str
    kinds: Mapping[str, HeadsWords]
    tokens: Mapping[str, str]
    and_: str
    key: str
    how: str
    proves: str


WORDS = {
    "en": BoardWords(
        show="Show all {heads} heads",
        help=(
            "What every head of every layer does with this input. The input goes through all "
            "layers for it, which takes a moment in a large model."
        ),
        label="All heads; choose one to look into",
        layer="layer",
        head="head",
        place="Layer {layer}, head {head}",
        counts="Where the {heads} heads look:",
        kinds={
            "previous": HeadsWords(
                "{count} at the previous {token}", "looks at the previous {token}: {value}"
            ),
            "following": HeadsWords(
                "{count} at the next {token}", "looks at the next {token}: {value}"
            ),
            "itself": HeadsWords(
                "{count} at the {token} itself", "each {token} looks at itself: {value}"
            ),
            "first": HeadsWords(
                "{count} at the first {token}", "looks at the first {token}, {key}: {value}"
            ),
            "one": HeadsWords(
                "{count} at one particular {token}", "looks at one {token}, {key}: {value}"
            ),
            "special": HeadsWords("{count} at {special}", "looks at {special}: {value}"),
            "broadly": HeadsWords(
                "{count} broadly at all", "spreads broadly: {value} of the largest entropy"
            ),
            "mixed": HeadsWords(
                "{count} with no one pattern",
                "no one pattern; the largest weight is {value} on average",
            ),
            "none": HeadsWords("{count} without a choice", "no {token} has a choice here"),
        },
        tokens={"word": "token", "patch": "patch"},
        and_=" and ",
        key="“{name}” ({place})",
        how=(
            "A head is counted where it looks with {half} of its weight or more, on the mean over "
            "all that have a choice; broadly is {nearly} of the largest entropy. The stronger the "
            "colour, the more."
        ),
        proves=(
            "With {heads} heads, some look right by chance: a head chosen because it looks right "
            "proves nothing. It would take the same pattern on many inputs that it was not chosen "
            "on; more of it than in a control, such as the same layers with random weights or the "
            "same words in another order; and an answer that changes when this head is taken away, "
            "more than without another. Even then weights need not explain: often quite other "
            "weights give the same answer (Jain and Wallace, “Attention is not Explanation”, 2019)."
        ),
    ),
    "zh": BoardWords(
        show="显示全部 {heads} 个头",
        help="对这个输入，每一层的每个头各在做什么。输入要走完所有的层，模型大时要等一会儿。",
        label="所有的头；点一个就打开它",
        layer="层",
        head="头",
        place="第 {layer} 层第 {head} 个头",
        counts="{heads} 个头看向哪里：",
        kinds={
            "previous": HeadsWords("{count} 个看前一个{token}", "看前一个{token}：{value}"),
            "following": HeadsWords("{count} 个看后一个{token}", "看后一个{token}：{value}"),
            "itself": HeadsWords("{count} 个各{token}看自己", "每个{token}看自己：{value}"),
            "first": HeadsWords("{count} 个看第一个{token}", "看第一个{token}{key}：{value}"),
            "one": HeadsWords("{count} 个只盯着某一个{token}", "盯着一个{token}{key}：{value}"),
            "special": HeadsWords("{count} 个看 {special}", "看 {special}：{value}"),
            "broadly": HeadsWords("{count} 个看得很散", "看得很散：达到最大熵的 {value}"),
            "mixed": HeadsWords("{count} 个没有单一规律", "没有单一规律；最大的权重平均为 {value}"),
            "none": HeadsWords("{count} 个没有选择", "这里没有哪个{token}有得选"),
        },
        tokens={"word": "词元", "patch": "块"},
        and_="、",
        key="“{name}”（第 {place} 个）",
        how=(
            "对有得选的各行取平均，权重有 {half} 以上落在同一处，才算看那里；"
            "熵达到最大值的 {nearly} 以上，才算看得很散。颜色越浓，占得越多。"
        ),
        proves=(
            "{heads} 个头里，总有几个碰巧看起来像那么回事：因为看着像而挑出来的头，什么也证明不了。"
            "要当证据，还得看到：在许多并非用来挑选它的输入上，也有同样的规律；"
            "比对照明显更强，例如同样几层换上随机权重，或同一句话打乱词序；"
            "去掉这个头，回答会变，而且比去掉别的头变得更多。"
            "即使如此，权重也未必是解释：完全不同的权重常常给出同样的回答"
            "（Jain 与 Wallace，《Attention is not Explanation》，2019）。"
        ),
    ),
}
