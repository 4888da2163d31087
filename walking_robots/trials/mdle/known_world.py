"""Plan a way in a world that is known beforehand."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.planner.ground import KnownGround, ground_of
from walking_robots.mdle.planner.motion_model import MotionModel, motion_model
from walking_robots.mdle.planner.navigator import Navigator
from walking_robots.mdle.planner.place_graph import PlaceGraph, graph_of
from walking_robots.mdle.planner.program_text import PlannedProgram
from walking_robots.mdle.robot import RobotSpec
from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.virtual_robots.scout import scout_spec
from walking_robots.worlds.world import World


@dataclass(frozen=True, eq=False)
class KnownWay:
    """A program that leads to a goal; length: m; cost: s on the map, with what is near it."""

    program: PlannedProgram
    length: float
    cost: float

    def plain(self) -> dict[str, Any]:
        """Return it as JSON holds it."""
        program = self.program
        return {
            'source': program.source,
            'length_m': self.length,
            'cost_s': self.cost,
            'duration_s': float(program.times[-1]),
            'bound_s': program.bound,
            'tube_m': program.tube,
            'times_s': program.times.tolist(),
            'trajectory': program.trajectory.tolist(),
        }


def plan_in(
    world: World,
    start: Pose2,
    goal: Pose2,
    heading_matters: bool = False,
    *,
    spec: RobotSpec | None = None,
    radius: float = SUPER_SCOUT.radius,
) -> KnownWay:
    """Return the program that leads a robot to a goal.

    spec, radius (m): of the robot, by default the Scout. Raises ValueError where no way leads
    there.
    """
    navigator = navigator_of(spec or scout_spec(), radius, goal, heading_matters)
    ground = ground_of(world)
    reason = not_free(ground, navigator.model, start)
    if reason:
        raise ValueError(f'the start {reason}')
    reason = navigator.cut_off(navigator.ways_left(ground.including(goal[:2]), start), start)
    decision = navigator.step(ground, start, None)
    if reason or decision.plan is None:
        raise ValueError(reason or decision.text)
    return KnownWay(decision.plan.program, decision.plan.way.length, decision.plan.way.cost)


def navigator_of(
    spec: RobotSpec, radius: float, goal: Pose2, heading_matters: bool = False
) -> Navigator:
    """Return the navigator of a robot; radius: m."""
    nearest = spec.outputs['sonar'].low if 'sonar' in spec.outputs else None
    return Navigator(motion_model(spec, radius), goal, heading_matters, nearest)


def places_in(
    world: World,
    places: Mapping[str, Pose2],
    *,
    spec: RobotSpec | None = None,
    radius: float = SUPER_SCOUT.radius,
) -> PlaceGraph:
    """Return the graph of places in a world; arguments as of `plan_in`.

    Raises ValueError for a name or a place that cannot be.
    """
    navigator = navigator_of(spec or scout_spec(), radius, Pose2())
    ground = ground_of(world)
    for name, pose in places.items():
        reason = not_free(ground, navigator.model, pose)
        if reason:
            raise ValueError(f"'{name}' {reason}")
    return graph_of(ground, navigator, places)


def not_free(ground: KnownGround, model: MotionModel, pose: Pose2) -> str:
    """Return why a robot cannot stand at a pose, '' where it can."""
    costs = ground.costs(model, 0.0)
    row, column = costs.cell_of(pose.x, pose.y)
    rows, columns = ground.classes.shape
    if not (0 <= row < rows and 0 <= column < columns) or ground.classes[row, column]:
        return f'at x {pose.x:g} m, y {pose.y:g} m is not on free ground'
    return ''
