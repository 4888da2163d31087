"""Give the robot the controls of all leaves that drive."""

from walking_robots.mdle.execution.core import Core, Drives
from walking_robots.mdle.execution.recording import Driven
from walking_robots.mdle.execution.watch import check_driving
from walking_robots.mdle.robot import VirtualRobot

__all__ = ['Driving']


class Driving:
    """Drives one run, and counts what was driven.

    way: m, by the controls of ``body2``; effort: integral of the squared control; ticks: those in
    which the program ran.
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
            self._warn_of_limits(core, leaf, control)
            robot.apply(leaf.space.name, control, 2.0 * period)
            pose = core.values.get('pose')
            core.recording.add(Driven(core.now, leaf.space.name, control, period, pose))
            self.effort += period * sum(u * u for u in control)
            if leaf.space.name == 'body2':
                self.way += period * abs(control[0])

    def _warn_of_limits(self, core: Core, leaf: Drives, control: tuple[float, ...]) -> None:
        """Tell once of every element that the robot will do less than it is asked (W409)."""
        for channel, value in zip(leaf.space.channels, control, strict=True):
            if not channel.low <= value <= channel.high and leaf.path not in self._limited:
                self._limited.add(leaf.path)
                limits = f'{channel.low:g} .. {channel.high:g}'
                text = f'W409 {channel.name} = {value:g} is beyond {limits}'
                core.note('warning', leaf.path, text=text)
