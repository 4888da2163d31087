"""The page's description of a hexapod on articulated legs, whichever way it walks."""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from walking_robots.robots.articulated import ArticulatedHexapod
from walking_robots.robots.model import HalfSpace, HexapodModel
from walking_robots.viewer.hexapod.machine import (
    RADIUS_OF_ASV,
    BodyRange,
    GaitChoice,
    HexapodMachine,
    LegSigns,
    MarginScale,
    Obstacles,
    Velocity,
    free_machine,
    free_velocities,
)

Volumes = Sequence[tuple[HalfSpace, ...]]
Corner = tuple[float, float]

COMFORT = 4.0
"""A margin is comfortable from so many times the least one on."""

LEAST_STEPS = 10.0
"""Steps of a slider from rest to the greatest speed, at least."""

FOOTHOLD, LEAST_FOOTHOLD = 1.3, 0.05
"""Radius of the disc of a foothold, times that of a foot; and the least, times `_radius`."""

SHIFT_SHARE = 0.25
"""Farthest shift of the body that is offered, as a share of its height."""

TILT = math.radians(15.0)


def articulated_machine(
    robot: ArticulatedHexapod,
    gaits: tuple[GaitChoice, ...],
    volumes: Volumes,
    least_margin: float,
) -> HexapodMachine:
    """Describe a robot that walks by gaits that repeat, the first of `gaits` at the beginning.

    volumes: of legs 1 to 6, base_link, empty where not known; least_margin: the one below
    which the robot stops, m.
    """
    speed, turn = gaits[0].speed, gaits[0].turn
    step, turn_step = tidy(speed / LEAST_STEPS), tidy(turn / LEAST_STEPS)
    return HexapodMachine(
        title=_title(robot),
        start=(0.0, 0.0, robot.height),
        radius=_radius(robot),
        foothold=_foothold(robot),
        legs=_signs(robot, volumes),
        rows=_rows(robot),
        margins=(MarginScale('now', least_margin, COMFORT * least_margin),),
        widest=tidy(_radius(robot) / RADIUS_OF_ASV),
        mark='least to go on',
        velocities=(
            Velocity(speed, step, _offered(speed, step)),
            Velocity(speed, step, 0.0),
            Velocity(turn, turn_step, 0.0),
        ),
        joints=_ranges(robot),
        gaits=gaits,
        body=BodyRange(tidy(SHIFT_SHARE * robot.height), TILT),
        outline=_outline(robot),
    )


def free_articulated_machine(robot: ArticulatedHexapod, model: HexapodModel) -> HexapodMachine:
    """Describe a robot that walks by the free gait, whose model was made for it."""
    speed, turn = model.command.forward, model.command.turn
    step = tidy(speed / LEAST_STEPS)
    return replace(
        free_machine(model, _title(robot)),
        radius=_radius(robot),
        foothold=_foothold(robot),
        legs=_signs(robot, [leg.volume for leg in model.legs]),
        rows=_rows(robot),
        widest=tidy(_radius(robot) / RADIUS_OF_ASV),
        velocities=free_velocities(model, _offered(speed, step), step, tidy(turn / LEAST_STEPS)),
        obstacles=Obstacles(share=0.1),
        joints=_ranges(robot),
        outline=_outline(robot),
    )


def tidy(value: float) -> float:
    """Return the largest of 1, 2 and 5 times a power of ten that is no larger than a value."""
    power = 10.0 ** math.floor(math.log10(value) + 1e-9)
    return next(m * power for m in (5.0, 2.0, 1.0) if m * power <= value * (1.0 + 1e-9))


def _offered(speed: float, step: float) -> float:
    """Return a multiple of a step at some 60 % of a speed, without digits that say nothing."""
    return round(round(0.6 * speed / step) * step, 9)


def _title(robot: ArticulatedHexapod) -> str:
    return robot.name.replace('_', ' ').capitalize()


def _radius(robot: ArticulatedHexapod) -> float:
    return max(math.hypot(x, y) for x, y, _ in robot.neutral_feet)


def _foothold(robot: ArticulatedHexapod) -> float:
    return max(FOOTHOLD * robot.foot_radius, LEAST_FOOTHOLD * _radius(robot))


def _signs(robot: ArticulatedHexapod, volumes: Volumes) -> tuple[LegSigns, ...]:
    """Return the numbers, above where the femurs begin, and the volumes of the legs."""
    up = 0.15 * _radius(robot)
    signs = []
    for leg, volume in zip(robot.legs, volumes, strict=True):
        x, y, z = leg.out(leg.coxa, up)
        signs.append(LegSigns(leg.number, (x, y, z), volume))
    return tuple(signs)


def _rows(robot: ArticulatedHexapod) -> tuple[tuple[int, ...], ...]:
    """Return pairs of left and right legs, and legs in the middle, from front to rear."""
    feet = {leg.number: foot for leg, foot in zip(robot.legs, robot.neutral_feet, strict=True)}
    middle = 0.05 * max(abs(y) for _, y, _ in feet.values())

    def ahead(number: int) -> float:
        return -feet[number][0]

    left = sorted((n for n, foot in feet.items() if foot[1] > middle), key=ahead)
    right = sorted((n for n, foot in feet.items() if foot[1] < -middle), key=ahead)
    rows = [tuple(n for n in pair if n) for pair in zip_longest(left, right)]
    rows += [(n,) for n, foot in feet.items() if abs(foot[1]) <= middle]
    return tuple(sorted(rows, key=lambda row: ahead(row[0])))


def _ranges(robot: ArticulatedHexapod) -> dict[str, tuple[float, float]]:
    """Return the ends of all joints as the robot counts them, rad."""
    ranges = {}
    for leg in robot.legs:
        for name, direction, offset, limits in zip(
            leg.joint_names(), leg.directions, leg.offsets, leg.ranges, strict=True
        ):
            ends = sorted(direction * end + offset for end in (limits.low, limits.high))
            ranges[name] = (ends[0], ends[1])
    return ranges


def _outline(robot: ArticulatedHexapod) -> tuple[Corner, ...]:
    """Return the corners of the body, the foremost first, beyond it the one next to it."""
    corners = robot.outline
    front = max(range(len(corners)), key=lambda n: (corners[n][0], corners[n][1]))
    return corners[front:] + corners[:front]
