"""The planner writes programs in the layout of all programs."""

import numpy as np
import pytest

from walking_robots.geometry.se2 import ORIGIN, Pose2, Screw2
from walking_robots.mdle.language.formatter import format_program
from walking_robots.mdle.language.parser import parse_text
from walking_robots.mdle.planner.cost_map import CostMap
from walking_robots.mdle.planner.ground import KnownGround
from walking_robots.mdle.planner.motion_model import ConstantMotion, motion_model
from walking_robots.mdle.planner.program_text import write_program
from walking_robots.virtual_robots.scout import scout_spec

SCOUT = motion_model(scout_spec(), 0.205)
FREE = KnownGround(np.zeros((80, 80), np.int8), 0.05, (-2.0, -2.0))
COSTS: CostMap = FREE.costs(SCOUT, 0.0)
AHEAD = ConstantMotion(Screw2(0.3, 0.0, 0.0), 1.0 / 3.0)
BEND = ConstantMotion(Screw2(0.3, 0.0, 0.75), 0.7)
BACK = ConstantMotion(Screw2(-0.15, 0.0, 0.3), 1.0)
"""No atom that ends by itself does this one: its call has a timeout."""
TURN = ConstantMotion(Screw2(0.0, 0.0, -1.2), 0.9)


@pytest.mark.parametrize('frame', [ORIGIN, Pose2(-1e-6, 0.3, 1.0), None])
@pytest.mark.parametrize(('nearest', 'has_contact'), [(0.15, True), (None, False)])
@pytest.mark.parametrize(
    ('moves', 'part'),
    [
        ((AHEAD,), '    drive(0.1 m, 0.3 m/s)'),
        ((TURN,), '    spin('),
        ((BACK,), ' timeout 1 s;'),
        ((AHEAD, TURN, BEND, AHEAD), 'drive('),
        ((BEND, AHEAD), 'arc('),
        ((BEND, AHEAD) * 4, '    (\n      arc('),
        ((ConstantMotion(Screw2(0.3, 0.0, 0.0), 1e-4),), 'drive(3e-05 m'),
    ],
)
def test_a_program_is_laid_out_as_the_formatter_does(
    moves: tuple[ConstantMotion, ...],
    part: str,
    nearest: float | None,
    has_contact: bool,
    frame: Pose2 | None,
) -> None:
    source = write_program(
        moves, Pose2(0.1, -0.00001, 0.2), SCOUT, blocked=FREE.classes == 1, costs=COSTS,
        nearest=nearest, has_contact=has_contact, frame=frame,
    ).source  # fmt: skip
    assert part in source
    assert (' until near(' in source) == (nearest is not None and moves != (TURN,))
    assert format_program(parse_text(source)) == source
