"""Look around for a thing (ars_magna.md §6.1)."""

import math
from typing import Any

from walking_robots.ars_magna.agent.handles import Designator
from walking_robots.ars_magna.agent.robot import Camera
from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.plans.failing import NO_DESIGNATOR_FOUND, PlanFailedError, need


def sectors(camera: Camera) -> int:
    """Return how many fields of view make a full turn."""
    return math.ceil(math.tau / camera.field_of_view - 1e-9)


async def scan(camera: Camera, type: str, specification: Any, rounds: int = 10) -> Designator:
    """Turn a camera from sector to sector until something fits; the sector in view comes last.

    The printed program has no bound; here it is a number of full turns. Raises PlanFailedError.
    """
    for _ in range(rounds * sectors(camera)):
        await need(camera.turn(camera.field_of_view), 'scan')
        found = await camera.get_object_designator(type, specification)
        if found.ok:
            designator: Designator = found.value
            return designator
        if found.code != Code.DESIGNATOR_NOT_FOUND:
            raise PlanFailedError(found.code, 'scan')
    raise PlanFailedError(NO_DESIGNATOR_FOUND, 'scan')
