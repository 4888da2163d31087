"""Test the reading of designs: the manual's room, the worlds that come along, what is refused."""

import math
from pathlib import Path

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.cpu_time import cpu_time
from walking_robots.ars_magna.design.files import DesignFileError, load_design, parse_design
from walking_robots.ars_magna.design.model import WorldDesign
from walking_robots.ars_magna.design.place_types import classify
from walking_robots.ars_magna.design.schema import (
    BinPart,
    CameraPart,
    DesignDocument,
    DesignWorldPart,
    HandPart,
)
from walking_robots.ars_magna.sensing.attributes import Substance
from walking_robots.worlds.files import load_world
from walking_robots.worlds.schema import WorldDocument, WorldPart

CONFIG = Path(__file__).parents[3] / 'config' / 'worlds'
SHIPPED = ('big_room', 'house', 'maze', 'office')
HEAD = 'ars_schema: 1\nworld:\n  name: hall\n  size: [8, 6]\n'


def places(design: WorldDesign) -> dict[tuple[int, int], str]:
    """Return the types of places by (x, y)."""
    types = list(design.definitions.place_types.values())
    kind = classify(design.grid.filled[::-1], types).kind
    return {(int(x), int(y)): types[kind[y, x]].name for y, x in np.argwhere(kind >= 0)}


@pytest.fixture(scope='module')
def big_room() -> WorldDesign:
    return load_design(CONFIG / 'big_room.yaml')


def test_t86_the_dividing_wall(big_room: WorldDesign) -> None:
    filled, parameter = big_room.grid.filled[::-1], big_room.grid.parameter[::-1]
    slate = big_room.grid.substance[::-1] == big_room.grid.substances.index('slate')
    assert (slate & filled).sum() == 41
    assert [parameter[y, 30] for y in (10, 30, 50)] == pytest.approx([10.0, 20.0, 30.0])


def test_t87_the_outer_walls(big_room: WorldDesign) -> None:
    parameter = big_room.grid.parameter[::-1]
    corners = [parameter[y, x] for x, y in ((0, 0), (74, 0), (74, 74), (0, 74))]
    assert corners == [0.0, 10.0, 30.0, 25.0]
    assert parameter[0, 37] == pytest.approx(5.0)


def test_t88_a_prototype_gives_what_the_thing_does_not_say(big_room: WorldDesign) -> None:
    (a_box,) = big_room.things[2].contents
    assert a_box.attributes == {
        'capacity': 8.0,
        'size': 6.0,
        'weight': 3.0,
        'color': 'blue',
        'substance': Substance('wood', 120.0),
    }


def test_t104_places_of_the_big_room(big_room: WorldDesign) -> None:
    assert big_room.grid.filled.sum() == 337
    assert places(big_room) == {
        **dict.fromkeys([(1, 1), (73, 1), (73, 73), (1, 73)], 'concave'),
        **dict.fromkeys([(30, 9), (30, 51)], 'beak'),
    }


def test_the_things_of_the_big_room_are_those_of_the_manual(big_room: WorldDesign) -> None:
    lamp, small_box, big_box, table = big_room.things
    assert [(thing.name, thing.x, thing.y) for thing in big_room.things] == [
        ('lamp', 20.0, 20.0),
        ('small_box', 20.0, 20.0),
        ('big_box', 30.0, 20.0),
        ('table', 40.0, 15.0),
    ]
    assert lamp.attributes['substance'] == Substance('metal', 60.0)
    (pen,) = small_box.contents
    assert (pen.name, pen.x, pen.y) == ('pen', None, None)
    assert pen.attributes == {'size': 0.2, 'color': 'green'}
    assert (big_box.attributes['obsview'], big_box.attributes['capacity']) == (True, 11.0)
    assert (table.attributes['color'], table.attributes['obsmove']) == ('violet', True)
    assert [thing.count for thing in big_room.things] == [1, 2, 2, 1]
    assert set(big_room.prototypes) == {'box', 'table'}
    (warning,) = big_room.warnings
    assert warning.startswith("object 'big_box' at (30, 20) stands in a wall")


def test_robbie_is_that_of_the_manual(big_room: WorldDesign) -> None:
    (robbie,) = big_room.robots
    assert (robbie.name, robbie.at, robbie.angle) == ('robbie', (10.0, 5.0), 0.0)
    assert robbie.cameras[0].fov == pytest.approx(math.pi / 4)
    assert robbie.cameras[1] == CameraPart(fov=math.pi / 2, resolution=5)
    assert robbie.hands == (HandPart(strength=10.0), HandPart(strength=4.0))
    assert robbie.bins == (BinPart(capacity=20.0), BinPart(capacity=5.0))


@pytest.mark.parametrize('name', SHIPPED)
def test_shipped_worlds_serve_a_robot(name: str) -> None:
    design = load_design(CONFIG / f'{name}.yaml')
    assert len(design.warnings) == (name == 'big_room')
    assert design.name == name
    (robot,) = design.robots
    assert [len(robot.cameras), len(robot.hands), len(robot.bins)] == [2, 2, 2]
    filled = design.grid.filled[::-1]
    assert not filled[int(robot.at[1]), int(robot.at[0])]
    assert load_world(CONFIG / f'{name}.yaml').filled.sum() == filled.sum()


@pytest.mark.parametrize(('name', 'doors'), [('house', 4), ('office', 6)])
def test_doors_are_doorways(name: str, doors: int) -> None:
    found = places(load_design(CONFIG / f'{name}.yaml'))
    assert list(found.values()).count('doorway') == doors


def test_a_world_is_built_in_20_ms() -> None:
    assert cpu_time(lambda: places(load_design(CONFIG / 'big_room.yaml')), 0.02) < 0.02


def test_the_example_of_the_specification() -> None:
    design = parse_design("""\
ars_schema: 1
world:
  name: big_room
  size: [75, 75]            # width, height in cells
  cache: true               # derived grid stored next to a content hash
  strict: false
  substances: {bricks: 20.0, slate: 40.0, wood: 120.0, metal: 60.0}
  walls:
    - rect:   {from: [0, 0], to: [75, 75], type: bricks, params: [0, 10, 30, 25]}
    - circle: {center: [60, 60], radius: 4, type: bricks, params: [15]}
  objects:
    - {name: lamp, at: [20, 20], attrs: {size: 2, weight: 1, color: lightred, substance: metal}}
  kickers:
    - {use: wander, on: lamp}
attributes:
  lock_id: {domain: numeric, base: 0, max_mult: 1, noticed: 0.1}
place_types:
  convex:
    confusion: 0.04
    checker:
      center: filled
      cases:
        - {form: ["...", "##.", "?#."], offset: [1, -1], direction: 0.0}
        - {form: ["?#.", "##.", "..."], offset: [1, 1], direction: 1.5707963267948966}
    directions: [0.0, -1.5707963267948966]
    marker: {shape: circle, color: pink}
kickers:
  wander:
    prob: 0.05
    test: "not attr('closed')"
    body:
      - kick: {dx: "uniform(-1, 1)", dy: "uniform(-1, 1)", kick_if_wall: false}
""")
    assert design.things[0].kickers == ('wander',)
    assert design.substances == {'bricks': 20.0, 'slate': 40.0, 'wood': 120.0, 'metal': 60.0}
    convex = design.definitions.place_types['convex']
    assert (convex.confusion, len(convex.patterns)) == (0.04, 2)
    assert convex.patterns[1].direction == math.pi / 2


def test_definitions_may_lie_in_other_files(tmp_path: Path) -> None:
    (tmp_path / 'world.yaml').write_text(HEAD + 'parameters: {braking: 3, max_speed: 0.5}\n')
    (tmp_path / 'more.yaml').write_text(
        'ars_schema: 1\nattributes: {color: {domain: [red, pink]}}\n'
        'robots: [{name: R2, at: [1.5, 2]}]\nparameters: {Max-Speed*: 0.25}\n'
    )
    design = load_design(tmp_path / 'world.yaml', tmp_path / 'more.yaml')
    assert design.definitions.attributes['color'].domain == ('red', 'pink')
    assert design.robots[0].name == 'r2'
    assert (design.parameters.braking, design.parameters.max_speed) == (3, 0.25)
    with pytest.raises(DesignFileError, match=r"more\.yaml, line 1: field 'world' is missing"):
        load_design(tmp_path / 'more.yaml')
    with pytest.raises(DesignFileError, match=r"world\.yaml, line 2: field 'world' must be given"):
        load_design(tmp_path / 'world.yaml', tmp_path / 'world.yaml')
    with pytest.raises(DesignFileError, match='give the path of a world file in YAML'):
        load_design(tmp_path / 'none.yaml')
    with pytest.raises(DesignFileError, match='no file is given'):
        load_design()


def test_the_scout_knows_all_fields_of_a_design() -> None:
    assert WorldDocument.model_fields.keys() == DesignDocument.model_fields.keys()
    assert WorldPart.model_fields.keys() == DesignWorldPart.model_fields.keys()


THING = HEAD + '  objects:\n  - {name: box, at: [2, 2]'
KICK = HEAD + 'kickers:\n  wander:\n    '
METHOD = HEAD + 'manipulations:\n  lock:\n  - objects: {box: {size: 4}}\n    by: hand\n    '
TYPE = HEAD + 'place_types:\n  gate:\n    '
WRONG = {
    'ars_schema: 1': "line 1: field 'world' is missing; write it here or give its file as well",
    'ars_schema: 1\nwalls: []': "'walls' is not a field of a world file; use one of ars_schema",
    HEAD + '  cell: 5cm': "line 5: field 'world.cell' must be 1m for ARS MAGNA",
    HEAD + '  y_axis: up': "line 5: field 'world.y_axis' must be down for ARS MAGNA",
    HEAD + '  doors: []': "line 5: .*'world.doors' is not a field .*use one of name, size",
    THING + ', colour: red}': "line 6: .*colour' is not a field .*use one of name, prototype",
    KICK + 'body: [{error: NO}]': 'in quotes where YAML takes it for a truth',
    THING + ', attrs: {colour: red}}': r"line 6: .*objects\[0\].attrs.colour' names 'colour', "
    "which is no attribute; define it under attributes, or did you mean 'color'",
    THING + ', attrs: {Color: pink}}': "line 6: .*attrs.Color' is wrong: 'color' cannot be 'pink'",
    THING + ', attrs: {size: big}}': "attrs.size' is wrong: 'size' must be a finite number",
    THING + ', attrs: {size: [1, 2]}}': "attrs.size' must be true, false, a finite number",
    THING + ', attrs: {substance: wood}}': "attrs.substance' is wrong: substance 'wood' has no",
    THING + ', attrs: {size: 1, SIZE: 2}}': "attrs' must not hold 'size' twice",
    THING + ', prototype: bag}': "prototype' names 'bag', which is no prototype; there are none",
    THING + ', contents: [{name: pen, at: [1, 1]}]}': r"contents\[0\].at' is not a field",
    THING + ', contents: [{name: pen, attrs: {color: 3}}]}': r'contents\[0\].attrs.color',
    THING + '}\n  - {name: pen, at: [8, 2]}': r"line 7: .*objects\[1\].at' lies outside the map; "
    'write x from 0 to 7 and y from 0 to 5',
    THING + '}\n  - {name: pen, at: [2, -0.6]}': r"objects\[1\].at' lies outside the map",
    THING + '}\n  - {name: pen, at: [2, .nan]}': r"objects\[1\].at\[1\]' must be a finite number",
    THING + '}\n  - {name: pen}': r"objects\[1\].at' is missing; write \[x, y\]",
    THING + "}\n  - {name: '', at: [1, 1]}": r"objects\[1\].name' must be a name of letters",
    THING + '}\n  strict: true\n  walls: [{wall: {from: [0, 2], to: [4, 2]}}]': "objects.0..at' "
    'lies in a wall; move it, or leave strict out',
    THING + '}\n  kickers: [{use: walk, on: box}]': r"line 7: .*kickers\[0\].use' names 'walk', "
    'which is no kicker; there are none',
    THING + '}\n  kickers: [{use: walk, on: pen}]\nkickers: {walk: {body: []}}': r'line 7: .*'
    r"kickers\[0\].on' names 'pen', which is no thing; use one of box",
    HEAD + '  prototypes: {a: {prototype: b}, b: {prototype: a}}': r'leads round to itself \(a -> '
    r'b -> a\)',
    HEAD + '  prototypes: {a: {contents: [{name: x, prototype: a}]}}': r'itself \(a -> a\)',
    HEAD + '  prototypes: {a: {size: 3, Size: 4}}': "prototypes.a' must not hold 'size' twice",
    HEAD + '  prototypes: {a: {mass: 3}}': "prototypes.a.mass' names 'mass', which is no attr",
    HEAD + '  prototypes: {a: {capacity: [1]}}': 'prototypes.a.capacity',
    HEAD
    + '  prototypes:\n    a: {contents: [{name: x}, {name: x}]}\n'
    + ''.join(
        f'    {b}: {{contents: [{{name: x, prototype: {a}}}, {{name: x, prototype: {a}}}]}}\n'
        for a, b in zip('abcdefghijklmnopq', 'bcdefghijklmnopqr', strict=True)
    ): "contents' must come to at most 100000 things",
    HEAD
    + '  prototypes:\n    a0: {}\n'
    + ''.join(f'    a{i}: {{prototype: a{i - 1}}}\n' for i in range(30, 0, -1)): 'leads over more '
    'than 20 prototypes',
    HEAD + 'robots:\n- {name: r, at: [9, 2]}': r"line 6: field 'robots\[0\].at' lies outside",
    HEAD + 'robots:\n- {name: r, at: [1, 2]}\n- {name: R, at: [1, 2]}': r"line 7: .*\[1\].name' "
    "names 'r' twice",
    HEAD
    + 'robots:\n- {name: r, at: [1, 2], world: moon}': "names 'moon', but the world is 'hall'",
    HEAD + 'robots:\n- {name: r, at: [1, 2], cameras: [{fov: 7, resolution: 3}]}': 'a full turn',
    HEAD + 'robots:\n- {name: r, at: [1, 2], cameras: [{fov: 1, resolution: 0}]}': 'resolution',
    HEAD + 'robots:\n- {name: r, at: [1, 2], hands: [{strength: -1}]}': 'strength.* 0 or more',
    HEAD + 'robots:\n- {name: r, at: [1, 2], wheels: 4}': 'use one of name, world, at, angle',
    HEAD
    + 'parameters:\n  max_sped: 1': "line 6: .*max_sped' is wrong: .*did you mean 'max_speed'",
    HEAD + 'parameters:\n  braking: 1.5': "line 6: field 'parameters.braking' is wrong: parameter",
    HEAD + 'parameters:\n  min_turn_angle: 3': 'change both together',
    HEAD + 'attributes:\n  shape: {domain: cube}': 'domain',
    HEAD + 'attributes:\n  shape: {domain: []}': 'attributes.shape. is wrong: .*at least',
    HEAD + 'attributes:\n  shape: {domain: [a, A]}': "lists 'a' twice",
    HEAD + 'attributes:\n  shape: {domain: numeric, noticed: 2}': 'noticed. must be from 0 to 1',
    HEAD + 'attributes:\n  shape: {domain: numeric, noticed: 0, support: 0}': 'noticed or support',
    HEAD + 'attributes:\n  shape: {domain: numeric, success: 0.5}': 'has no success',
    HEAD + 'attributes:\n  shape: {domain: numeric, supported_by: [form]}': r"supported_by\[0\]' "
    "names 'form', which is no attribute",
    HEAD + 'attributes:\n  9: {domain: numeric}': 'line 6: .* must be a name',
    TYPE + 'confusion: 0.1': 'must have matchers or a checker, or else python',
    TYPE + 'matchers: [{form: [".."], direction: 0}]': 'odd number of rows',
    TYPE + 'matchers: [{form: [".", "..", "."], direction: 0}]': 'same odd number of signs',
    TYPE + 'matchers: [{form: [".", "."], direction: 0}]': 'odd number of rows',
    TYPE + 'matchers: [{form: ["o"], direction: 0}]': r'must hold only the signs \. # and \?',
    TYPE + f'matchers: [{{form: ["{"." * 17}"], direction: 0}}]': 'at most 15 cells',
    TYPE + 'matchers: [{form: ["."]}]': r'matchers\[0\].direction. is missing; write an angle',
    TYPE + 'checker: {center: filled, cases: [{form: ["."], direction: 0, offset: [1, 0]}]}': (
        r"line 7: .*cases\[0\].form' must have '#' or '\?' in the middle"
    ),
    TYPE + 'python: find': "line 7: field 'place_types.gate.python' names 'find', which no",
    KICK + 'prob: 2\n    body: []': "line 7: field 'kickers.wander.prob' must be from 0 to 1",
    KICK + 'prob: 0.5': 'must have either body or python',
    KICK + 'python: roll': 'no installed package offers under ars_magna.behaviors',
    KICK + 'body: []\n    test: 3': "test' must be a condition",
    KICK + 'body: []\n    test: dark': "line 8: .*test' names 'dark', which is not known there",
    KICK + "body: []\n    test: attr('dark')": "test' names 'dark', which is no attribute",
    KICK + 'body: []\n    test: (': "test' must be written as in",
    KICK + 'body: [{kick: {dx: up}}]': r"body\[0\].kick.dx' names 'up', which is not known",
    KICK + 'body: [{kick: {dx: true}}]': "kick.dx' must be a number or an expression",
    KICK + """body: [{kick: {dx: '"a"'}}]""": "kick.dx' must be a number or an expression",
    KICK + """body: [{kick: {dx: "attr('color')"}}]""": "kick.dx' must be a number or an",
    KICK + 'body: [{kick: {dx: 1 < 2}}]': "kick.dx' must be a number or an expression",
    HEAD
    + '  prototypes:\n    p0: {size: 1}\n'
    + ''.join(
        f'    p{i}: {{contents: [{{name: a, contents: [{{name: b, contents: '
        f'[{{name: c, prototype: p{i - 1}}}]}}]}}]}}\n'
        for i in range(1, 20)
    ): 'contents. must nest at most 50 deep; put fewer into each other',
    KICK + 'body: [{kick: {dx: robot}}]': "kick.dx' must be a number or an expression",
    KICK + 'body: [{kick: {dx: in_bin}}]': "kick.dx' must be a number or an expression",
    KICK + """body: [{kick: {dx: "1 * attr('color')"}}]""": (
        r"kick.dx' must have a number in place of 'attr\('color'\)', which is a word"
    ),
    KICK + """body: [{kick: {dx: "uniform(attr('obsview'), 2)"}}]""": 'which is true or false',
    KICK + "body: []\n    test: not attr('color') > 3": 'must have a number in place of',
    KICK + 'body: []\n    test: near(self)': "have a robot in place of 'self', which is a thing",
    KICK + 'body: []\n    test: is_open(x)': 'must have a part of a robot or a thing in place of',
    KICK + "body: []\n    test: attr(robot, 'size') > 1": "'robot', which is a robot",
    KICK + 'body: [{set: {self: {color: x > 2}}}]': "must be a word; 'x > 2' is true or false",
    KICK + 'body: [{set: {self: {size: in_bin}}}]': "must be a number; 'in_bin' is true or",
    KICK + """body: [{set: {self: {color: "'pink'"}}}]""": "color' is wrong: 'color' cannot be",
    KICK + 'body: [{set: {self: {size: 0 - 3}}}]': "size' must be 0 or more, not -3",
    KICK + 'body: [{set: {}}]': "set' must name a thing, and attributes of it with their values",
    METHOD + 'body: [{error: NO-WAY}, {set: {}}]': r"body\[1\].set' must name a thing",
    METHOD + 'body: [{set: {box: {}}}]': "set' must name a thing, and attributes",
    METHOD + 'body: [{return: hand + 1}]': "number in place of 'hand', which is a part of a robot",
    KICK + 'body: [{kick: {dx: 1/0}}]': "kick.dx' cannot be worked out: it divides by zero",
    KICK + 'body: []\n    test: 1 / 0 > 1': "test' cannot be worked out: it divides by zero",
    KICK
    + """body: [{kick: {dx: 'uniform(1, -1)'}}]""": "must give 'uniform' two numbers, the low",
    KICK + """body: [{kick: {dx: 'x + uniform(1/0, 2)'}}]""": "must give 'uniform' two numbers",
    KICK
    + 'body: [{kick: {on: lamp}}]': "kick.on' names 'lamp', which is not a thing here; use one of",
    KICK + 'body: [{set: {self: {color: pink}}}]': "set.self.color' is wrong: 'color' cannot be",
    KICK + 'body: [{set: {self: {mass: 3}}}]': "set.self.mass' names 'mass'",
    KICK + 'body: [{return: 3}]': r"body\[0\].return' may only be a step of a manipulation",
    KICK + 'body: [{error: NO-KEY}]': r"body\[0\].error' may only be a step of a manipulation",
    KICK
    + 'body: [{create: {name: x, prototype: y}}]': "create.prototype' names 'y', which is not",
    KICK + 'body: [{move: {into: lamp}}]': "move.into' names 'lamp'",
    KICK + 'body: [{run_again: {times: 0}}]': 'times',
    KICK
    + 'body: [{jump: 3}]': r"body\[0\].jump' is not a field of a world file; use one of kick, set",
    KICK + 'body: [{}]': r'body\[0\]. must hold one step',
    KICK + 'body: [{kick: {dx: 1}, destroy: self}]': 'must hold one step',
    KICK + 'body: [{if: true}]': "must hold 'then' with 'if'",
    KICK + 'body: [{if: true, then: [{destroy: x}]}]': r"then\[0\].destroy' names 'x'",
    METHOD + 'body: [{return: 1}, {return: 2}]': r'body\[1\]. is never reached: the step before',
    METHOD + 'body: [{error: NO-WAY}, {destroy: box}]': r'body\[1\]. is never reached',
    METHOD + 'body: [{error: "nil"}]': "error' is the code of success; leave it out",
    METHOD + 'body: [{run_again: {times: 2}}]': 'may only be a step of a kicker; leave it out',
    METHOD + "body: [{return: attr('size')}]": "return' must give 'attr' 2 arguments",
    METHOD + 'body: [{return: near(box)}]': "return' calls 'near', which is not known there",
    METHOD + 'body: [{kick: {dx: 1}}]': "kick.on' names 'self', which is not a thing here",
    METHOD + 'body: [{move: {on: box, into: box}}]': "move.into' names 'box'",
    METHOD + 'others: [box]\n    body: []': "names 'box' as a parameter, which is taken",
    METHOD + 'others: [attr]\n    body: []': "names 'attr' as a parameter, which is taken",
    HEAD
    + 'robots: [{name: "R*x", at: [1, 1]}]': "name' names 'r.x', which no robot can be called",
    HEAD
    + 'robots: [{name: a__b, at: [1, 1]}]': 'use letters, digits and single _, a letter first',
    HEAD + 'robots: [{name: admin, at: [1, 1]}]': 'and none of admin, display',
    METHOD + 'delay: -1\n    body: []': 'delay',
    HEAD + 'manipulations: {lock: []}': 'manipulations.lock',
    HEAD + 'manipulations: {lock: {objects: {}, by: hand, body: []}}': (
        "field 'manipulations.lock' must be a valid list; write a name with a list of methods, as "
    ),
    HEAD + 'manipulations: {lock: [{objects: {box: {mass: 3}}, by: hand, body: []}]}': (
        r"lock\[0\].objects.box' is wrong: there is no attribute 'mass'"
    ),
    '- 1': "line 1: must be a list of fields such as 'ars_schema: 1'",
}


@pytest.mark.parametrize(('text', 'reason'), WRONG.items())
def test_wrong_file_is_one_sentence(text: str, reason: str) -> None:
    with pytest.raises(DesignFileError, match=reason) as caught:
        parse_design(text, 'my.yaml')
    message = str(caught.value)
    assert message.startswith('my.yaml, line ')
    assert message.endswith(('.', '?'))
    assert not message.endswith(('..', '?.'))
    assert '\n' not in message
    assert len(message) < 400


KEYS = ['name', 'at', 'attrs', 'contents', 'prototype', 'size', 'color', 'use', 'on', 'prob']
KEYS += ['test', 'body', 'kick', 'set', 'self', 'if', 'then', 'else', 'return', 'error', 'create']
KEYS += ['destroy', 'move', 'run_again', 'times', 'objects', 'by', 'domain', 'matchers', 'form']
KEYS += ['direction', 'checker', 'cases', 'python', 'cameras', 'fov', 'max_speed', 'a', 'b']
SECTIONS = ['attributes', 'place_types', 'kickers', 'manipulations', 'robots', 'parameters']
WORLD = ['substances', 'prototypes', 'objects', 'kickers', 'walls', 'strict']
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 90)
    | st.floats()
    | st.sampled_from(['numeric', 'x + 1', 'self', '?x', '.#?', 'hand', '9' * 400, 10**400, '(']),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)
        | st.fixed_dictionaries({'name': st.just('a'), 'at': st.just([1, 1]), 'attrs': inner})
        | st.fixed_dictionaries({'body': inner, 'prob': st.just(0.5)})
        | st.fixed_dictionaries({'objects': inner, 'by': st.just('hand'), 'body': inner})
    ),
    max_leaves=10,
)


@settings(max_examples=400, deadline=None)
@given(
    st.dictionaries(st.sampled_from(SECTIONS), VALUES, max_size=3),
    st.dictionaries(st.sampled_from(WORLD), VALUES, max_size=3),
)
def test_any_values_are_a_design_or_one_sentence(
    sections: dict[str, object], world: dict[str, object]
) -> None:
    whole = {'ars_schema': 1, 'world': {'name': 'x', 'size': [5, 5], **world}, **sections}
    try:
        parse_design(yaml.dump(whole), 'any.yaml')
    except DesignFileError as error:
        assert '\n' not in str(error)


SIGNS = ['[', ']', '{', '}', ',', ': ', ':', '-', '\n', '  ', '#', '7', '0.2', '.nan', '"', '?']


@settings(max_examples=200, deadline=None)
@given(
    st.one_of(st.text(max_size=60), st.lists(st.sampled_from(KEYS + SIGNS), max_size=25)),
    st.sampled_from(['', HEAD, THING, KICK + 'body: ', METHOD, TYPE]),
)
def test_any_text_is_a_design_or_one_sentence(text: str | list[str], head: str) -> None:
    try:
        parse_design(head + ''.join(text), 'any.yaml')
    except DesignFileError as error:
        assert '\n' not in str(error)


@pytest.mark.parametrize(
    ('written', 'sentence'),
    [
        ('attributes:\n  size: {domain: [big, small]}\n', 'must stay numeric'),
        ('attributes:\n  obsmove: {domain: numeric}\n', 'must stay discrete'),
        ('prototypes: {}\n', 'prototypes'),
    ],
)
def test_what_the_world_goes_by_keeps_its_kind(written, sentence):
    text = f'ars_schema: 1\nworld: {{name: w, size: [5, 5]}}\n{written}'
    with pytest.raises(DesignFileError, match=sentence):
        parse_design(text, 'w')


def test_sizes_are_not_negative():
    thing = '{name: a, at: [1, 1], attrs: {size: -1}}'
    text = f'ars_schema: 1\nworld: {{name: w, size: [5, 5], objects: [{thing}]}}\n'
    with pytest.raises(DesignFileError, match="'size' must be 0 or more"):
        parse_design(text, 'w')
