"""Plan a way in a world that is known beforehand."""

from dataclasses import dataclass
from typing import Any

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.planner.ground import ground_of
from walking_robots.mdle.planner.motion_model import motion_model
from walking_robots.mdle.planner.navigator import Navigator
from walking_robots.mdle.planner.program_text import PlannedProgram
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


def plan_in(world: World, start: Pose2, goal: Pose2, heading_matters: bool = False) -> KnownWay:
    """Return the program that leads a Scout to a goal; raises ValueError where no way does."""
    spec = scout_spec()
    model = motion_model(spec, SUPER_SCOUT.radius)
    navigator = Navigator(model, goal, heading_matters, spec.outputs['sonar'].low)
    ground = ground_of(world)
    row, column = ground.costs(model, 0.0).cell_of(start.x, start.y)
    rows, columns = ground.classes.shape
    if not (0 <= row < rows and 0 <= column < columns) or ground.classes[row, column]:
        raise ValueError(f'the start at x {start.x:g} m, y {start.y:g} m is not on free ground')
    reason = navigator.cut_off(ground.including(goal[:2]), start)
    decision = navigator.step(ground, start, None)
    if reason or decision.plan is None:
        raise ValueError(reason or decision.text)
    return KnownWay(decision.plan.program, decision.plan.way.length, decision.plan.way.cost)
