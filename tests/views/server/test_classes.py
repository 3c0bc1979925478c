"""What the server takes from a teacher and students, what it shows them, what it refuses."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from event_loop import run
from starlette.applications import Starlette
from starlette.types import Message

from core.limits import CLASS
from views.server.classes import room as rooms
from views.server.classes import routes
from views.server.classes.room import LINKED, SIGNS, TYPED
from views.server.classes.routes import Classroom
from views.server.classes.store import Memory, Store

ADDRESS = "http://192.168.1.5:8501"


class Client:
    """Requests to a replica, as a browser sends them."""

    def __init__(self, store: Store, host: str = "10.0.0.1") -> None:
        self.classroom = Classroom(store)
        self.app = Starlette(routes=self.classroom.routes(""))
        self.host = host

    async def post(self, path: str, **given: object) -> dict[str, Any]:
        """The answer's JSON, or its text; with the status where it is no success."""
        return await self.send(path, json.dumps(given).encode())

    async def send(self, path: str, body: bytes) -> dict[str, Any]:
        parts: list[Message] = []

        async def take(message: Message) -> None:
            parts.append(message)

        async def give() -> Message:
            return {"type": "http.request", "body": body}

        await self.app(self.scope("POST", path), give, take)
        text = b"".join(part.get("body", b"") for part in parts[1:]).decode()
        found = json.loads(text) if text.startswith("{") else {"text": text}
        status = parts[0]["status"]
        return found if status == 200 else found | {"status": status}

    def scope(self, method: str, path: str, query: str = "") -> dict[str, Any]:
        return {
            "type": "http", "method": method, "path": f"/classroom/{path}", "raw_path": b"",
            "query_string": query.encode(), "headers": [], "client": (self.host, 1),
            "http_version": "1.1", "scheme": "http", "server": ("x", 80), "root_path": "",
        }  # fmt: skip

    @asynccontextmanager
    async def stream(self, who: dict[str, Any]) -> AsyncIterator["Stream"]:
        """The events of a member, until the block ends."""
        stream = Stream()
        scope = self.scope("GET", f"{who['code']}/events", f"seat={who['seat']}")
        task = asyncio.create_task(self.app(scope, stream.give, stream.take))
        try:
            yield stream
        finally:
            stream.left.set()
            await task


class Stream:
    def __init__(self) -> None:
        self.left, self.parts = asyncio.Event(), asyncio.Queue[Message]()

    async def give(self) -> Message:
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def take(self, message: Message) -> None:
        await self.parts.put(message)

    async def view(self, until: Any = lambda view: True) -> dict[str, Any]:
        """The next view for which a condition holds."""
        async with asyncio.timeout(10):
            while True:
                text = (await self.parts.get()).get("body", b"").decode()
                if text.startswith("data: ") and until(view := json.loads(text[6:])):
                    return dict(view)


async def begun(client: Client, students: int = 2) -> list[dict[str, Any]]:
    """A teacher and students of a new class."""
    teacher = await client.post("start", address=ADDRESS)
    joined = [await client.post("join", code=teacher["code"], name="") for _ in range(students)]
    return [teacher, *joined]


async def say(client: Client, who: dict[str, Any], do: str, **given: object) -> dict[str, Any]:
    return await client.post(who["code"], key=who["key"], do=do, **given)


@pytest.fixture
def memory() -> Client:
    return Client(Memory())


def test_a_lesson_from_the_code_to_the_answers_of_two_rounds(memory: Client) -> None:
    async def lesson() -> None:
        teacher = await memory.post("start", address=ADDRESS)
        code = teacher["code"]
        assert teacher["link"] == f"{ADDRESS}/class#join={code}"
        assert len(code) == LINKED and len(SIGNS) ** LINKED >= 2**40
        typed = f"{code[:3].lower()} {code[3:TYPED].lower()}"
        ann = await memory.post("join", code=typed, name="  <b>小 安</b> \u202e\n" + "x" * 90)
        ben = await memory.post("join", code=code, name="")
        async with memory.stream(teacher) as desk, memory.stream(ben) as phone:
            await say(
                memory, teacher, "place", place={"page": "sentence", "query": "row=2&lang=zh"}
            )
            at = (await phone.view(lambda view: view["place"]))["place"]
            assert at == {
                "page": "sentence",
                "query": "row=2&lang=zh",
                "hide": False,
                "blank": False,
            }
            ask = {
                "form": "pick",
                "asks": "row",
                "about": ["weights", "我"],
                "options": ["我", "爱"],
            }
            await say(memory, teacher, "ask", ask=ask)
            asked = (await phone.view(lambda view: view["question"]))["question"]
            assert asked["ask"] == ask | {"text": ""}
            for number, of_round, answer in ((1, 1, "1"), (1, 1, "0"), (1, 2, "1"), (7, 1, "1")):
                await say(memory, ann, "answer", question=number, round=of_round, answer=answer)
            me = (await desk.view(lambda view: any(view["me"]["rounds"])))["me"]
            assert me["rounds"] == [{ann["seat"]: "0"}]  # counted once; of no other round
            assert [one["name"] for one in me["students"]] == ["<b>小 安</b> " + "x" * 13, ""]
            await say(memory, teacher, "reveal", right="1")
            shown = await phone.view(lambda view: view["question"]["right"])
            assert (shown["question"]["right"], shown["me"]["answers"]) == ("1", [""])
            await say(memory, ben, "answer", question=1, round=1, answer="1")  # late
            await say(memory, teacher, "again")
            await say(memory, ben, "answer", question=1, round=2, answer="1")
            both = [{ann["seat"]: "0"}, {ben["seat"]: "1"}]
            await desk.view(lambda view: view["me"]["rounds"] == both)
            again = await memory.post("join", code=code, name="Ben", key=ben["key"])
            assert again["seat"] == ben["seat"]  # a phone that was asleep is the same student
            text = (await memory.post(f"{code}/csv", key=teacher["key"]))["text"]
            lines = text.removeprefix("\ufeff").splitlines()
            assert lines[0] == "nickname,question,answer,time"
            assert [line.split(",")[:3] for line in lines[1:]] == [
                ["<b>小 安</b> " + "x" * 13, "1.1 row weights 我", "我"],
                ["Ben", "1.2 row weights 我", "爱"],
            ]  # fmt: skip
            await say(memory, teacher, "close")
            put_away = await phone.view(lambda view: not view["question"])
            assert put_away["asked"] == 1
            await say(memory, ann, "answer", question=1, round=2, answer="0")
            assert len((await memory.post(f"{code}/csv", key=teacher["key"]))["text"]) == len(text)
            await say(memory, teacher, "end")
            assert (await phone.view(lambda view: view["ended"]))["ended"]
        assert (await memory.post("join", code=code))["error"] == "unknown"
        assert not isinstance(memory.classroom.store, Memory) or not memory.classroom.store.lives

    run(lesson())


def test_what_a_class_refuses_and_why(memory: Client) -> None:
    async def lesson() -> None:
        teacher, ann = await begun(memory, 1)
        for do in ("place", "ask", "reveal", "again", "pause", "end", "close", "start"):
            given = {"place": {"page": ""}, "ask": {"form": "number"}, "right": "1"}
            error = (await say(memory, ann, do, **given))["error"]
            assert error == ("malformed" if do == "start" else "forbidden"), do
        stranger = ann | {"key": "x"}
        assert (await say(memory, stranger, "lost", lost=True))["error"] == "forbidden"
        assert (await memory.post(f"{ann['code']}/csv", key=ann["key"]))["error"] == "forbidden"
        for given in (
            {"do": "ask", "ask": {"form": "script"}},
            {"do": "ask", "ask": {"form": "pick", "options": ["x" * 999]}},
            {"do": "ask", "ask": {"form": "pick", "options": ["x"] * 99}},
            {"do": "ask", "ask": {"form": "pick", "languages": {"xx": {}}}},
            {"do": "ask", "ask": {"form": "pick", "languages": {"zh": {"options": [1]}}}},
            {"do": "place", "place": {"page": "//evil.example", "query": ""}},
            {"do": "reveal", "right": ["x"]},
            {"do": "answer", "question": "1", "round": 1, "answer": "1"},
        ):
            found = await memory.post(teacher["code"], key=teacher["key"], **given)
            assert found == {"error": "malformed", "status": 400}, given
        for body in (b"[]", b"{", b'{"do": "' + b"x" * CLASS.body + b'"}'):
            assert (await memory.send(teacher["code"], body))["error"] == "malformed"
        for number in range(CLASS.burst + 1):
            error = (await say(memory, ann, "lost", lost=bool(number % 2))).get("error")
        assert error == "too_often"

    run(lesson())


def test_codes_cannot_be_tried_out_and_classes_are_bounded(
    memory: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = replace(CLASS, tries=3, students=1, classes=2, questions=1, bytes=2_000)
    for module in (rooms, routes):
        monkeypatch.setattr(module, "CLASS", small)
    monkeypatch.setattr("views.server.classes.store.CLASS", small)

    async def lesson() -> None:
        client = Client(Memory())
        teacher = await client.post("start", address=ADDRESS)
        other = teacher["code"][:-1] + ("A" if teacher["code"][-1] != "A" else "B")
        for code in (other, teacher["code"][:5], "AAAAAA"):
            assert (await client.post("join", code=code))["error"] == "unknown"
        assert (await client.post("join", code=teacher["code"]))["error"] == "too_often"
        client.app = Starlette(routes=Classroom(client.classroom.store).routes(""))
        assert "key" in await client.post("join", code=teacher["code"])
        assert (await client.post("join", code=teacher["code"]))["error"] == "full"
        for _ in range(2):
            found = await say(client, teacher, "ask", ask={"form": "number"})
        assert found["error"] == "full"
        for _ in range(20):
            found = await say(client, teacher, "place", place={"page": "", "query": "x" * 200})
        assert found["error"] == "full"
        assert "code" in await client.post("start", address=ADDRESS)
        assert (await client.post("start", address=ADDRESS))["error"] == "no_room"
        later = time.time() + CLASS.hours * 3600 + 1
        monkeypatch.setattr(time, "time", lambda: later)
        assert "code" in await client.post("start", address=ADDRESS)  # the others are over
        assert (await client.post("join", code=teacher["code"]))["error"] == "unknown"

    run(lesson())


def test_a_cell_of_the_csv_is_never_a_formula_and_a_number_stays_one() -> None:
    from views.server.classes.answers_csv import as_text

    for text in ("=1+1", "+x", "-cmd|' /C calc'!A0", "@x", "\tx"):
        assert as_text(text) == f"'{text}"
    for text in ("-0.5", "+1", "0.41", "Ann", "−2", "1/3"):
        assert as_text(text) == text
