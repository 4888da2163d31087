"""The page's description of a hexapod that walks by the free gait."""

from walking_robots.robots.model import HexapodModel
from walking_robots.viewer.hexapod.machine import (
    RADIUS_OF_ASV,
    HexapodMachine,
    LegSigns,
    MarginScale,
    Obstacles,
    Velocity,
)

CAMERA = ((-4.6, -5.6, 3.9), (0.5, 0.0, 0.8))
FORWARD = 0.12
"""Velocity, m/s, at which a person first walks the ASV."""

WIDEST_DITCH, FIRST_DITCH = 2.7, 2.1
"""Widest ditch offered for the ASV and the one first offered, m."""

SHARE = 0.2


def free_machine(model: HexapodModel, title: str) -> HexapodMachine:
    """Describe a robot of the size of the ASV, with the limits of its free gait."""
    limits = model.stability
    ahead = model.horizon[2] * model.timing.dt
    order = sorted(model.legs, key=lambda leg: ((leg.number - 1) // 2, leg.side < 0))
    numbers = [leg.number for leg in order]
    return HexapodMachine(
        title=title,
        start=model.start_position,
        radius=RADIUS_OF_ASV,
        foothold=0.13,
        legs=tuple(
            LegSigns(leg.number, (leg.hip[0], leg.hip[1] * 1.9, 0.45), leg.volume)
            for leg in model.legs
        ),
        rows=tuple(zip(numbers[::2], numbers[1::2], strict=True)),
        margins=(
            MarginScale('now', limits.lift, limits.comfort_present),
            MarginScale(f'in {ahead:g} s', limits.plan, limits.comfort_plan),
        ),
        widest=1.0,
        mark='least for a lift',
        velocities=free_velocities(model, FORWARD, 0.01, 0.005),
        obstacles=Obstacles(SHARE, WIDEST_DITCH, FIRST_DITCH),
        camera=CAMERA,
        reach=(model.kinematic_margin.present_limit, model.kinematic_margin.at_rest),
    )


def free_velocities(
    model: HexapodModel, value: float, step: float, turn_step: float
) -> tuple[Velocity, Velocity, Velocity]:
    """Return the sliders of a free gait, `value` the speed ahead that is first offered, m/s.

    A command whose first filtered step stays in the dead zone never moves the body.
    """
    limits, smooth = model.command, model.velocity
    factor = smooth.time_constant / model.timing.dt
    least, least_turn = smooth.dead_zone * factor, smooth.angular_dead_zone * factor
    return (
        Velocity(limits.forward, step, value, least),
        Velocity(limits.lateral, step, 0.0, least),
        Velocity(limits.turn, turn_step, 0.0, least_turn),
    )
