"""A sentence in both languages, its alignment, and the combinations that training must not see."""

from dataclasses import dataclass

from training.grammar_phrases import Han, Item
from training.grammar_words import HOME, PLACES

Combination = tuple[str, str, str]  # kind, and the two Chinese words that meet
VERB_OBJECT, SUBJECT_PLACE = "verb–object", "subject–place"


@dataclass(frozen=True)
class Pair:
    """A Chinese sentence, its English, and which Chinese words each English word renders."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    alignment: tuple[tuple[int, ...], ...]
    combinations: frozenset[Combination]

    @property
    def held_out(self) -> bool:
        """Whether the sentence holds a combination that training must not see."""
        return bool(self.combinations & HELD_OUT)

    @property
    def monotone(self) -> bool:
        """Whether the aligned English words stand in the order of their Chinese ones."""
        firsts = [min(places) for places in self.alignment if places]
        return firsts == sorted(firsts)


def pair(
    han: tuple[Han, ...],
    english: tuple[Item, ...],
    combinations: frozenset[Combination] = frozenset(),
) -> Pair:
    """The two sides as words, with the places of those that each English word renders."""
    where = {one: place for place, one in enumerate(han)}
    alignment = tuple(tuple(sorted(where[one] for one in item.of)) for item in english)
    source, target = (one.word for one in han), (item.word for item in english)
    return Pair(tuple(source), tuple(target), alignment, combinations)


def met(
    subject: tuple[str, ...], objects: tuple[tuple[str, str], ...], places: tuple[str, ...]
) -> frozenset[Combination]:
    """The combinations of a sentence: verbs with their objects, its subjects with each place."""
    verb_object = {(VERB_OBJECT, verb, one) for verb, one in objects}
    subject_place = {(SUBJECT_PLACE, one, there) for one in subject for there in places}
    return frozenset(verb_object | subject_place)


def _every_ninth(
    kind: str, rows: tuple[str, ...], columns: dict[str, tuple[str, ...]]
) -> frozenset[Combination]:
    """A slanted ninth of a table, so that each row and each column keeps most of its cells."""
    return frozenset(
        (kind, row, column)
        for i, row in enumerate(rows)
        for j, column in enumerate(columns[row])
        if (2 * i + j) % 9 == 4
    )


_BEINGS = ("小明", "小红", "安娜", "汤姆", "老师", "学生", "朋友", "妈妈", "爸爸")
_THINGS = ("米饭", "鱼", "苹果", "饺子", "茶", "咖啡", "水", "牛奶", "书", "手机")
_LOVED = (*_BEINGS, *_THINGS, "中文", "英语", "法语", "北京", "上海", "中国", "美国")
_OBJECTS = {
    "爱": _LOVED,
    "喜欢": _LOVED,
    "认识": _BEINGS,
    "帮助": _BEINGS,
    "等": _BEINGS,
    "买": _THINGS,
    "要": _THINGS,
}
_SUBJECTS = ("我", "你", "他", "她", "我们", "他们", *_BEINGS)
_PLACES = tuple(one.han for one in (*PLACES, HOME))
HELD_OUT = _every_ninth(VERB_OBJECT, tuple(_OBJECTS), _OBJECTS) | _every_ninth(
    SUBJECT_PLACE, _SUBJECTS, dict.fromkeys(_SUBJECTS, _PLACES)
)
