"""Record all readings of a robot, and replay them (mdle.md §6.2, U22).

A run depends only on the readings of its robot and on its arguments. So the same program
on a recording does the same in every tick, and its events are the same to the byte (AC-28).
"""

from collections.abc import Sequence
from typing import NamedTuple

from walking_robots.mdle.robot import Observation, RobotSpec, StopMode, VirtualRobot


class RecordedReading(NamedTuple):
    """The reading of a robot at ``now``, ns, and whether it rested then."""

    now: int
    observation: Observation
    rests: bool


class RecordingError(ValueError):
    """What runs on a recording does not do what was recorded: it goes on, or at other times."""


class Recorder:
    """A robot whose readings are kept; ``readings`` are all of them, oldest first.

    It says whether the robot rests as it was at the last reading: this is what is recorded.
    """

    def __init__(self, robot: VirtualRobot) -> None:
        """Take the robot to listen to."""
        self._robot = robot
        self.readings: list[RecordedReading] = []

    @property
    def spec(self) -> RobotSpec:
        """Return what the robot offers."""
        return self._robot.spec

    def read(self, now: int) -> Observation:
        """Read the robot, and keep the reading."""
        observation = self._robot.read(now)
        self.readings.append(RecordedReading(now, observation, self._robot.stopped()))
        return observation

    def apply(self, space: str, control: tuple[float, ...], valid_for: float) -> None:
        """Hand a control on."""
        self._robot.apply(space, control, valid_for)

    def stop(self, mode: StopMode = 'brake') -> None:
        """Stop the robot."""
        self._robot.stop(mode)

    def stopped(self) -> bool:
        """Return whether the robot rested at the last reading."""
        return bool(self.readings) and self.readings[-1].rests


class Replayed:
    """A robot that is no more than a recording: it replays readings, and moves nothing."""

    def __init__(self, spec: RobotSpec, readings: Sequence[RecordedReading]) -> None:
        """Take what the recorded robot offered, and its readings."""
        self._spec = spec
        self._readings = readings
        self._next = 0

    @property
    def spec(self) -> RobotSpec:
        """Return what the recorded robot offered."""
        return self._spec

    @property
    def next(self) -> int | None:
        """Return the time of the next reading, ns; None where the recording is over."""
        over = self._next >= len(self._readings)
        return None if over else self._readings[self._next].now

    def read(self, now: int) -> Observation:
        """Return the next reading.

        Raises RecordingError where there is none, or where it was taken at another time.
        """
        if self.next is None:
            raise RecordingError(f'the recording is over after {len(self._readings)} readings')
        if self.next != now:
            raise RecordingError(
                f'the recording was read at {self.next} ns, not at {now} ns; '
                'replay it with the period of its ticks'
            )
        self._next += 1
        return self._readings[self._next - 1].observation

    def apply(self, space: str, control: tuple[float, ...], valid_for: float) -> None:
        """Move nothing."""

    def stop(self, mode: StopMode = 'brake') -> None:
        """Stop nothing."""

    def stopped(self) -> bool:
        """Return whether the recorded robot rested at this reading."""
        return self._next > 0 and self._readings[self._next - 1].rests
