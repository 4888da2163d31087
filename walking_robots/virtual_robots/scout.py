"""What a program knows of the Super Scout (mdle.md §2.3 and §2.4)."""

import math

from walking_robots.mdle.cartographer.moved_object import OBJECT_OUTPUTS
from walking_robots.mdle.robot import Channel, OutputSpec, RobotSpec, SpaceSpec
from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.robots.wheeled import WheeledModel
from walking_robots.virtual_robots.twist import body_space, motion_outputs

SONAR_STALE = 2.0
"""Age, s, from which no sonar is trusted: two rounds of the ring."""


def scout_spec(
    model: WheeledModel = SUPER_SCOUT,
    *,
    name: str = 'scout',
    speed: float | None = None,
    turn: float | None = None,
    separation: float | None = None,
    real: bool = True,
) -> RobotSpec:
    """Say what a Scout offers.

    speed, turn: greatest velocity of the body, m/s and rad/s, None for the model's; separation:
    of the wheels, m, as calibrated; real: False for one that cannot run into anything.
    """
    separation = separation or model.wheel_separation
    speed, turn = speed or model.default_speed, turn or model.default_turn
    slope = model.default_acceleration
    wheel = Channel('', 'm/s', -model.top_speed, model.top_speed, slope)
    spaces = (
        body_space(speed, turn, slope, 2.0 * slope / separation),
        SpaceSpec(
            'wheels2',
            (wheel._replace(name='uL'), wheel._replace(name='uR')),
            resources=frozenset({'base'}),
        ),
        SpaceSpec('none', ()),
    )
    sonar = model.sonar
    contact = OutputSpec('bool')
    outputs = {
        **motion_outputs(),
        'sonar': OutputSpec(
            'm',
            low=sonar.near,
            high=sonar.far,
            size=sonar.count,
            period=len(sonar.order) * sonar.period,
            stale=SONAR_STALE,
            directions=tuple(sonar.bearing(number) for number in range(sonar.count)),
        ),
        'bumper.any': contact,
        'bumper.front': contact,
        'bumper.rear': contact,
        'bumper.bits': OutputSpec('num', low=0.0, high=float(model.bumper.mask)),
        'battery': OutputSpec('num', low=0.0, high=1.0, stale=5.0),
        'estop': OutputSpec('bool'),
        **OBJECT_OUTPUTS,
    }
    return RobotSpec(
        name,
        {space.name: space for space in spaces},
        outputs,
        slope,
        separation=separation,
        real=real,
    )


def front_and_rear(model: WheeledModel) -> tuple[int, int]:
    """Return the masks of the switches that look ahead and back; one at the side is in neither."""
    front = rear = 0
    for bit, bearing in enumerate(model.bumper.bearings):
        ahead = math.cos(bearing)
        front |= (ahead > 1e-9) << bit
        rear |= (ahead < -1e-9) << bit
    return front, rear
