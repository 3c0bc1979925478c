"""The requests of a class: ``classroom/…`` of the app, beside Streamlit's own routes.

POST classroom/start, classroom/join and classroom/CODE take and give JSON; a refused one says why
under ``error``. GET classroom/CODE/events streams what a member may see, all of it at each change,
so that whoever comes back needs nothing of what they missed.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from functools import cache
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from core.limits import CLASS
from views.server import classroom
from views.server.classes.answers_csv import answers_csv
from views.server.classes.rates import Rate
from views.server.classes.room import (
    LINKED,
    TYPED,
    Refused,
    checked,
    new_code,
    new_key,
    read_code,
    seat_of,
)
from views.server.classes.store import Live, Store, store_of_environment

HEARTBEAT = 15.0  # seconds of silence after which a line keeps the connection
GATHER = {
    True: 0.1,
    False: 0.02,
}  # seconds in which changes are sent together, to teacher and student
STATUS = {
    "forbidden": 403,
    "unknown": 404,
    "too_often": 429,
    "no_room": 503,
    "away": 503,
    "full": 409,
}
EVERYONE = ""


class Classroom:
    """Answers the requests of all classes of a store."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.streams: set[asyncio.Event] = set()
        self.is_closed = False
        self.speaking = Rate(CLASS.burst, CLASS.each_second)
        self.wrong = Rate(CLASS.tries, CLASS.tries / 60)
        self.all_wrong = Rate(CLASS.all_tries, CLASS.all_tries / 60)
        self.starting = Rate(CLASS.starts, CLASS.starts / 3600)

    def routes(self, base: str) -> list[BaseRoute]:
        """The routes. base: the path below which the app is served."""
        prefix = f"/{base.strip('/')}/classroom" if base.strip("/") else "/classroom"
        return [
            Route(f"{prefix}/start", self._answered(self.start), methods=["POST"]),
            Route(f"{prefix}/join", self._answered(self.join), methods=["POST"]),
            Route(f"{prefix}/{{code}}", self._answered(self.speak), methods=["POST"]),
            Route(f"{prefix}/{{code}}/csv", self._answered(self.csv), methods=["POST"]),
            Route(f"{prefix}/{{code}}/events", self._answered(self.events), methods=["GET"]),
        ]

    def _answered(self, handle: Any) -> Any:
        async def answer(request: Request) -> Response:
            try:
                response: Response = await handle(request)
            except Refused as reason:
                error = str(reason)
                return JSONResponse({"error": error}, STATUS.get(error, 400))
            return response

        return answer

    async def start(self, request: Request) -> Response:
        """Begin a class: its code, the teacher's key and seat, the students' link, its QR code."""
        given = await _body(request)
        if not self.starting.take(_address(request)):
            raise Refused("too_often")
        key = new_key()
        while True:
            event = {"do": "start", "by": seat_of(key), "time": time.time(), "code": new_code()}
            if await self.store.start(event):
                break
        named = classroom.class_url() if classroom.is_asked_for() else None
        address = named or str(given.get("address", ""))[: CLASS.text]
        link = f"{address.rstrip('/')}/class#join={event['code']}"
        return JSONResponse(
            {
                "code": event["code"], "key": key, "seat": event["by"], "address": address,
                "link": link, "modules": classroom.modules(link),
            }
        )  # fmt: skip

    async def join(self, request: Request) -> Response:
        """Become a student of a class: key and seat; of who has joined before, the same again."""
        given = await _body(request)
        live = await self._find(read_code(str(given.get("code", ""))), request)
        key = given.get("key")
        if not isinstance(key, str) or seat_of(key) not in live.room.students:
            key = new_key()
        event = checked({"do": "join", "name": given.get("name", "")}, seat_of(key), time.time())
        await self.store.add(live, event)
        return JSONResponse({"code": live.room.code, "key": key, "seat": event["by"]})

    async def speak(self, request: Request) -> Response:
        """Take an event of the teacher or of a student, who are known by their key."""
        given = await _body(request)
        live = await self._find(request.path_params["code"], request)
        by = seat_of(str(given.get("key", "")))
        event = checked(given, by, time.time())
        if event["do"] == "join":
            raise Refused("forbidden")
        if not self.speaking.take(by):
            raise Refused("too_often")
        await self.store.add(live, event)
        return JSONResponse({})

    async def csv(self, request: Request) -> Response:
        """All answers, for the teacher."""
        given = await _body(request)
        live = await self._find(request.path_params["code"], request)
        if seat_of(str(given.get("key", ""))) != live.room.teacher:
            raise Refused("forbidden")
        return Response(answers_csv(live.room), media_type="text/csv; charset=utf-8")

    async def events(self, request: Request) -> Response:
        """Server-sent events of a class for one seat."""
        live = await self._find(request.path_params["code"], request)
        seat = request.query_params.get("seat", "")
        if seat != live.room.teacher and seat not in live.room.students:
            raise Refused("forbidden")
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        stream = self._stream(live, seat)
        return StreamingResponse(stream, media_type="text/event-stream", headers=headers)

    async def _stream(self, live: Live, seat: str) -> AsyncIterator[str]:
        room, woken = live.room, asyncio.Event()
        is_teacher = seat == room.teacher
        live.listeners[woken] = seat
        self.streams.add(woken)
        shown = ""
        try:
            while True:
                mine = room.for_teacher() if is_teacher else room.for_student(seat)
                view = json.dumps(room.for_all() | {"me": mine}, separators=(",", ":"))
                yield ":\n\n" if view == shown else f"data: {view}\n\n"
                shown = view
                if room.is_over(time.time()) or self.is_closed:
                    return
                try:
                    async with asyncio.timeout(HEARTBEAT):
                        await woken.wait()
                except TimeoutError:
                    continue
                await asyncio.sleep(GATHER[is_teacher])
                woken.clear()
        finally:
            del live.listeners[woken]
            self.streams.remove(woken)

    def close(self) -> None:
        """End all streams: a server that stops waits for its open connections."""
        self.is_closed = True
        for woken in self.streams:
            woken.set()

    async def _find(self, code: str, request: Request) -> Live:
        """The class of a code. Raises Refused, also for a right one after many wrong ones."""
        address = _address(request)
        if self.wrong.left_for(address) < 1 or self.all_wrong.left_for(EVERYONE) < 1:
            raise Refused("too_often")
        live = await self.store.find(code[:TYPED]) if len(code) in (TYPED, LINKED) else None
        if live is None or not live.room.code.startswith(code):
            self.wrong.take(address)
            self.all_wrong.take(EVERYONE)
            raise Refused("unknown")
        return live


@cache
def classes() -> Classroom:
    """The classes of this process."""
    return Classroom(store_of_environment())


async def _body(request: Request) -> dict[str, Any]:
    """The JSON object of a request. Raises Refused for one that is too long or something else."""
    text = b""
    async for part in request.stream():
        text += part
        if len(text) > CLASS.body:
            raise Refused("malformed")
    try:
        given = json.loads(text)
    except ValueError:
        raise Refused("malformed") from None
    if not isinstance(given, dict):
        raise Refused("malformed")
    return given


def _address(request: Request) -> str:
    return request.client.host if request.client else EVERYONE
