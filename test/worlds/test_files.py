"""Test reading of world files."""

import math
from pathlib import Path

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from walking_robots.geometry.se2 import Pose2
from walking_robots.worlds.files import WorldFileError, load_world, parse_world

CONFIG = Path(__file__).parents[2] / 'config' / 'worlds'
EXAMPLES = sorted(CONFIG.glob('*.yaml'))
HEAD = 'ars_schema: 1\nworld:\n  name: x\n  size: [8, 6]\n'


@pytest.mark.parametrize('path', EXAMPLES, ids=lambda path: path.stem)
def test_shipped_examples_load(path: Path) -> None:
    world = load_world(path)
    assert world.name == path.stem
    assert world.warnings == ()
    assert not world.is_filled(*world.cell_at(world.start.x, world.start.y))
    border = [world.filled[0], world.filled[-1], world.filled[:, 0], world.filled[:, -1]]
    assert np.concatenate(border).all()


def test_there_are_examples() -> None:
    assert {'big_room', 'corridor', 'scout_rooms'} <= {path.stem for path in EXAMPLES}


def test_big_room_is_that_of_the_manual() -> None:
    world = load_world(CONFIG / 'big_room.yaml')
    assert (world.rows, world.columns, world.cell, world.origin) == (75, 75, 1.0, (-0.5, -0.5))
    assert world.filled.sum() == 337
    # A cell (x, y) of the manual is centred on (x, 74 - y) here (ars_magna.md §1.9).
    assert world.substance_at(*world.cell_at(30.0, 74.0 - 10.0)) == ('slate', 10.0)
    assert world.substance_at(*world.cell_at(74.0, 0.0)) == ('bricks', 30.0)
    assert world.start == Pose2(10.0, 69.0, 0.0)


def test_y_down_and_up() -> None:
    walls = (
        '  walls:\n  - wall: {from: [1, 0], to: [3, 0], type: Slate, params: [2]}\n'
        '  start: {at: [2, 1], heading: 90deg}\n'
    )
    down, up = parse_world(HEAD + walls), parse_world(HEAD + '  y_axis: up\n' + walls)
    assert np.nonzero(down.filled[5])[0].tolist() == [1, 2, 3]
    assert (down.filled[::-1] == up.filled).all()
    assert (down.substance[::-1] == up.substance).all()
    assert (down.parameter[::-1] == up.parameter).all()
    assert (down.origin, up.origin) == ((-0.5, -0.5), (0.0, 0.0))
    assert down.start == Pose2(2.0, 4.0, math.pi / 2)
    assert up.start == Pose2(2.5, 1.5, math.pi / 2)
    assert up.substance_at(0, 1) == ('slate', 2.0)


def test_lengths() -> None:
    text = (
        'ars_schema: 1\nworld:\n  name: x\n  size: [2m, 100cm]\n  cell: 5cm\n  y_axis: AXIS\n'
        '  walls:\n'
        '  - wall: {from: [0.15m, 0m], to: [0.349m, 0m]}\n'
        '  - wall: {from: [2m, 20], to: [2m, 0.95m]}\n'
        '  - circle: {center: [1m, 0.5m], radius: 10cm, fill: true}\n'
        '  start: {at: [1.5m, 0.3m]}\n'
    )
    up = parse_world(text.replace('AXIS', 'up'))
    assert up.filled.shape == (20, 40)
    # 0.15 / 0.05 is a little less than 3, and means 3.
    assert np.nonzero(up.filled[0])[0].tolist() == [3, 4, 5, 6]
    assert np.nonzero(up.filled[:, 39])[0].tolist() == [19]
    assert up.filled[10, 18:23].all()
    assert not up.filled[10, [17, 23]].any()
    assert up.start == Pose2(1.5, 0.3, 0.0)
    assert up.warnings == ()
    down = parse_world(text.replace('AXIS', 'down'))
    assert np.nonzero(down.filled[19])[0].tolist() == [3, 4, 5, 6]
    assert down.start == pytest.approx(Pose2(1.475, 0.675, 0.0))


def test_defaults() -> None:
    world = parse_world(HEAD + '  walls:\n  - wall: {from: [0, 0], to: [1, 0]}\n')
    assert world.substance_at(5, 0) == ('wall', 0.0)
    assert (world.cell, world.warnings) == (1.0, ())
    assert world.start == Pose2(3.5, 2.5, 0.0)


def test_what_ars_magna_reads_may_stand_there() -> None:
    walls = '  walls:\n  - wall: {from: [0, 0], to: [1, 0]}\n'
    things = '  strict: true\n  objects: [{name: lamp, at: [4, 4]}]\nrobots: []\nkickers: 3\n'
    world, plain = parse_world(HEAD + walls + things), parse_world(HEAD + walls)
    assert (world.filled == plain.filled).all()
    assert world.start == plain.start


def test_warnings() -> None:
    world = parse_world(
        HEAD + '  walls:\n  - wall: {from: [0, 0], to: [9, 0]}\n  start: {at: [1, 0]}\n'
    )
    outside, start = world.warnings
    assert 'walls[0] reaches outside the map of 8 x 6 cells' in outside
    assert 'start lies in a filled cell' in start


WALL = HEAD + '  walls:\n'
WRONG = {
    'ars_schema: 2\nworld: {name: x, size: [8, 6]}': 'line 1: .*ars_schema.* must be 1',
    'world: {name: x, size: [8, 6]}': 'line 1: .*ars_schema.*missing',
    'ars_schema: 1': "line 1: .*'world' is missing; write world:",
    'ars_schema: 1\nworld: 3': 'line 2: .*world',
    'ars_schema: 1\nrobots: []': 'line 1: .*world',
    'ars_schema: 1\nworld:\n  size: [8, 6]': 'line 2: .*world.name.*missing',
    'ars_schema: 1\nworld:\n  name: x': 'line 2: .*world.size.*missing',
    'ars_schema: 1\nworld:\n  name: x\n  size: [8]': r'line 4: .*world.size.*missing',
    'ars_schema: 1\nworld:\n  name: x\n  size:\n  - 8\n  - 2001': r'line 6: .*size\[1\].* 2000 ',
    'ars_schema: 1\nworld:\n  name: x\n  size: [0, 8]': r'line 4: .*size\[0\].* 1 to 2000 cells',
    'ars_schema: 1\nworld:\n  name: x\n  size: [-1, 8]': r'line 4: .*size\[0\].*not be negative',
    'ars_schema: 1\nworld:\n  name: x\n  size: [8, 6.5m]': r'size\[1\].* whole number of cells of',
    'ars_schema: 1\nworld:\n  name: x\n  size: [8, true]': r'size\[1\].* whole number of cells',
    HEAD + '  doors: []': 'line 5: .*doors.*not a field of a world file; use one of name, size',
    HEAD + 'doors: []': "line 5: .*'doors' is not a field of a world file; use one of ars_schema",
    HEAD + '  cell: 5yd': 'line 5: .*world.cell.*unknown unit.*5cm',
    HEAD + '  cell: 1mm': 'line 5: .*world.cell.*1 cm to 100 m',
    HEAD + '  y_axis: left': "line 5: .*world.y_axis.*'down' or 'up'",
    HEAD + '  start: {at: [8, 2]}': r'line 5: .*world.start.at\[0\].*inside the map',
    HEAD + '  start: {at: [2, -1m]}': r'line 5: .*world.start.at\[1\].*inside the map',
    HEAD + '  start: {at: [2, 1], heading: 1turn}': 'line 5: .*start.heading.*unit.*90deg',
    HEAD + '  start: {heading: 0}': 'line 5: .*start.at.*missing',
    HEAD + '  walls: 3': 'line 5: .*world.walls.*list',
    WALL + '  - {}': r'line 6: .*walls\[0\].*one of wall, rect and circle',
    WALL + '  -': r'line 6: .*walls\[0\]',
    WALL + '  - wall:': r'line 6: .*walls\[0\]',
    WALL + '  - line: {from: [0, 0], to: [1, 1]}': 'line 6: .*use one of wall, rect, circle',
    WALL + '  - wall: {from: [0, 0], at: [1, 1]}': r'line 6: .*walls\[0\].wall',
    WALL
    + '  - wall: {from: [0, 0], to: [1, 1], colour: red}': 'use one of type, from, to, params',
    WALL + '  - wall:\n      from: [0, 0]\n      to: [1, 1.5]': r'line 8: .*\.wall\.to\[1\].*unit',
    WALL + "  - wall: {from: [0, 0], to: [1, '1.5']}": r'wall\.to\[1\].*must have a unit',
    WALL + '  - wall: {from: [0, 0], to: [1, 11km]}': r'wall\.to\[1\].*10 km',
    WALL + '  - wall: {from: [0, 0], to: [1, 2001]}': r'wall\.to\[1\].*2000 cells',
    WALL + '  - wall: {from: [0, 0], to: [1, 1], type: 3}': 'wall.type.*string',
    WALL + '  - wall: {from: [0, 0], to: [1, 1], params: [1, 2, 3]}': 'wall.params.*length 1 or 2',
    WALL + '  - wall: {from: [0, 0], to: [1, 1], params: []}': 'wall.params.*length 1 or 2',
    WALL + '  - wall: {from: [0, 0], to: [1, 1], params: [.nan]}': r'wall.params\[0\].*finite',
    WALL + '  - rect: {from: [0, 0], to: [1, 1], params: [1, 2]}': 'rect.params.*length 1 or 4',
    WALL + '  - circle: {center: [0, 0], radius: -1}': 'circle.radius.*negative',
    WALL + '  - circle: {center: [0, 0], radius: 1, fill: 3}': 'circle.fill.*true or false',
    WALL + '  - circle: {center: [0, 0], radius: 1, params: [1, 1]}': 'circle.params.*length 1;',
    '- 1': "line 1: must be a list of fields such as 'ars_schema: 1'; see config/worlds",
    'a: [': 'line 2: is not valid YAML',
}


@pytest.mark.parametrize(('text', 'reason'), WRONG.items())
def test_wrong_file_is_one_sentence(text: str, reason: str) -> None:
    with pytest.raises(WorldFileError, match=reason) as caught:
        parse_world(text, 'my.yaml')
    message = str(caught.value)
    assert message.startswith('my.yaml, line ')
    assert message.endswith('.')
    assert '\n' not in message
    assert len(message) < 300


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(WorldFileError, match='give the path of a world file in YAML'):
        load_world(tmp_path / 'no.yaml')
    (tmp_path / 'bad.yaml').write_text('ars_schema: 1\nworld: {size: [1, 1]}')
    with pytest.raises(WorldFileError, match=r'bad\.yaml, line 2: .*name'):
        load_world(tmp_path / 'bad.yaml')


KEYS = ['name', 'size', 'cell', 'y_axis', 'walls', 'start', 'wall', 'rect', 'circle', 'from']
KEYS += ['to', 'center', 'radius', 'fill', 'type', 'params', 'at', 'heading', 'objects']
SIGNS = ['[', ']', '{', '}', ',', ': ', ':', '-', '\n', '  ', '#', '7', '0.2', '5cm', '.nan', '"']
SIGNS += ['\t', '&a', '*a', '!!int', '|', '\ud800', '1e400', '~', 'true', 'down', '90deg']


@settings(max_examples=400, deadline=None)
@given(
    st.one_of(st.text(max_size=80), st.lists(st.sampled_from(KEYS + SIGNS), max_size=25)),
    st.sampled_from(['', 'ars_schema: 1\nworld:\n  ', WALL + '  - wall: ']),
)
def test_any_text_is_a_world_or_a_world_file_error(text: str | list[str], head: str) -> None:
    try:
        parse_world(head + ''.join(text), 'any.yaml')
    except WorldFileError as error:
        assert '\n' not in str(error)


NUMBERS = st.integers() | st.integers(-9, 90) | st.floats()
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | NUMBERS
    | st.sampled_from(['7ft', '20deg', 'up', 'x', '1e400', '9' * 400, 10**400]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(KEYS), inner, max_size=3)
        | st.fixed_dictionaries({'from': st.lists(inner, min_size=2, max_size=2)})
    ),
    max_leaves=8,
)


@settings(max_examples=400, deadline=None)
@given(st.dictionaries(st.sampled_from(KEYS[:6]), VALUES, max_size=4))
def test_any_values_are_a_world_or_a_world_file_error(content: dict[str, object]) -> None:
    whole = {'ars_schema': 1, 'world': {'name': 'x', 'size': [5, 5], **content}}
    try:
        parse_world(yaml.dump(whole), 'any.yaml')
    except WorldFileError as error:
        assert '\n' not in str(error)
