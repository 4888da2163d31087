"""Drive the robot by the controls of all leaves, and stop it."""

from typing import Literal

from walking_robots.mdle.robot import VirtualRobot
from walking_robots.mdle.runtime.events import RunError
from walking_robots.mdle.runtime.leaves import Leaf
from walking_robots.mdle.runtime.recording import Driven
from walking_robots.mdle.runtime.run_context import RunContext
from walking_robots.mdle.runtime.unwinding import Unwinding

CALM_TICKS = 3
"""Ticks at rest in a row that confirm a stop (mdle.md §4.6.4)."""


class Driving:
    """Drives one run, and counts what was driven.

    way: m, by the controls of ``body2``; effort: integral of the squared control, both within the
    limits of the robot; ticks: those in which the program ran.
    """

    def __init__(self) -> None:
        """Begin at zero."""
        self.way = self.effort = 0.0
        self.ticks = 0
        self._limited: set[str] = set()

    def drive(self, core: RunContext, robot: VirtualRobot) -> None:
        """Compute and apply the controls of this tick; where nothing drives, stop.

        Raises RunError where there is no control, or nobody knows where the robot is.
        """
        self.ticks += 1
        if not core.driving:
            robot.stop('brake')
            return
        if 'pose' in core.suspects:
            trouble = core.suspects['pose']
            text = 'is not a number' if trouble == 'nan' else trouble
            raise RunError('E804', f'pose {text}')
        period = core.settings.tick_period
        for leaf in core.driving:
            control = leaf.control(core.values, core.now)
            robot.apply(leaf.space.name, control, 2.0 * period)
            pose = core.values.get('pose')
            core.recording.add(Driven(core.now, leaf.space.name, control, period, pose))
            driven = self._within_limits(core, leaf, control)
            self.effort += period * sum(u * u for u in driven)
            if leaf.space.name == 'body2':
                self.way += period * abs(driven[0])

    def _within_limits(
        self, core: RunContext, leaf: Leaf, control: tuple[float, ...]
    ) -> tuple[float, ...]:
        """Return what the robot does of a control; warn once of an element where it is less."""
        channels = leaf.space.channels
        # W409
        driven = tuple(
            min(max(value, channel.low), channel.high)
            for channel, value in zip(channels, control, strict=True)
        )
        if driven != control and leaf.path not in self._limited:
            self._limited.add(leaf.path)
            for channel, value, kept in zip(channels, control, driven, strict=True):
                if value != kept:
                    limits = f'{channel.low:g} .. {channel.high:g}'
                    text = f'W409 {channel.name} = {value:g} is beyond {limits}'
                    core.note('warning', leaf.path, text=text)
        return driven


class Stopping:
    """Stops the robot, while what is left over runs without driving.

    waited: how long it has taken, s.
    """

    def __init__(self, core: RunContext, robot: VirtualRobot, unwinding: Unwinding | None) -> None:
        """Begin to stop; ``unwinding`` is what still runs."""
        self._core, self._robot = core, robot
        self._unwinding = unwinding
        self._asked = core.now
        self._limit = max(core.settings.stop_timeout, robot.spec.stop_time)
        self._calm = 0
        self.waited = 0.0

    def step(self) -> Literal['', 'rests', 'late']:
        """Stop in one tick; return whether the robot has been seen to rest, or it is too late."""
        core, robot = self._core, self._robot
        robot.stop('brake')
        self.waited = (core.now - self._asked) * 1e-9
        busy = self._unwind()
        self._calm = self._calm + 1 if robot.stopped() else 0
        if self._calm >= CALM_TICKS and not busy:
            return 'rests'
        if self.waited < self._limit:
            return ''
        return 'rests' if self._calm >= CALM_TICKS else 'late'

    def _unwind(self) -> bool:
        """Run cleanups that do not drive; return whether there are any left."""
        unwinding, check = self._unwinding, self.waited > 0.0
        while unwinding and unwinding.alive:
            why = self._trouble(unwinding, check)
            if not why:
                return unwinding.alive
            unwinding.skip(why)
            check = False
        return False

    def _trouble(self, unwinding: Unwinding, check: bool) -> str:
        """Return why the cleanup that runs has to be left, '' where it may go on."""
        core = self._core
        try:
            if check:
                unwinding.check(core.values, core.now)
            if any(any(leaf.control(core.values, core.now)) for leaf in core.driving):
                return 'nothing may drive after a fault or a cancel'
        except RunError as error:
            return error.text
        # What ends as soon as it is entered runs even then, so that each has its turn.
        late = self.waited >= self._limit
        return f'no time is left of {self._limit:g} s for a stop' if late else ''
