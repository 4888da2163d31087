"""A simulated hexapod that walks as motion programs say, by a periodic or the free gait."""

import math
from dataclasses import replace

from walking_robots.body.motion import Command
from walking_robots.gaits.commands.steering import limit
from walking_robots.gaits.free.articulated_model import find_free_gait_model
from walking_robots.gaits.free.repairs import REPAIRED
from walking_robots.gaits.mobility import WalkingBody, mobility_of, usual_gait
from walking_robots.gaits.periodic.patterns import PATTERNS, find_pattern
from walking_robots.gaits.periodic.plan import STEP_TIME, plan_gait
from walking_robots.geometry.pose import roll_pitch_yaw
from walking_robots.geometry.se2 import ORIGIN, Pose2, Screw2
from walking_robots.robots.hexapod_files import find_hexapod
from walking_robots.simulation.hexapod.simulated import GroundSurface, HexapodState
from walking_robots.simulation.hexapod.world_ground import ground_of
from walking_robots.terrain.generator import build
from walking_robots.terrain.level import LevelGround
from walking_robots.trials.common.legged_robot import LeggedRobot, Stride
from walking_robots.trials.hexapod.free import cleared
from walking_robots.trials.hexapod.loop import ClosedLoop
from walking_robots.trials.hexapod.periodic import HexapodLoop
from walking_robots.virtual_robots.legged import hexapod_spec
from walking_robots.worlds.world import World

SIDE = 1000
"""Cells along a side of level ground for the free gait, in the middle of which it starts."""


class PeriodicWalk:
    """A hexapod that walks by a periodic gait, on level ground or in a world."""

    dt = STEP_TIME

    def __init__(self, robot: str, gait: str, world: World | None, place: Pose2) -> None:
        """Plan the gait; raises ValueError, one sentence, when the robot cannot walk so."""
        description = find_hexapod(robot)
        plan = plan_gait(description, find_pattern(gait))
        ground: GroundSurface = (
            LevelGround() if world is None else ground_of(world, description.cell)
        )
        self._loop = HexapodLoop(plan, ground, self.dt, x=place.x, y=place.y)
        self._limits = mobility_of(robot, gait).limits
        self.start = _stride(self._loop.backend.state)
        self.body = WalkingBody.of(plan)

    def walk(self, command: Command) -> Stride:
        """Walk a step."""
        return _stride(self._loop.step(Screw2(*limit(command, self._limits))).after)


class FreeWalk:
    """A hexapod that walks by the free gait, rules or planned footholds."""

    def __init__(self, robot: str, gait: str, world: World | None, place: Pose2) -> None:
        """Stand on the ground; raises ValueError, one sentence, when the robot cannot."""
        model = find_free_gait_model(robot)
        x, y = place[:2] if world else (0.5 * SIDE * model.cell,) * 2
        model = replace(model, start_position=(x, y, model.start_position[2]))
        terrain = build(SIDE, SIDE, model.cell) if world is None else ground_of(world, model.cell)
        rules = 'rules' if gait == 'free' else gait
        self._loop = ClosedLoop(model, cleared(terrain, model, 0.0), REPAIRED, gait=rules)
        self.dt = model.timing.dt
        self.start = _stride(self._loop.backend.state)
        self.body = WalkingBody.of(model)

    def walk(self, command: Command) -> Stride:
        """Walk a step."""
        return _stride(self._loop.step(command).after)


def program_robot(
    robot: str, start: Pose2 | None, gait: str = '', world: World | None = None
) -> LeggedRobot:
    """Stand a hexapod somewhere, ready for programs.

    gait: periodic, or 'free', 'planned' or 'auto'; empty: the usual one of the robot. In a world
    it begins at its start, looking along x, steps over what is low, and is held by walls. Raises
    ValueError, one sentence, where it cannot walk so, or does not fit.
    """
    gait = gait or usual_gait(robot)
    place = start or (ORIGIN if world is None else world.start)
    if world is not None and place.heading:
        raise ValueError(
            f'{robot} begins looking along x in a world, not at {math.degrees(place.heading):g} '
            'degrees; change the start'
        )
    walk = (PeriodicWalk if gait in PATTERNS else FreeWalk)(robot, gait, world, place)
    mobility = mobility_of(robot, gait)
    spec = hexapod_spec(
        robot,
        mobility.limits,
        deceleration=mobility.deceleration,
        stop_time=mobility.rest_time,
    )
    walls = world and world.without_steps(walk.body.step)
    return LeggedRobot(spec, walk, place, world=walls, radius=walk.body.radius)


def _stride(state: HexapodState) -> Stride:
    roll, pitch, yaw = roll_pitch_yaw(state.quaternion)
    feet = tuple(float(on) for on in state.contacts)
    felt = {'imu.roll': roll, 'imu.pitch': pitch, 'foot_contact': feet}
    x, y, _ = state.position
    return Stride(Pose2(x, y, yaw), felt)
