"""Give the robot the controls of all leaves that drive."""

from walking_robots.mdle.robot import VirtualRobot
from walking_robots.mdle.runtime.core import Core, Drives
from walking_robots.mdle.runtime.recording import Driven
from walking_robots.mdle.runtime.watch import check_driving

__all__ = ['Driving']


class Driving:
    """Drives one run, and counts what was driven.

    way: m, by the controls of ``body2``; effort: integral of the squared control, both within the
    limits of the robot; ticks: those in which the program ran.
    """

    def __init__(self) -> None:
        """Begin at nought."""
        self.way = self.effort = 0.0
        self.ticks = 0
        self._limited: set[str] = set()

    def drive(self, core: Core, robot: VirtualRobot) -> None:
        """Compute and give the controls of this tick; where nothing drives, stop.

        Raises RunError where a control cannot be had, or nobody knows where the robot is.
        """
        self.ticks += 1
        if not core.driving:
            robot.stop('brake')
            return
        check_driving(core.suspects)
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
        self, core: Core, leaf: Drives, control: tuple[float, ...]
    ) -> tuple[float, ...]:
        """Give what the robot does of a control; tell once of an element if it is less (W409)."""
        channels = leaf.space.channels
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
