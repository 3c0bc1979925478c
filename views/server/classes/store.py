"""Where classes live: in this process, or in Valkey or Redis, which several replicas share."""

import asyncio
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from core.limits import CLASS
from views.server.classes.room import TEACHERS, TYPED, Event, Refused, Room

if TYPE_CHECKING:
    from redis.asyncio import Redis

VARIABLE = "ATTENTION_MICROSCOPE_CLASSES"  # redis://HOST:PORT; not set: in memory
RETRY = 0.5  # seconds until a server that does not answer is asked again
APPLIED = 2.0  # seconds in which an event that was stored is read again
BLOCK = 5000  # milliseconds that a read waits for an event
LINGERS = 60  # seconds in which every replica learns that a class has ended


@dataclass(eq=False)
class Live:
    """A class that this process holds.

    listeners: one for each open stream, with the seat of its reader; set at a change of what that
    reader may see. last: the id of the last event that was applied.
    """

    room: Room = field(default_factory=Room)
    listeners: dict[asyncio.Event, str] = field(default_factory=dict)
    last: str = "0-0"
    task: asyncio.Task[None] | None = None

    def apply(self, event: Event) -> None:
        """Take an event and wake those whom it concerns: all, or a student and the teacher."""
        self.room.apply(event)
        self.wake(None if event["do"] in TEACHERS else {event["by"], self.room.teacher})

    def wake(self, seats: set[str] | None = None) -> None:
        """Have the streams of these seats look at the class again; by default all."""
        for listener, seat in self.listeners.items():
            if seats is None or seat in seats:
                listener.set()


class Store(Protocol):
    """The classes that this process can reach, by the code that is typed."""

    async def start(self, event: Event) -> bool:
        """Begin a class with its first event; False if its code is taken. Raises Refused."""

    async def find(self, code: str) -> Live | None:
        """The class of a code, unless it is over."""

    async def add(self, live: Live, event: Event) -> None:
        """Add an event to a class, which then has been applied. Raises Refused."""


class Memory:
    """Classes of one process. They end with it."""

    def __init__(self) -> None:
        self.lives: dict[str, Live] = {}

    async def start(self, event: Event) -> bool:
        """See ``Store``."""
        now, code = time.time(), event["code"][:TYPED]
        self.lives = {key: one for key, one in self.lives.items() if not one.room.is_over(now)}
        if len(self.lives) >= CLASS.classes:
            raise Refused("no_room")
        if code in self.lives:
            return False
        self.lives[code] = Live()
        self.lives[code].apply(event)
        return True

    async def find(self, code: str) -> Live | None:
        """See ``Store``."""
        live = self.lives.get(code)
        return None if live is None or live.room.is_over(time.time()) else live

    async def add(self, live: Live, event: Event) -> None:
        """See ``Store``."""
        live.room.refuse(event)
        live.apply(event)
        if live.room.ended:
            del self.lives[live.room.code[:TYPED]]


class Valkey:
    """Classes as streams of Valkey or Redis: a replica applies what any replica has added.

    A class is the stream ``class:CODE``, which expires; ``classes`` holds until when each lasts.
    """

    def __init__(self, server: "Redis") -> None:
        self.server = server
        self.lives: dict[str, Live] = {}

    async def start(self, event: Event) -> bool:
        """See ``Store``."""
        now, code = time.time(), event["code"][:TYPED]
        seconds = int(CLASS.hours * 3600)
        with _reached():
            await self.server.zremrangebyscore("classes", 0, now)
            if await self.server.zcard("classes") >= CLASS.classes:
                raise Refused("no_room")
            if not await self.server.zadd("classes", {code: now + seconds}, nx=True):
                return False
            await self.server.xadd(f"class:{code}", {"event": json.dumps(event)})
            await self.server.expire(f"class:{code}", seconds)
        return True

    async def find(self, code: str) -> Live | None:
        """See ``Store``. The first time, the class is read from its beginning."""
        if code not in self.lives:
            found = Live()
            with _reached():
                await self._read(code, found)
            if not found.room.code:
                return None
            if code not in self.lives:  # another request may have read it meanwhile
                self.lives[code] = found
                found.task = asyncio.create_task(self._follow(code, found))
        live = self.lives[code]
        return None if live.room.is_over(time.time()) else live

    async def add(self, live: Live, event: Event) -> None:
        """See ``Store``."""
        live.room.refuse(event)
        code = live.room.code[:TYPED]
        with _reached():
            added = await self.server.xadd(f"class:{code}", {"event": json.dumps(event)})
            await _until(lambda: _order(live.last) >= _order(added.decode()))
            if event["do"] == "end":
                await self.server.expire(f"class:{code}", LINGERS)
                await self.server.zrem("classes", code)

    async def _follow(self, code: str, live: Live) -> None:
        """Read a class until it is over; a server that is away is asked again."""
        while not live.room.is_over(time.time()):
            try:
                with _reached():
                    await self._read(code, live, BLOCK)
            except Refused:
                await asyncio.sleep(RETRY)
        del self.lives[code]
        live.wake()

    async def _read(self, code: str, live: Live, block: int | None = None) -> None:
        found = await self.server.xread({f"class:{code}": live.last}, block=block)
        for _, entries in found or ():
            for name, fields in entries:
                live.last = name.decode()
                live.apply(json.loads(fields[b"event"]))


@contextmanager
def _reached() -> Iterator[None]:
    """Raises Refused if the server of the classes cannot be reached."""
    from redis.exceptions import ConnectionError, TimeoutError

    try:
        yield
    except (ConnectionError, TimeoutError):
        raise Refused("away") from None


async def _until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + APPLIED
    while not condition() and time.monotonic() < end:
        await asyncio.sleep(0.005)


def _order(name: str) -> tuple[int, ...]:
    return tuple(map(int, name.split("-")))


def store_of_environment() -> Store:
    """The store that the operator has set. Raises ModuleNotFoundError without ``redis``."""
    address = os.environ.get(VARIABLE)
    if not address:
        return Memory()
    from redis.asyncio import Redis

    return Valkey(Redis.from_url(address, socket_timeout=10, health_check_interval=30))
