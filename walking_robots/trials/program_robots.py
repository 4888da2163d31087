"""Simulated robots that run motion programs, by name: on wheels, six legs or two."""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from walking_robots.geometry.se2 import ORIGIN
from walking_robots.mdle.robot import RobotSpec
from walking_robots.simulation.planar.kinematic import KinematicRobot
from walking_robots.trials.mdle.trial import ROBOTS as ON_WHEELS
from walking_robots.trials.mdle.trial import MdleTrial

if TYPE_CHECKING:
    from walking_robots.trials.common.legged_robot import LeggedRobot

ON_LEGS: Mapping[str, str] = {
    **dict.fromkeys(('aquarobot', 'asv', 'insect18', 'rectangular'), 'hexapod'),
    **dict.fromkeys(('kwalka', 'kwalkb'), 'biped'),
}
"""Systems of robots on legs, by the name of the robot."""

ROBOTS = (*ON_WHEELS, *ON_LEGS)

_OF_WHEELS = ('world', 'object_script', 'noise', 'slip', 'latency')


def spec_of(robot: str) -> RobotSpec:
    """Return what a robot offers to programs."""
    return program_robot(MdleTrial('', robot=robot)).spec


def program_robot(trial: MdleTrial) -> 'KinematicRobot | LeggedRobot':
    """Put the robot of a trial where it begins.

    Raises ValueError, one sentence, for a robot that is not there or that does not take a setting.
    """
    if trial.robot not in ON_LEGS:
        return trial.build_robot()
    defaults = MdleTrial('')
    given = [name for name in _OF_WHEELS if getattr(trial, name) != getattr(defaults, name)]
    if given:
        options = ', '.join(f'--{name.replace("_", "-")}' for name in given)
        raise ValueError(f'{options}: has no effect on {trial.robot}; leave it out')
    # A trial imports only what its robot needs.
    system = import_module(f'walking_robots.trials.{ON_LEGS[trial.robot]}.program_robot')
    robot: LeggedRobot = system.program_robot(trial.robot, trial.start or ORIGIN)
    return robot
