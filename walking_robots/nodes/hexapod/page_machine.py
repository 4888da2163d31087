"""What the page of a hexapod shows of its robot: speeds of its gaits, reach of its legs."""

from walking_robots.gaits.free.articulated_model import free_gait_model
from walking_robots.gaits.periodic.patterns import PATTERNS
from walking_robots.gaits.periodic.plan import GaitPlan, plan_gait
from walking_robots.legs.workspace import leg_volume
from walking_robots.robots.articulated import ArticulatedHexapod
from walking_robots.robots.model import HalfSpace
from walking_robots.viewer.hexapod.articulated_machine import (
    articulated_machine,
    free_articulated_machine,
)
from walking_robots.viewer.hexapod.machine import GaitChoice, HexapodMachine


def hexapod_machine(robot: ArticulatedHexapod, gait: str) -> HexapodMachine:
    """Describe a robot that walks by the free gait, or by others that repeat, `gait` first.

    Raises ValueError, one sentence, where it cannot walk in that gait; others are left out.
    """
    if gait not in PATTERNS:
        return free_articulated_machine(robot, free_gait_model(robot))
    plans = {gait: plan_gait(robot, PATTERNS[gait])}
    for name, pattern in PATTERNS.items():
        try:
            plans.setdefault(name, plan_gait(robot, pattern))
        except ValueError:
            continue
    return articulated_machine(
        robot,
        tuple(_choice(name, plan) for name, plan in plans.items()),
        tuple(_volume(robot, leg.number) for leg in robot.legs),
        plans[gait].least_margin,
    )


def _choice(name: str, plan: GaitPlan) -> GaitChoice:
    return GaitChoice(name, plan.period, plan.speed, plan.turn_rate)


def _volume(robot: ArticulatedHexapod, number: int) -> tuple[HalfSpace, ...]:
    """Return the working volume of a leg, or nothing where its neutral foot is at a limit."""
    try:
        return leg_volume(robot, number).volume
    except ValueError:
        return ()
