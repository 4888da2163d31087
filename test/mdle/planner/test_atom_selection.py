"""Moves are written with atoms whose declared effect is that move."""

import pytest

from walking_robots.geometry.se2 import Pose2, Screw2
from walking_robots.mdle.analysis.checker import check
from walking_robots.mdle.knowledge.elements import Module
from walking_robots.mdle.knowledge.library import standard_library
from walking_robots.mdle.language.parser import parse_text
from walking_robots.mdle.planner.atom_selection import AtomSelection, standard_atoms
from walking_robots.mdle.planner.motion_model import ConstantMotion, motion_model
from walking_robots.mdle.planner.primitives import default_moves
from walking_robots.mdle.planner.program_text import write_program
from walking_robots.virtual_robots.scout import scout_spec

SCOUT = motion_model(scout_spec(), 0.205)
MINE = """mdle 1;
atom dash(way: m) on body2 { control [0.3 m/s, 0 rad/s] for way / 0.3 m/s; }
atom swerve(w: rad/s, span: s) on body2 { control [-0.15 m/s, w] for span; }
atom careful(way: m) on body2 {
  control [0.3 m/s, 0 rad/s] for way / 0.3 m/s;
  until y.bumper.any;
}
atom asks(way: m) on body2 {
  needs y@alpha.pose;
  control [0.3 m/s, 0 rad/s] for way / 0.3 m/s;
}
"""


def library(text: str) -> dict[str, Module]:
    return {**standard_library(), 'mine': Module('mine', parse_text(text))}


@pytest.mark.parametrize(
    ('twist', 'call', 'timeout'),
    [
        (Screw2(0.3, 0.0, 0.0), 'drive(0.6 m, 0.3 m/s)', ''),
        (Screw2(-0.15, 0.0, 0.0), 'drive(-0.3 m, 0.15 m/s)', ''),
        (Screw2(0.0, 0.0, -0.8), 'spin(-1.6 rad, 0.8 rad/s)', ''),
        (Screw2(0.3, 0.0, -0.75), 'arc(0.4 m, -1.5 rad, 0.3 m/s)', ''),
        (Screw2(-0.15, 0.0, 0.3), 'twist(-0.15 m/s, 0.3 rad/s)', ' timeout 2 s'),
    ],
)
def test_atoms_of_the_standard_library(twist: Screw2, call: str, timeout: str) -> None:
    assert standard_atoms().call(ConstantMotion(twist, 2.0)) == (call, timeout, 'std.body2')


def test_all_primitives_of_a_robot_have_an_atom() -> None:
    for move in default_moves(SCOUT):
        assert standard_atoms().call(move).module == 'std.body2'


def test_an_atom_of_another_module_is_taken_where_it_is_cheaper() -> None:
    atoms = AtomSelection(library(MINE))
    ahead = ConstantMotion(Screw2(0.3, 0.0, 0.0), 2.0)
    assert atoms.call(ahead) == ('mine.dash(0.6 m)', '', 'mine')
    back = ConstantMotion(Screw2(-0.15, 0.0, 0.3), 2.0)
    assert atoms.call(back) == ('mine.swerve(0.3 rad/s, 2 s)', '', 'mine')
    # Its effect is another one at another speed.
    slow = ConstantMotion(Screw2(0.1, 0.0, 0.0), 2.0)
    assert atoms.call(slow) == ('drive(0.2 m, 0.1 m/s)', '', 'std.body2')


def test_the_program_imports_the_module_and_passes_the_check() -> None:
    found = library(MINE)
    moves = (ConstantMotion(Screw2(0.3, 0.0, 0.0), 2.0),)
    program = write_program(moves, Pose2(), SCOUT, atoms=AtomSelection(found))
    assert 'import mine as mine;' in program.source and 'dash(0.6 m)' in program.source
    report = check(parse_text(program.source), found, scout_spec())
    assert report.ok, report.diagnostics


def test_what_no_atom_does_is_one_sentence() -> None:
    aside = ConstantMotion(Screw2(0.0, 0.1, 0.0), 1.0)
    with pytest.raises(ValueError, match='turns by 0 rad'):
        standard_atoms().call(aside)
    text = 'mdle 1;\natom sidle(d: m, v: m/s) on body3 { control [0 m/s, v, 0 rad/s] for d / v; }'
    sideways = AtomSelection(library(text), ('body2', 'body3'))
    assert sideways.call(aside) == ('mine.sidle(0.1 m, 0.1 m/s)', '', 'mine')
