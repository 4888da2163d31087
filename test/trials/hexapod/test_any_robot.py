"""Any robot drawn within sane bounds is refused in one sentence, or stands and takes a step."""

import math
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from walking_robots.gaits.free.articulated_model import free_gait_model
from walking_robots.legs.states import ControlState
from walking_robots.robots.articulated import ArticulatedHexapod
from walking_robots.robots.hexapod_files import parse_hexapod
from walking_robots.trials.hexapod.free import FreeGaitTrial
from walking_robots.trials.hexapod.free import run as walk_freely
from walking_robots.trials.hexapod.invariants import InvariantMonitor
from walking_robots.trials.hexapod.periodic import HexapodTrial
from walking_robots.trials.hexapod.periodic import run as walk

ROUNDING = 1e-12
"""What the offset of a joint leaves of an angle that lies on a limit, rad."""


def share(low: float, high: float) -> st.SearchStrategy[float]:
    """Draw a number of few digits, as people write them."""
    return st.floats(low, high).map(lambda value: float(f'{value:.3g}'))


@st.composite
def joints(draw: st.DrawFn) -> dict[str, Any]:
    """Draw the three joints of a leg."""

    def joint(low: tuple[int, int], high: tuple[int, int], home: int) -> dict[str, Any]:
        ends = draw(st.integers(*low)), draw(st.integers(*high))
        direction = draw(st.sampled_from([1, -1, [1, -1, 1, -1, 1, -1]]))
        return {
            'range': [f'{end}deg' for end in ends],
            'home': f'{home}deg',
            'direction': direction,
            'offset': f'{draw(st.integers(-90, 90))}deg',
        }

    return {
        'yaw': joint((-90, -15), (15, 90), 0),
        'lift': joint((-110, -20), (20, 110), 10),
        'knee': joint((-170, -80), (-60, 60), -70),
    }


@st.composite
def mounts(draw: st.DrawFn, size: float) -> dict[str, Any]:
    """Draw where legs hang, in one of the three ways of a file."""
    way = draw(st.sampled_from(['ring', 'pairs', 'list']))
    if way == 'ring':
        order = draw(st.sampled_from(['clockwise', 'counter-clockwise']))
        first = f'{draw(st.integers(-30, 60))}deg'
        return {
            'ring': {'radius': f'{draw(share(0.3, 1.5)) * size}m', 'first': first, 'order': order}
        }
    length, width = draw(share(0.5, 2.0)) * size, draw(share(0.3, 1.2)) * size
    slant = draw(st.integers(0, 60))
    legs = [
        {'at': [f'{x * length}m', f'{width}m'], 'heading': f'{90 - x * slant}deg'}
        for x in (1.0, 0.0, -1.0)
    ]
    if way == 'pairs':
        return {'pairs': legs}
    mirrored = [
        {'at': [leg['at'][0], '-' + str(leg['at'][1])], 'heading': '-' + str(leg['heading'])}
        for leg in legs
    ]
    return {'list': [leg for pair in zip(legs, mirrored, strict=True) for leg in pair]}


@st.composite
def robots(draw: st.DrawFn) -> str:
    """Draw the file of a robot between a hand and a lorry in size."""
    size = draw(share(0.03, 2.0))

    def length(low: float, high: float) -> str:
        return f'{draw(share(low, high)) * size:.4g}m'

    mass = size**3 * 1000.0
    return yaml.safe_dump(
        {
            'hexapod_schema': 1,
            'name': 'drawn',
            'legs': {
                'mounts': draw(mounts(size)),
                'coxa': length(0.0, 0.6),
                'femur': length(0.3, 1.2),
                'tibia': length(0.4, 1.6),
                **draw(joints()),
            },
            'masses': {
                'body': mass,
                **{link: draw(share(0.0, 0.05)) * mass for link in ('coxa', 'femur', 'tibia')},
                'guessed': True,
            },
            'foot_radius': length(0.01, 0.1),
            'stance': {'height': length(0.2, 1.5), 'reach': length(0.4, 1.8)},
            'joint_speed': f'{draw(share(10.0, 500.0))}deg/s',
            'cell': length(0.05, 0.3),
        }
    )


def one_sentence(error: ValueError) -> None:
    """Require words for a person: one line, and a remedy or a reason after it."""
    words = str(error)
    assert '\n' not in words and len(words.split()) > 8 and not words.endswith(':')


def steps_in_turn(robot: ArticulatedHexapod) -> bool:
    """Walk a whole cycle of the tripod; False where it is reported why not."""
    trial = HexapodTrial(robot, 'tripod', speed=100.0)
    try:
        period = trial.plan().period
    except ValueError as error:
        one_sentence(error)
        return False
    result = walk(
        HexapodTrial(robot, 'tripod', speed=100.0, time=1.5 * period, step=period / 60.0)
    )
    assert result.max_drift_m < 1e-6
    assert result.min_limit_room_rad >= -ROUNDING
    assert result.distance_m > 0.2 * result.stride_m
    return True


def steps_freely(robot: ArticulatedHexapod) -> bool:
    """Walk until legs have lifted; False where it is reported why not."""
    try:
        model = free_gait_model(robot)
    except ValueError as error:
        one_sentence(error)
        return False
    lifted, monitors = set(), []

    def monitor(one, terrain):
        monitors.append(InvariantMonitor(one, terrain, model.command.forward))
        return monitors[0]

    def watch(step, count):
        lifted.update(leg.number for leg in step.servo.legs if leg.control is ControlState.LIFT)

    timing = model.timing
    transfer = timing.dt * (timing.lift + 2 * timing.advance + timing.descent + timing.contact)
    trial = FreeGaitTrial(model, model.command.forward, time=3.0 * transfer + 10.0)
    result = walk_freely(trial, monitor=monitor, watch=watch)
    assert monitors[0].violations == []
    assert len(lifted) >= 3 and result.max_drift_m < 1e-6
    assert result.min_limit_room_rad is not None and result.min_limit_room_rad >= -ROUNDING
    assert result.max_joint_effort is not None and result.max_joint_effort <= 1.0
    return True


def explained_or_walks(text: str) -> tuple[bool, bool]:
    """Return whether a robot walks in turn and freely, having said why where it does not."""
    try:
        robot = parse_hexapod(text)
    except ValueError as error:
        one_sentence(error)
        return False, False
    assert all(math.isfinite(part) for foot in robot.neutral_feet for part in foot)
    return steps_in_turn(robot), steps_freely(robot)


LASTING = settings(
    deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], database=None
)


@pytest.mark.slow
@given(robots())
@settings(LASTING, max_examples=40)
def test_many_robots_are_explained_or_take_a_step(text):
    explained_or_walks(text)
