"""What a robot program gets: outcomes, commands to await, designators and odometers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from walking_robots.ars_magna.agent.futures import Future, errors_of, raise_first
from walking_robots.ars_magna.agent.messages import DesignatorReport
from walking_robots.ars_magna.agent.port import Port
from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.geometry.interval import Box, Interval

Continuation = Callable[..., None]


@dataclass(frozen=True)
class Latest:
    """An argument of a command whose value is read when the command is issued, as of a fluent."""

    read: Callable[[], Any]


class Outcome(NamedTuple):
    """How a command ended: the code, and what it gives, None each where it failed."""

    code: str
    values: tuple[Any, ...]

    @property
    def ok(self) -> bool:
        """Return whether it succeeded."""
        return self.code == Code.NIL

    @property
    def value(self) -> Any:
        """Return the first of the values."""
        return self.values[0] if self.values else None


class Command(Future[Outcome]):
    """A command under way; awaited, it gives its outcome."""

    __slots__ = ('_started',)

    def __init__(self, part: Any, continuation: Continuation | None) -> None:
        """Take a continuation to call: a continuation gets the code, the part and the values."""
        super().__init__()
        self._started: Future[bool] | None = None
        if continuation is not None:
            then = continuation
            self.when_done(lambda: then(self.result().code, part, *self.result().values))

    @property
    def started(self) -> Future[bool]:
        """Return whether a lasting command has started, as soon as that is known."""
        if self._started is None:
            self._started = Future()
            if self.done:
                self._started.resolve(False)
        return self._started

    def end(self, outcome: Outcome) -> None:
        """Give its outcome; what waits for its start, which has not come, goes on too."""
        if self._started is None:
            self.resolve(outcome)
        else:
            errors = errors_of([self.resolve], outcome)
            raise_first([*errors, *errors_of([self._started.resolve], False)])


class Designator:
    """A thing or place as the robot perceives it; its true meaning is hidden.

    number: its name in messages; type: local or non-local; angle: estimated direction relative to
    the heading, rad, clockwise; data: estimated attributes, or the type of a place.
    """

    __slots__ = ('__weakref__', '_last', '_port', 'number')

    def __init__(self, port: Port, sighting: DesignatorReport) -> None:
        """Take what was first seen."""
        self._port, self._last = port, sighting
        self.number = sighting.number

    def __repr__(self) -> str:
        """Write what is known."""
        return f'Designator({self.number}, {self.type}, {self.angle:.2f}, {self.data})'

    @property
    def valid(self) -> bool:
        """Return whether it can still be used."""
        return self._port.sighting(self.number) is not None

    @property
    def type(self) -> str:
        """Say whether it can be manipulated (local) or only approached (non-local)."""
        return self._seen().type

    @property
    def angle(self) -> float:
        """Return the estimated direction."""
        return self._seen().angle

    @property
    def data(self) -> Any:
        """Return the estimated attributes by name, or the type of a place."""
        return self._seen().data

    def is_of(self, port: Port) -> bool:
        """Return whether it is of the robot behind a port."""
        return self._port is port

    def _seen(self) -> DesignatorReport:
        """Return what is known; of one that is lost, what was known last."""
        self._last = self._port.sighting(self.number) or self._last
        return self._last


class Odometer:
    """Estimates the motion since its last reset, by intervals that hold the truth."""

    def __init__(self, port: Port, name: str, generation: int) -> None:
        """Take a name; one of the same name made later takes the place of this."""
        self.name, self._port, self._generation = name, port, generation

    def position(self) -> Box:
        """Return the displacement, cells, in axes whose x is the heading at the reset."""
        return self._port.odometry(self.name, self._generation)[0]

    def angle(self) -> Interval:
        """Return the rotation, rad, clockwise."""
        return self._port.odometry(self.name, self._generation)[1]

    def reset(self) -> None:
        """Count position and angle from here."""
        self._port.reset_odometer(self.name, self._generation, True, True)

    def reset_position(self) -> None:
        """Count the position from here."""
        self._port.reset_odometer(self.name, self._generation, True, False)

    def reset_angle(self) -> None:
        """Count the angle from here."""
        self._port.reset_odometer(self.name, self._generation, False, True)
