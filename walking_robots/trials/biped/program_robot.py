"""A simulated biped that walks as motion programs say."""

from walking_robots.body.motion import Command
from walking_robots.gaits.biped.parameter_files import shipped_sets, spatial_set
from walking_robots.gaits.biped.record import FASTEST_TURN, STILL_TIME
from walking_robots.geometry.se2 import Pose2
from walking_robots.robots.kwalk import KWALKS
from walking_robots.robots.kwalk_spatial import SPATIAL_KWALKS
from walking_robots.simulation.biped.spatial_state import SpatialState
from walking_robots.simulation.biped.state import BipedState
from walking_robots.trials.biped.spatial_trial import SpatialLoop, SpatialTrial, tumbled
from walking_robots.trials.biped.trial import BipedLoop, BipedTrial, lies
from walking_robots.trials.common.legged_robot import LeggedRobot, Stride
from walking_robots.virtual_robots.legged import MeanOverSteps, biped_spec


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
        self.spec = biped_spec(robot.name, parameters.speed, stop_time=STILL_TIME)

    def walk(self, command: Command) -> Stride:
        """Walk a tick of the controller."""
        tick = self._loop.tick(command[0])
        return _stride(self._loop.simulation.state, lies(tick))


def _stride(state: BipedState, lies: bool) -> Stride:
    return Stride(Pose2(state.x), _felt(0.0, state.pitch, state, lies))


class SpatialBipedWalk:
    """A biped in space on level ground, its attitude and foot switches.

    Its place is without the sway of each step: the mean over two steps.
    """

    def __init__(self, letter: str) -> None:
        """Set the robot up by its shipped parameters for level ground."""
        robot = SPATIAL_KWALKS[letter]
        parameters = spatial_set(shipped_sets(), letter, 'tuned', 'level')
        trial = SpatialTrial(robot, parameters)
        self._loop = SpatialLoop(trial)
        self.dt = trial.control_step
        self._places = MeanOverSteps()
        self.start = Stride(Pose2(0.0), _felt(0.0, 0.0, self._loop.simulation.state, False))
        self.spec = biped_spec(
            robot.name, parameters.speed, turn=FASTEST_TURN, stop_time=STILL_TIME
        )

    def walk(self, command: Command) -> Stride:
        """Walk a tick of the controller."""
        tick = self._loop.tick(command[0], command[2])
        x, y, _ = tick.state.place
        felt = _felt(tick.roll, tick.pitch, tick.state, tumbled(tick))
        x, y = self._places.add(tick.state.time, (x, y))
        return Stride(Pose2(x, y, tick.heading), felt)


def _felt(
    roll: float, pitch: float, state: BipedState | SpatialState, lies: bool
) -> dict[str, object]:
    feet = tuple(float(foot) for foot in state.contacts)
    return {'imu.roll': roll, 'imu.pitch': pitch, 'foot_contact': feet, 'fallen': lies}


def program_robot(robot: str, start: Pose2) -> LeggedRobot:
    """Stand a biped, such as 'kwalka' or 'kwalkb3d', somewhere, ready for programs."""
    letter = robot.removeprefix('kwalk')
    if letter in SPATIAL_KWALKS:
        in_space = SpatialBipedWalk(letter)
        return LeggedRobot(in_space.spec, in_space, start)
    walk = BipedWalk(letter)
    return LeggedRobot(walk.spec, walk, start)
