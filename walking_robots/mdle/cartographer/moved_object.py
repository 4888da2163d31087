"""Find out by sonar alone that something moved, and where it stood (mdle.md §9).

The robot has to stand. It learns what each beam hears, and then searches for an echo that has gone
from one place and one that has come to another, both in reading after reading: what only comes or
only goes may be a wall that answers badly. A wide beam gives a bearing to half its width only, so
that a small move within one beam goes unnoticed.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from walking_robots.geometry.se2 import Pose2, wrap
from walking_robots.mdle.cartographer.beam_background import BeamBackground
from walking_robots.mdle.robot import OutputSpec, Value

SECOND = 1_000_000_000
STANDS_WITHIN = 0.03
"""Way, m, and turn, rad, from where the robot came to rest, beyond which it drives again."""
TURNING = 0.02
"""Rate, rad/s, from which a robot turns."""
PATIENCE = 10 * SECOND
"""Time, ns, after which a change without its counterpart becomes background."""
ALIKE = 0.35
"""Difference, m, of two ranges in neighbouring beams that may be of one thing."""
CENTRE = 0.1
"""Difference, m, of ranges, by which a beam counts 1/e less for the bearing of a thing."""
STAYS = 4
"""Readings in a row that make a thing of what came without anything that went."""
LEAST_SHIFT = 0.2
"""Distance, m, from which a move is reported."""

Point = tuple[float, float]


OBJECT_OUTPUTS: Mapping[str, OutputSpec] = {
    'object.valid': OutputSpec('bool', stale=2.0, safety=False),
    'object.shift': OutputSpec('m', low=0.0, stale=2.0, safety=False),
    'object.previous': OutputSpec('point', stale=2.0, safety=False),
    'object.position': OutputSpec('point', stale=2.0, safety=False),
}
"""What any robot says of them; a slower detector gives its own period."""


class ObjectNews(NamedTuple):
    """What is known of a thing that moved; points in the frame of the robot's pose, m.

    valid: whether something has moved; shift: how far it is from ``previous``, the place that it
    left, for as long as that is news; position: where it is now.
    """

    valid: bool
    shift: float
    previous: Point
    position: Point

    def values(self) -> dict[str, Value]:
        """Return the values of the channels."""
        return {f'object.{name}': value for name, value in self._asdict().items()}


def nothing_moved(pose: Pose2) -> ObjectNews:
    """Return what is known while nothing has moved: the robot's own place (mdle.md §3.1)."""
    here = (pose.x, pose.y)
    return ObjectNews(False, 0.0, here, here)


class Beam(NamedTuple):
    """A reading of a sensor: its bearing, rad, a range, m, and whether it was fired just now.

    range: infinite for no echo, minus infinity for too near, NaN where the sensor is not used;
    fresh: it was fired since the last step, and after the robot came to rest. Who cannot know
    may call all of them fresh once a round, a round after the robot came to rest.
    """

    bearing: float
    range: float
    fresh: bool


class _Echo(NamedTuple):
    beam: int
    range: float


class MovedObject:
    """Takes in beams, step by step, and reports something that moved while the robot stood.

    A report stays until the robot sets off.
    """

    def __init__(
        self, *, ring_radius: float = 0.2, object_radius: float = 0.25, far: float = 6.477
    ) -> None:
        """Begin without a background.

        ring_radius: of the sensors about the robot's middle, m; object_radius: of what is
        expected, m; far: what a range is where nothing is heard, m.
        """
        self._ring, self._radius, self._far = ring_radius, object_radius, far
        self._anchor: Pose2 | None = None
        self._beams: list[BeamBackground] = []
        self._bearings: tuple[float, ...] = ()
        self._news: ObjectNews | None = None

    def step(self, now: int, pose: Pose2, turning: float, beams: Sequence[Beam]) -> ObjectNews:
        """Take in the beams, in the order of their bearings; return what moved.

        now: ns; pose: by odometry; turning: rad/s.
        """
        if self._drives(pose, turning) or len(beams) != len(self._beams):
            self._anchor = None if abs(turning) > TURNING else pose
            self._beams = [BeamBackground() for _ in beams]
            self._bearings = tuple(beam.bearing for beam in beams)
            self._news = None
        if self._anchor is None:
            return nothing_moved(pose)
        for background, beam in zip(self._beams, beams, strict=True):
            if beam.fresh and not math.isnan(beam.range):
                background.hear(min(max(beam.range, 0.0), self._far), now)
        if any(beam.fresh for beam in beams):
            self._look(now)
        return self._news or nothing_moved(pose)

    def _drives(self, pose: Pose2, turning: float) -> bool:
        if self._anchor is None or abs(turning) > TURNING:
            return True
        turned = abs(wrap(pose.heading - self._anchor.heading))
        return pose.distance(self._anchor) > STANDS_WITHIN or turned > STANDS_WITHIN

    def _look(self, now: int) -> None:
        gone = self._largest(
            _Echo(index, beam.usual)
            for index, beam in enumerate(self._beams)
            if beam.change == 'farther' and beam.usual is not None
        )
        come = self._largest(
            _Echo(index, beam.last)
            for index, beam in enumerate(self._beams)
            if beam.change == 'nearer'
        )
        if self._news is not None:
            if come:
                self._report(self._news.previous, self._place(come))
            return
        if not gone:
            # Walls that answer now and then come, too, but do not stay.
            come = [echo for echo in come if self._beams[echo.beam].lasts >= STAYS]
        # A thing between two beams is heard by both: one of them may not change at all.
        both = self._beside(gone or come)
        since = max((self._beams[echo.beam].since for echo in gone or come), default=0)
        still = [echo for echo in both if self._beams[echo.beam].confirmed > since]
        before = [*gone, *both] if gone else still
        after = (come or still) if gone else [*come, *still]
        if before and after:
            left, there = self._place(before), self._place(after)
            if math.dist(left, there) >= LEAST_SHIFT:
                self._report(left, there)
                return
        self._give_up(now)

    def _report(self, before: Point, after: Point) -> None:
        self._news = ObjectNews(True, math.dist(before, after), before, after)

    def _give_up(self, now: int) -> None:
        for index, beam in enumerate(self._beams):
            if beam.change and now - beam.since > PATIENCE:
                self._beams[index] = BeamBackground()

    def _largest(self, echoes: Iterable[_Echo]) -> list[_Echo]:
        """Return the echoes of one thing, the one that most beams hear, or that is nearest."""
        groups: list[list[_Echo]] = []
        for echo in echoes:
            of_it = [group for group in groups if any(self._are_one(echo, e) for e in group)]
            groups = [group for group in groups if group not in of_it]
            groups.append([echo, *(other for group in of_it for other in group)])
        return max(
            groups, key=lambda group: (len(group), -min(e.range for e in group)), default=[]
        )

    def _are_one(self, a: _Echo, b: _Echo) -> bool:
        apart = (a.beam - b.beam) % len(self._beams)
        return apart in (1, len(self._beams) - 1) and abs(a.range - b.range) <= ALIKE

    def _beside(self, gone: Sequence[_Echo]) -> list[_Echo]:
        """Return unchanged echoes beside some that have gone, which may be of the same thing."""
        return [
            echo
            for index, beam in enumerate(self._beams)
            if beam.usual is not None and not beam.change
            for echo in (_Echo(index, beam.usual),)
            if any(self._are_one(echo, other) for other in gone)
        ]

    def _place(self, echoes: Sequence[_Echo]) -> Point:
        """Return where a thing is whose echoes these are; beams that hear it nearer look at it."""
        assert self._anchor is not None
        nearest = min(echo.range for echo in echoes)
        x = y = 0.0
        for echo in echoes:
            weight = math.exp((nearest - echo.range) / CENTRE)
            x += weight * math.cos(self._bearings[echo.beam])
            y += weight * math.sin(self._bearings[echo.beam])
        bearing = self._anchor.heading + math.atan2(y, x)
        away = self._ring + nearest + self._radius
        return (
            self._anchor.x + away * math.cos(bearing),
            self._anchor.y + away * math.sin(bearing),
        )
