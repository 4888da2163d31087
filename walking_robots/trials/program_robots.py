"""Simulated robots that run motion programs, by name: on wheels, six legs or two."""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from walking_robots.geometry.se2 import ORIGIN
from walking_robots.mdle.robot import RobotSpec
from walking_robots.simulation.planar.kinematic import KinematicRobot
from walking_robots.trials.mdle.trial import ROBOTS as ON_WHEELS
from walking_robots.trials.mdle.trial import MdleTrial
from walking_robots.worlds.files import load_world

if TYPE_CHECKING:
    from walking_robots.trials.common.legged_robot import LeggedRobot

ON_LEGS: Mapping[str, str] = {
    **dict.fromkeys(('aquarobot', 'asv', 'insect18', 'rectangular'), 'hexapod'),
    **dict.fromkeys(('kwalka', 'kwalkb', 'kwalkb3d'), 'biped'),
}
"""Systems of robots on legs, by the name of the robot."""

ROBOTS = (*ON_WHEELS, *ON_LEGS)

_OF_WHEELS = ('object_script', 'noise', 'slip', 'latency')


def spec_of(trial: MdleTrial) -> RobotSpec:
    """Return what the robot of a trial offers to programs."""
    return program_robot(MdleTrial('', robot=trial.robot, gait=trial.gait)).spec


def program_robot(trial: MdleTrial) -> 'KinematicRobot | LeggedRobot':
    """Put the robot of a trial where it begins.

    Raises ValueError, one sentence, for a robot that is not there or that does not take a setting.
    """
    system = ON_LEGS.get(trial.robot)
    unused = {None: ('gait',), 'hexapod': _OF_WHEELS, 'biped': (*_OF_WHEELS, 'gait', 'world')}
    defaults = MdleTrial('')
    given = [name for name in unused[system] if getattr(trial, name) != getattr(defaults, name)]
    if given:
        options = ', '.join(f'--{name.replace("_", "-")}' for name in given)
        raise ValueError(f'{options}: has no effect on {trial.robot}; leave it out')
    if system is None:
        return trial.build_robot()
    # A trial imports only what its robot needs.
    make = import_module(f'walking_robots.trials.{system}.program_robot').program_robot
    if system == 'biped':
        return make(trial.robot, trial.start or ORIGIN)  # type: ignore[no-any-return]
    world = load_world(trial.world) if trial.world else None
    return make(trial.robot, trial.start, trial.gait, world)  # type: ignore[no-any-return]
