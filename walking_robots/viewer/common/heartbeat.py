"""Notice that nobody is left who could stop a motion by a page."""

import asyncio
import json
import math
import time
from collections.abc import Callable
from contextlib import suppress

import msgspec
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from walking_robots.viewer.common.driving import HeldVelocities
from walking_robots.viewer.common.messages import MOST_OFTEN, PageAnswer

LIMIT = 0.5
"""Time, s, without an answer after which a page counts as gone, unless another is set."""
CHECK = 0.05
"""Time, s, between two looks at it."""
PERIOD = 0.1
"""Time, s, between two questions."""

PATH = '/heartbeat'
"""Where a page is connected for its heartbeat, below the token."""


def _elapsed() -> float:
    """Return a steady time, s, that goes on while the machine sleeps."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class Heartbeat:
    """Asks all pages of a server for a sign of life, and for what the person holds there.

    A question is the time, and an answer repeats it, so that an answer that waited in a socket
    neither counts nor drives. `robot` says on the pages what is wrong with the robot's link.
    `limit` is the time, s, without an answer after which a page counts as gone.
    """

    def __init__(self, clock: Callable[[], float] = _elapsed) -> None:
        """Begin without a page, and without a robot to drive; `clock` gives s."""
        self._clock = clock
        self._alive = self._checked = -math.inf
        self.robot = ''
        self.limit = LIMIT
        self.velocities: HeldVelocities | None = None

    async def serve(self, connection: ServerConnection) -> None:
        """Ask a page until it is gone; raise MsgspecError for an answer that no page gives."""
        heard = self._clock()

        async def ask() -> None:
            with suppress(ConnectionClosed):
                while True:
                    question = {'time': self._clock(), 'robot': self.robot}
                    await connection.send(json.dumps(question))
                    await asyncio.sleep(PERIOD)
                    if self._clock() - heard > self.limit:
                        await self._act(HeldVelocities.lose, connection)

        asking = asyncio.create_task(ask())
        try:
            async for text in connection:
                await asyncio.sleep(MOST_OFTEN)
                answer, now = msgspec.json.decode(text, type=PageAnswer), self._clock()
                if answer.stop:
                    await self._act(HeldVelocities.stop)
                if 0.0 <= now - answer.time < self.limit:
                    self._alive = heard = now
                    await self._act(HeldVelocities.hold, connection, answer.drive)
        finally:
            asking.cancel()
            await self._act(HeldVelocities.leave, connection)

    async def _act(self, act: Callable[..., None], *values: object) -> None:
        """Call a method of the held velocities, which may wait for others, in a thread."""
        if self.velocities is not None:
            await asyncio.to_thread(act, self.velocities, *values)

    def is_silent(self) -> bool:
        """Return whether no page answers, or this was not called in time; for one caller.

        A process that stood still has not watched over anything.
        """
        now = self._clock()
        since, self._checked = min(self._alive, self._checked), now
        return now - since > self.limit
