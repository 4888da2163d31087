"""A simulated hexapod that walks as motion programs say, by a periodic or the free gait."""

from dataclasses import replace

from walking_robots.body.motion import Command
from walking_robots.gaits.commands.steering import Mobility, limit
from walking_robots.gaits.free.articulated_model import find_free_gait_model
from walking_robots.gaits.free.repairs import REPAIRED
from walking_robots.gaits.periodic.patterns import PATTERNS, find_pattern
from walking_robots.gaits.periodic.plan import STEP_TIME, plan_gait
from walking_robots.gaits.periodic.record import mobility
from walking_robots.geometry.pose import roll_pitch_yaw
from walking_robots.geometry.se2 import Pose2, Screw2
from walking_robots.mdle.robot import RobotSpec
from walking_robots.robots.hexapod_files import find_hexapod
from walking_robots.simulation.hexapod.simulated import HexapodState
from walking_robots.terrain.generator import build
from walking_robots.terrain.level import LevelGround
from walking_robots.trials.common.legged_robot import LeggedRobot, Stride
from walking_robots.trials.hexapod.loop import ClosedLoop
from walking_robots.trials.hexapod.periodic import HexapodLoop
from walking_robots.virtual_robots.legged import hexapod_spec

SIDE = 1000
"""Cells along a side of level ground for the free gait, in the middle of which it starts."""


class PeriodicWalk:
    """A hexapod on level ground that walks by a periodic gait."""

    dt = STEP_TIME

    def __init__(self, robot: str, gait: str) -> None:
        """Plan the gait; raises ValueError, one sentence, when the robot cannot walk so."""
        description = find_hexapod(robot)
        plan = plan_gait(description, find_pattern(gait))
        self._loop = HexapodLoop(plan, LevelGround(), self.dt)
        self.start = _stride(self._loop.backend.state)
        self._limits = mobility(plan, self.dt).limits
        self.spec = _spec(robot, mobility(plan, self.dt))

    def walk(self, command: Command) -> Stride:
        """Walk a step."""
        return _stride(self._loop.step(Screw2(*limit(command, self._limits))).after)


class FreeWalk:
    """A hexapod that walks by the free gait, rules or planned footholds."""

    def __init__(self, robot: str, gait: str) -> None:
        """Stand on level ground; raises ValueError, one sentence, when the robot cannot."""
        model = find_free_gait_model(robot)
        terrain = build(SIDE, SIDE, model.cell)
        middle = 0.5 * SIDE * model.cell
        height = model.start_position[2]
        model = replace(model, start_position=(middle, middle, height))
        rules = 'rules' if gait == 'free' else gait
        self._loop = ClosedLoop(model, terrain, REPAIRED, gait=rules)
        self.dt = model.timing.dt
        self.start = _stride(self._loop.backend.state)
        self.spec = _spec(robot, Mobility.of(model))

    def walk(self, command: Command) -> Stride:
        """Walk a step."""
        return _stride(self._loop.step(command).after)


def program_robot(robot: str, start: Pose2, gait: str = '') -> LeggedRobot:
    """Stand a hexapod somewhere, ready for programs.

    gait: periodic, or 'free', 'planned' or 'auto'; by default the tripod, and 'free' for the ASV,
    which has no periodic gait. Raises ValueError, one sentence, when it cannot walk so.
    """
    gait = gait or ('free' if robot == 'asv' else 'tripod')
    walk = (PeriodicWalk if gait in PATTERNS else FreeWalk)(robot, gait)
    return LeggedRobot(walk.spec, walk, start)


def _spec(name: str, mobility: Mobility) -> RobotSpec:
    return hexapod_spec(
        name,
        mobility.limits,
        deceleration=mobility.deceleration,
        stop_time=mobility.rest_time,
    )


def _stride(state: HexapodState) -> Stride:
    roll, pitch, yaw = roll_pitch_yaw(state.quaternion)
    feet = tuple(float(on) for on in state.contacts)
    felt = {'imu.roll': roll, 'imu.pitch': pitch, 'foot_contact': feet}
    x, y, _ = state.position
    return Stride(Pose2(x, y, yaw), felt)
