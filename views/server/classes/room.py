"""One class as the sum of its events, each a JSON object.

Whoever applies the same events in the same order has the same class: with one process its memory,
with replicas each of them (``store.py``). What an event may say is checked once, in ``checked``,
before it is applied; ``Room.apply`` decides what still counts: an answer that comes late, say.
"""

import hashlib
import json
import secrets
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.limits import CLASS
from views.text.load import CODES

SIGNS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # without 0, 1, I and O; five bits each
TYPED, LINKED = 6, 10  # signs of a code that is typed, and of one in a link: 50 bits
Event = dict[str, Any]
FORMS = ("number", "pick", "shares")
TEACHERS = ("place", "ask", "close", "reveal", "again", "pause", "end")
STUDENTS = ("join", "answer", "lost", "own", "at")


class Refused(ValueError):
    """A request that a class does not take; the message is the name of the reason."""


def new_code() -> str:
    """A random code for a link; its first ``TYPED`` signs are the one to type."""
    return "".join(secrets.choice(SIGNS) for _ in range(LINKED))


def new_key() -> str:
    """A key by which a browser speaks to a class: 128 bits."""
    return secrets.token_urlsafe(16)


def seat_of(key: str) -> str:
    """Who holds a key, in public: a hash from which the key does not follow."""
    return hashlib.sha256(key.encode()).hexdigest()[:24]


def read_code(text: str) -> str:
    """A code as somebody types it: in small letters, with spaces or dashes."""
    return "".join(sign for sign in text.upper() if sign in SIGNS)[:LINKED]


@dataclass
class Student:
    """number: in the order of joining. at: the page and the step that their microscope shows."""

    number: int
    name: str
    lost: bool = False
    own: bool = False
    at: str = ""


@dataclass
class Question:
    """ask: its form, text and options. rounds: the answers of each by seat, with their times.

    right: the answer that the teacher revealed, None before. is_shown: until it is put away.
    """

    ask: dict[str, Any]
    rounds: list[dict[str, tuple[str, float]]] = field(default_factory=lambda: [{}])
    is_open: bool = True
    is_shown: bool = True
    right: Any = None


@dataclass
class Room:
    """A class. code: as in its link. teacher: the seat. began: seconds since the epoch.

    bytes: of all events so far.
    """

    code: str = ""
    teacher: str = ""
    began: float = 0.0
    place: dict[str, Any] | None = None
    paused: bool = False
    ended: bool = False
    students: dict[str, Student] = field(default_factory=dict)
    questions: list[Question] = field(default_factory=list)
    bytes: int = 0

    @property
    def question(self) -> Question | None:
        """The one that is asked, or was asked last."""
        return self.questions[-1] if self.questions else None

    def is_over(self, now: float) -> bool:
        """Whether it was ended, or has lasted as long as a class may."""
        return self.ended or now > self.began + CLASS.hours * 3600

    def refuse(self, event: Event) -> None:
        """Raise Refused, with the reason, for an event that this class does not take."""
        do, by = event["do"], event["by"]
        allowed = TEACHERS if by == self.teacher else STUDENTS if by in self.students else ("join",)
        if do not in allowed:
            raise Refused("forbidden")
        if do == "join" and by not in self.students and len(self.students) >= CLASS.students:
            raise Refused("full")
        too_many = do == "ask" and len(self.questions) >= CLASS.questions
        if (too_many or self.bytes > CLASS.bytes) and do != "end":
            raise Refused("full")

    def apply(self, event: Event) -> None:
        """Take an event, the first of which is ``start``; what no longer counts is ignored."""
        do = event["do"]
        self.bytes += len(json.dumps(event))
        if do == "start":
            self.code, self.teacher, self.began = event["code"], event["by"], event["time"]
        elif do in TEACHERS:
            self._teach(event)
        else:
            self._take_part(event)

    def _teach(self, event: Event) -> None:
        do, question = event["do"], self.question
        if do == "place":
            self.place = event["place"]
        elif do == "pause":
            self.paused = event["on"]
        elif do == "ask":
            self.questions.append(Question(event["ask"]))
        elif do == "end":
            self.ended = True
        elif question and do == "close":
            question.is_open = question.is_shown = False
        elif question and do == "reveal":
            question.is_open, question.right = False, event["right"]
        elif question and do == "again" and len(question.rounds) == 1:
            question.rounds.append({})
            question.is_open, question.right = True, None

    def _take_part(self, event: Event) -> None:
        do, by = event["do"], event["by"]
        if do == "join":
            known = self.students.get(by)
            self.students[by] = Student(
                known.number if known else len(self.students) + 1, event["name"]
            )
        elif by not in self.students:
            return
        elif do == "answer":
            now = len(self.questions), len(self.question.rounds) if self.question else 0
            if (
                self.question
                and self.question.is_open
                and (event["question"], event["round"]) == now
            ):
                self.question.rounds[-1][by] = (event["answer"], event["time"])
        else:
            setattr(self.students[by], do, event[do])

    def for_all(self) -> dict[str, Any]:
        """What every member may see: nobody's answers, nor what is right before its time."""
        question, number = self.question, len(self.questions)
        shown = (
            {
                "number": number,
                "ask": question.ask,
                "round": len(question.rounds),
                "open": question.is_open,
                "right": question.right,
            }
            if question and question.is_shown
            else None
        )
        return {
            "place": self.place, "paused": self.paused, "ended": self.ended,
            "asked": number, "question": shown,
        }  # fmt: skip

    def for_student(self, seat: str) -> dict[str, Any]:
        """What one student alone may see, beside ``for_all``."""
        student, question = self.students[seat], self.question
        answers = (
            [of_round.get(seat, ("", 0.0))[0] for of_round in question.rounds] if question else []
        )
        return {
            "name": student.name, "number": student.number, "lost": student.lost,
            "own": student.own, "answers": answers,
        }  # fmt: skip

    def for_teacher(self) -> dict[str, Any]:
        """What the teacher alone may see: code, students and their answers, round by round."""
        rounds = self.question.rounds if self.question else []
        return {
            "code": self.code,
            "students": [{"seat": seat, **vars(one)} for seat, one in self.students.items()],
            "rounds": [{seat: answer for seat, (answer, _) in one.items()} for one in rounds],
        }


def checked(given: Mapping[str, Any], by: str, time: float) -> Event:
    """An event of what a browser sent: known fields alone, of their kinds, within the limits.

    Raises Refused.
    """
    do = given.get("do")
    event: Event = {"do": do, "by": by, "time": time}
    if do == "join":
        return event | {"name": name_of(_text(given, "name", CLASS.body))}
    if do in ("lost", "own"):
        return event | {do: given.get(do) is True}
    if do == "pause":
        return event | {"on": given.get("on") is True}
    if do == "at":
        return event | {"at": _text(given, "at", CLASS.option)}
    if do == "answer":
        numbers = {name: _whole(given, name) for name in ("question", "round")}
        return event | numbers | {"answer": _text(given, "answer", CLASS.answer)}
    if do == "place":
        return event | {"place": _place(given.get("place"))}
    if do == "ask":
        return event | {"ask": _ask(given.get("ask"))}
    if do == "reveal":
        right = given.get("right")
        if not isinstance(right, str | None) or len(right or "") > CLASS.answer:
            raise Refused("malformed")
        return event | {"right": right}
    if do in ("close", "again", "end"):
        return event
    raise Refused("malformed")


def name_of(text: str) -> str:
    """A nickname in one line, without invisible signs, as long as one may be."""
    seen = (sign for sign in unicodedata.normalize("NFC", text) if not _is_hidden(sign))
    return " ".join("".join(seen).split())[: CLASS.name]


def _is_hidden(sign: str) -> bool:
    return unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Co", "Cn") and not sign.isspace()


def _text(given: Mapping[str, Any], name: str, most: int) -> str:
    text = given.get(name, "")
    if not isinstance(text, str) or len(text) > most:
        raise Refused("malformed")
    return text


def _whole(given: Mapping[str, Any], name: str) -> int:
    number = given.get(name)
    if not isinstance(number, int) or not 0 <= number <= 1000:
        raise Refused("malformed")
    return number


def _place(given: Any) -> dict[str, Any]:
    """A place: page, the query of its link, whether the result is hidden, the screen blank."""
    if not isinstance(given, Mapping):
        raise Refused("malformed")
    page, query = _text(given, "page", CLASS.option), _text(given, "query", CLASS.body)
    if page.strip("/").replace("_", "").isalpha() or not page.strip("/"):
        flags = {name: given.get(name) is True for name in ("hide", "blank")}
        return {"page": page.strip("/"), "query": query, **flags}
    raise Refused("malformed")


def _ask(given: Any) -> dict[str, Any]:
    """A question: form, text, what it is about, and the options to pick from or to share.

    languages: text and options by the language of whoever reads them, if it has several.
    """
    if not isinstance(given, Mapping) or given.get("form") not in FORMS:
        raise Refused("malformed")
    ask = {"form": given["form"], "asks": _text(given, "asks", CLASS.option), **_read(given)}
    ask["about"] = _texts(given, "about")
    languages = given.get("languages")
    if languages is None:
        return ask
    if not isinstance(languages, Mapping) or not languages.keys() <= set(CODES):
        raise Refused("malformed")
    return ask | {"languages": {code: _read(texts) for code, texts in languages.items()}}


def _read(given: Any) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise Refused("malformed")
    return {"text": _text(given, "text", CLASS.text), "options": _texts(given, "options")}


def _texts(given: Mapping[str, Any], name: str) -> list[str]:
    texts = given.get(name, [])
    if not isinstance(texts, list) or len(texts) > CLASS.options:
        raise Refused("malformed")
    return [_text({name: one}, name, CLASS.option) for one in texts]
