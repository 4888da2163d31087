"""Decide by repeated looks what is there (Wald's sequential test), with the sensor's own model."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from walking_robots.ars_magna.agent.handles import Designator
from walking_robots.ars_magna.agent.messages import LOCAL, NON_LOCAL
from walking_robots.ars_magna.agent.robot import Camera
from walking_robots.geometry.se2 import wrap

CERTAIN = math.log(0.999 / 0.001)
"""Log ratio at which a test of what the hand holds ends: errors of 0.1 % either way."""
LIKELY = math.log(0.9 / 0.1)
"""Log ratio at which something seen from afar is worth the way, or is not."""
LOOKS = 8
"""Looks at one view from afar."""
MOST_LOOKS = 50
"""Looks at what is within reach, or in the hand."""
FAR = 5.0
"""Cells at which things seen from afar are taken to be."""
ALIKE = 0.06
"""Bearings, rad, that may be of one thing: somewhat above twice the error of a designator's."""


@dataclass
class Sighting:
    """What was seen in one direction, in one or more looks.

    log_ratio: ln of how much likelier that is if the right thing is there than if it is not;
    designator: of the look before, None where nothing was seen.
    """

    angle: float
    log_ratio: float = 0.0
    designator: Designator | None = None


class Recognizer:
    """Knows what is looked for, and how well a camera recognizes it."""

    def __init__(self, camera: Camera, what: Any) -> None:
        """Ask the robot for the model of its sensors."""
        self.camera = camera
        self.model = camera.robot.sensor_model()
        self._wanted = self.model.constraints(what)
        self._any = self.model.any_of(one.attribute for one in self._wanted)

    async def look(self, kind: str) -> list[Designator]:
        """Return all that is in view and has the attributes, whatever their values."""
        outcome = await self.camera.get_all_object_designators(kind, self._any)
        return list(outcome.value) if outcome.ok else []

    async def holds_right_thing(self) -> bool:
        """Return whether the one thing in the container of the camera is the right one.

        A test for each attribute, and one for whether anything with them is there; it is the right
        one when all say so, and not when one denies it.
        """
        evidence = [0.0] * (len(self._wanted) + 1)
        for _ in range(MOST_LOOKS):
            seen = await self.look(LOCAL)
            # Of two things one is not there; nothing shows which.
            if len(seen) <= 1:
                evidence[0] += self.model.presence(bool(seen))
            if len(seen) == 1:
                ratios = self.model.log_ratios(self._wanted, seen[0].data, 0.0)
                evidence[1:] = [sum(pair) for pair in zip(evidence[1:], ratios, strict=True)]
            if min(evidence) >= CERTAIN or min(evidence) <= -CERTAIN:
                break
        return min(evidence) > 0.0

    async def survey(
        self, kind: str, is_known: Callable[[float], bool] = lambda angle: False
    ) -> list[Sighting]:
        """Look until it is likely for all in view that it is the right thing, or is not.

        is_known: whether what is at an angle need not be looked at.
        """
        return await self._survey(kind, -LIKELY, LOOKS, is_known)

    async def survey_here(self) -> list[Sighting]:
        """Look at what is within reach until it is certain that the right thing is not there.

        The robot will not come back for it.
        """
        return await self._survey(LOCAL, -CERTAIN, MOST_LOOKS, lambda angle: False)

    async def _survey(
        self, kind: str, least: float, most: int, is_known: Callable[[float], bool]
    ) -> list[Sighting]:
        sightings: list[Sighting] = []
        nothing = 0.0
        for _ in range(most):
            seen = await self.look(kind)
            self._add(sightings, [one for one in seen if not is_known(one.angle)], kind)
            nothing += self.model.presence(False)
            done = all(not least < one.log_ratio < LIKELY for one in sightings)
            if done and (sightings or nothing <= least):
                break
        return [one for one in sightings if one.designator and one.log_ratio > least]

    def _add(self, sightings: list[Sighting], seen: Sequence[Designator], kind: str) -> None:
        """Add the evidence of one look."""
        groups: dict[int, list[Designator]] = {}
        for designator in seen:
            number = self._group(sightings, designator.angle, kind)
            groups.setdefault(number, []).append(designator)
        for number, sighting in enumerate(sightings):
            group = groups.get(number, [])
            if not group:
                sighting.designator = None
                sighting.log_ratio += self.model.presence(False)
                continue
            distance = FAR if kind == NON_LOCAL else 1.0
            ratios = [
                sum(self.model.log_ratios(self._wanted, one.data, distance)) for one in group
            ]
            best = max(range(len(group)), key=ratios.__getitem__)
            sighting.designator = group[best]
            # Any one of them may be the right one.
            mean = math.log(sum(math.exp(ratio) for ratio in ratios) / len(ratios))
            sighting.log_ratio += mean

    def _group(self, sightings: list[Sighting], angle: float, kind: str) -> int:
        """Return the number of the sighting at an angle; what is within reach is one."""
        for number, sighting in enumerate(sightings):
            if kind == LOCAL or abs(wrap(sighting.angle - angle)) < ALIKE:
                return number
        sightings.append(Sighting(angle))
        return len(sightings) - 1
