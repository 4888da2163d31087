"""A simulated planar biped that walks as motion programs say."""

from walking_robots.body.motion import Command
from walking_robots.gaits.biped.parameter_files import shipped_sets
from walking_robots.gaits.biped.record import REST_TIME
from walking_robots.geometry.se2 import Pose2
from walking_robots.robots.kwalk import KWALKS
from walking_robots.simulation.biped.state import BipedState
from walking_robots.trials.biped.trial import BipedLoop, BipedTrial, lies
from walking_robots.trials.common.legged_robot import LeggedRobot, Stride
from walking_robots.virtual_robots.legged import biped_spec


class BipedWalk:
    """A biped on level ground, its pitch and foot switches."""

    def __init__(self, letter: str) -> None:
        """Set the robot up by its shipped parameters for level ground."""
        robot = KWALKS[letter]
        _, parameters = shipped_sets().find(letter, 'tuned', 'level')
        trial = BipedTrial(robot, parameters)
        self._loop = BipedLoop(trial)
        self.dt = trial.control_step
        self.start = _stride(self._loop.simulation.state, False)
        self.spec = biped_spec(robot.name, parameters.speed, stop_time=REST_TIME)

    def walk(self, command: Command) -> Stride:
        """Walk a tick of the controller."""
        tick = self._loop.tick(command[0])
        return _stride(self._loop.simulation.state, lies(tick))


def _stride(state: BipedState, lies: bool) -> Stride:
    feet = tuple(float(foot) for foot in state.contacts)
    felt = {'imu.roll': 0.0, 'imu.pitch': state.pitch, 'foot_contact': feet, 'fallen': lies}
    return Stride(Pose2(state.x), felt)


def program_robot(robot: str, start: Pose2) -> LeggedRobot:
    """Stand a biped, 'kwalka' or 'kwalkb', somewhere, ready for programs."""
    walk = BipedWalk(robot.removeprefix('kwalk'))
    return LeggedRobot(walk.spec, walk, start)
