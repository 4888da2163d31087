"""The body plan that both coordinators share: speed, stop and push (asv.md §12.5, R30-R32)."""

import math

from walking_robots.body.regulators import speed_factor
from walking_robots.body.stability import recovery_push
from walking_robots.gaits.free.memory import BodyMemory
from walking_robots.gaits.free.repairs import Repairs
from walking_robots.gaits.free.situation import Situation
from walking_robots.geometry.pose import Pose
from walking_robots.robots.model import VelocityFilter


def body_plan(s: Situation) -> None:
    """Plan the speed and the push of the next step."""
    speed_plan(s)
    trajectory_plan(s)


def speed_plan(s: Situation) -> None:
    """Slow down, stop, go on or speed up: the first request that is present wins (R31).

    The original keeps requests it did not use, which shifts later ones by a step (§13.4).
    """
    facts, body = s.facts, s.memory.body
    if facts.reduce_speed:
        facts.reduce_speed -= 1
        body.deceleration = min(body.deceleration + 1, s.model.velocity.max_deceleration)
    elif facts.stops:
        facts.stops -= 1
        body.ordered_stop = True
    else:
        if facts.moves:
            facts.moves -= 1
            body.ordered_stop = False
        body.deceleration = max(body.deceleration - 1, 0)
    if s.repairs.single_body_request:
        facts.reduce_speed = facts.stops = facts.moves = 0


def trajectory_plan(s: Situation) -> None:
    """Compute the push that would make the plan comfortable (R32).

    It moves the body only where DEF-1 is repaired; in the original it is never used.
    """
    if not s.repairs.use_planning_push:
        return
    limits, body = s.model.stability, s.memory.body
    margin = s.planned_margin(s.planned_support)
    body.planning_push = (0.0, 0.0)
    if limits.plan <= margin.value < limits.comfort_plan:
        body.planning_push = recovery_push(margin, limits) or (0.0, 0.0)


def less_along(push: tuple[float, float], command: tuple[float, float]) -> tuple[float, float]:
    """Take out of a push its part along a command, so that it never fights the operator."""
    square = command[0] ** 2 + command[1] ** 2
    if square == 0.0:
        return push
    share = (push[0] * command[0] + push[1] * command[1]) / square
    return (push[0] - share * command[0], push[1] - share * command[1])


def body_command(
    body: BodyMemory,
    command: tuple[float, float, float],
    pose: Pose,
    repairs: Repairs,
    limits: VelocityFilter,
) -> tuple[tuple[float, float, float], int]:
    """Compose the body's velocity command and its deceleration factor (asv.md §6.1).

    ``command`` is the operator's (vx, vy, wz) in m/s and rad/s, body axes; ``pose`` the body's,
    by whose heading pushes are turned into body axes where DEF-5 is repaired.
    """
    if body.stopped or body.push is None:
        return (0.0, 0.0, 0.0), 0
    push, planned = body.push, body.planning_push
    if repairs.push_in_body_axes:
        heading = pose.yaw()
        push, planned = _turned(push, -heading), _turned(planned, -heading)
    if repairs.use_planning_push:
        planned = less_along(planned, command[:2])
    deceleration = body.deceleration
    if repairs.push_at_full_strength:
        share = speed_factor(deceleration, limits)
        command = (command[0] * share, command[1] * share, command[2] * share)
        deceleration = 0
    vx, vy = command[0] + push[0] + planned[0], command[1] + push[1] + planned[1]
    return (vx, vy, command[2]), deceleration


def _turned(vector: tuple[float, float], angle: float) -> tuple[float, float]:
    cos, sin = math.cos(angle), math.sin(angle)
    return (cos * vector[0] - sin * vector[1], sin * vector[0] + cos * vector[1])
