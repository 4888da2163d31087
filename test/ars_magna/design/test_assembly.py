"""Test how things, kickers and definitions come together."""

import pytest

from walking_robots.ars_magna.design.files import DesignFileError, parse_design
from walking_robots.ars_magna.design.place_types import PlacePattern

HEAD = """\
ars_schema: 1
kickers: {hop: {body: [{kick: {dx: 1}}]}, spin: {prob: 0.5, body: []}}
world:
  name: hall
  size: [8, 6]
  walls: [{wall: {from: [0, 3], to: [7, 3]}}]
"""


def test_prototypes_build_on_each_other_in_any_order() -> None:
    design = parse_design(
        HEAD
        + """\
  prototypes:
    big: {prototype: box, Size: 20, contents: [{name: pen}]}
    box: {size: 5, capacity: 9, contents: [{name: cube, prototype: cube}]}
    cube: {size: 1, color: red}
  objects:
    - {name: trunk, prototype: big, at: [2.5, 1], attrs: {Color: Blue}, contents: [{name: hat}]}
"""
    )
    (trunk,) = design.things
    assert trunk.attributes == {'size': 20.0, 'capacity': 9.0, 'color': 'blue'}
    assert [thing.name for thing in trunk.contents] == ['cube', 'pen', 'hat']
    assert trunk.contents[0].attributes == {'size': 1.0, 'color': 'red'}
    assert (trunk.x, trunk.y, trunk.count) == (2.5, 1.0, 4)
    assert list(design.prototypes) == ['big', 'box', 'cube']
    assert (design.prototypes['big'].x, design.prototypes['big'].count) == (None, 3)
    assert trunk.contents[:2] == design.prototypes['big'].contents


def test_what_is_wrong_in_a_prototype_is_reported_there() -> None:
    text = HEAD + '  prototypes:\n    a: {prototype: b}\n    b: {size: red}\n'
    with pytest.raises(DesignFileError, match=r"line 9: field 'world\.prototypes\.b\.size'"):
        parse_design(text)


def test_a_kicker_works_on_all_things_of_a_name_once() -> None:
    design = parse_design(
        HEAD
        + """\
  objects:
    - {name: ball, at: [2, 1]}
    - {name: bag, at: [2, 1], attrs: {capacity: 1}, contents: [{name: Ball}]}
  kickers: [{use: hop, on: ball}, {use: spin, on: ball}, {use: hop, on: ball}]
"""
    )
    ball, bag = design.things
    assert (ball.kickers, bag.kickers) == (('hop', 'spin'), ())
    assert bag.contents[0].kickers == ('hop', 'spin')


def test_warnings_of_walls_and_of_full_things() -> None:
    design = parse_design(
        HEAD
        + """\
  start: {at: [3, 3]}
  objects:
    - {name: lamp, at: [1, 2.5]}
    - {name: bag, at: [2, 2.4], attrs: {capacity: 1}, contents: [{name: hat, attrs: {size: 2}}]}
robots: [{name: robbie, at: [4, 3]}]
"""
    )
    assert [warning.split(';')[0] for warning in design.warnings] == [
        "object 'lamp' at (1, 2.5) stands in a wall, where no robot moves",
        "object 'bag' holds more than its capacity",
        "robot 'robbie' at (4, 3) stands in a wall, where no robot moves",
    ]


def test_there_are_not_more_things_than_anyone_can_hold() -> None:
    halves = ''.join(
        f'    p{i}: {{contents: [{{name: x, prototype: p{i - 1}}}, '
        f'{{name: x, prototype: p{i - 1}}}]}}\n'
        for i in range(1, 15)
    )
    things = '    - {name: x, prototype: p14, at: [1, 1]}\n'
    text = HEAD + '  prototypes:\n    p0: {}\n' + halves + '  objects:\n'
    assert parse_design(text + 3 * things).things[0].count == 2**15 - 1
    with pytest.raises(DesignFileError, match=r"'world\.objects' must come to at most 100000"):
        parse_design(text + 4 * things)


def test_place_types_are_redefined_in_their_rank_and_new_ones_come_last() -> None:
    types = parse_design(
        HEAD
        + """\
  literal_doorway_diagonals: true
place_types:
  gate: {matchers: [{form: ["-*x"], direction: 90deg}], invisible: true}
  Convex:
    checker: {center: empty, cases: [{form: ["#?#"], direction: 0, offset: [0, 2]}]}
"""
    ).definitions.place_types
    assert list(types) == ['doorway', 'convex', 'concave', 'beak', 'gate']
    assert types['doorway'].patterns[2].direction == pytest.approx(0.7853981633974483)
    assert types['convex'].patterns == (PlacePattern(('#.#',), 0.0, 0, 2),)
    assert types['gate'].patterns[0].form == ('.#?',)
    assert types['gate'].patterns[0].direction == pytest.approx(1.5707963267948966)
    assert (types['gate'].confusion, types['gate'].invisible) == (0.0, True)
