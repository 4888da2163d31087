"""Test reading and writing of terrain files."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from walking_robots.geometry.units import FOOT
from walking_robots.terrain.cells import SHARP, SLIPPERY, SOFT
from walking_robots.terrain.files import TerrainFileError, dump, load_terrain, parse_terrain
from walking_robots.terrain.generator import DEFAULT_PROFILE, Ditch, build
from walking_robots.terrain.relief import too_steep

EXAMPLES = sorted((Path(__file__).parents[2] / 'config' / 'terrain').glob('*.yaml'))


@pytest.mark.parametrize('path', EXAMPLES, ids=lambda path: path.stem)
def test_shipped_examples_load(path: Path) -> None:
    assert load_terrain(path).cells.shape == (49, 49)


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 5


def test_all_fields() -> None:
    terrain = parse_terrain(
        'cell: 1ft\nsize: [49, 49]\nprofile: default\nrandom: {share: 0.2, seed: 77}\n'
        'ditches:\n- {near_edge: 21ft, width: 7ft}\n- {near_edge: 10m, width: 80cm, angle: 5deg}\n'
    )
    ditches = [Ditch(21 * FOOT, 7 * FOOT), Ditch(10.0, 0.8, np.deg2rad(5))]
    assert terrain == build(share=0.2, seed=77, profile=DEFAULT_PROFILE, ditches=ditches)


def test_drawn_cells_and_heights() -> None:
    terrain = parse_terrain("cells:\n- '.#.'\n- '?..'\ncell: 0.5\nheights: [0, 10cm, 0.2]\n")
    assert terrain.cells.tolist() == [[0, 1, 0], [-1, 0, 0]]
    assert terrain.profile.tolist() == [0.0, 0.1, 0.2]


def test_forbidden_ground_is_of_a_kind() -> None:
    drawn = "cells:\n- '.#~'\n- '?*^'\n"
    assert parse_terrain(drawn).kinds.tolist() == [[0, 0, SOFT], [0, SLIPPERY, SHARP]]
    terrain = parse_terrain('forbidden: slippery\n' + drawn)
    assert terrain.cells.tolist() == [[0, 1, 1], [-1, 1, 1]]
    assert terrain.kinds.tolist() == [[0, SLIPPERY, SOFT], [0, SLIPPERY, SHARP]]
    assert parse_terrain(dump(terrain)) == terrain != parse_terrain(drawn)
    assert parse_terrain('random: {share: 0.2}').kinds is None


def test_ditches_and_steep_cells_are_of_no_kind() -> None:
    terrain = parse_terrain(
        'forbidden: sharp\nrandom: {share: 0.2, seed: 7}\n'
        'ditches: [{near_edge: 21ft, width: 7ft}]\n'
        'blocks: {height: 2m, side: 3ft, gap: 5ft, start: 30ft}\n'
    )
    steep = too_steep(terrain.heights, terrain.cell)
    other = (terrain.cells == 1) & ~steep
    other[21:28] = False
    assert steep.any() and other.any()
    assert (terrain.kinds == np.where(other, SHARP, 0)).all()


def test_points_and_slope() -> None:
    terrain = parse_terrain('profile: [[15ft, 0], [30ft, 2ft]]')
    assert terrain.profile[30] == pytest.approx(2 * FOOT)
    assert parse_terrain('slope: -10deg').profile[49] < -1.0


WRONG = {
    'size: [49]': 'line 1: .*size.*rows',
    'size: [49, 49]\ncell: 1yd': 'line 2: .*cell.*unknown unit.*1ft',
    'size: [49, 49]\n\nfoo: 1': 'line 3: .*foo.*not a field.*use one of',
    'random: {share: .2, sed: 3}': 'line 1: .*random.sed.*use one of share, seed',
    'ditches:\n- {near_edge: 21ft}': r'line 2: .*ditches\[0\]\.width.*missing',
    'ditches:\n- near_edge: 21ft\n  width: -2': r'line 3: .*ditches\[0\]\.width.*positive',
    'ditches:\n- near_edge: 99m\n  width: 2': r'line 2: .*ditches\[0\].*at least one cell',
    'ditches:\n- near_edge: 3\n  width: 2\n  tilt: 3': 'line 4: .*tilt.*near_edge, width, angle',
    'cells:\n- ".."\n- "..."': r'line 3: .*cells\[1\].*2 letters',
    'cells:\n- ".."\n- ".x"': r"line 3: .*cells\[1\].*'x'",
    'cells: []': 'line 1: .*cells',
    'size: [9, 9]\nforbidden: mud': 'line 2: .*forbidden.*hole, soft, slippery or sharp',
    'cells: [""]': r'line 1: .*cells\[0\]',
    'size: [2, 2]\ncells: [".."]': 'line 1: .*size.*1 rows of 2',
    'random:\n  share: 0.95': 'line 2: .*random.share.*0.9',
    'random: {share: .nan}': 'random.share',
    'random: {share: true}': 'random.share',
    'heights: [0, .nan]': r'heights\[1\].*finite',
    'heights: [0, 1]': 'heights.*50 entries',
    'corner_heights: [[0, 1]]': 'corner_heights.*50 lists of 50',
    'slopes: [{angle: 50deg}]': r'slopes\[0\]\.angle.*30 degrees',
    'stairs: [{start: 1m, rise: 10cm, tread: 0m, steps: 3}]': r'stairs\[0\]\.tread.*positive',
    'rubble: {height: 3cm, tread: 1m}': 'rubble.tread.*use one of height, seed, start',
    'blocks: {height: 1m, side: 1m}': r'blocks\.gap.*missing',
    'size: [5000, 5000]': r'size\[0\].*1000',
    'profile: [[1, 0], [1, 2]]': 'profile.*growing',
    'profile:\n- [1, 0]\n- [2, x]': r"line 3: .*profile\[1\]\[1\].*'x'",
    'profile: steep': "profile.*'flat' or 'default'",
    'slope: 40deg': 'slope.*30 degrees',
    'slope: 3deg\nprofile: flat': 'slope.*cannot stand beside profile',
    'cell: .inf': 'cell.*finite',
    'a: [': 'line 2: is not valid YAML',
    'a: &x 1\nb: *x': 'line 2: .*alias',
    'size: [2, 2]\nsize: [3, 3]': "line 2: .*'size' twice",
    '[' * 40: 'line 1: nests deeper',
    'cell: 1\n\x00': 'line 2: .*character',
    'a: !!python/object:os.system x': 'line 1: is not valid YAML',
    'cell: 2001-99-99': 'line 1: .*cannot express',
    '- 1': 'line 1: must be a list of fields',
    '': 'line 1: must be a list of fields',
    '1: 2': 'line 1',
}


@pytest.mark.parametrize(('text', 'reason'), WRONG.items())
def test_wrong_file_is_one_sentence(text: str, reason: str) -> None:
    with pytest.raises(TerrainFileError, match=reason) as caught:
        parse_terrain(text, 'my.yaml')
    message = str(caught.value)
    assert message.startswith('my.yaml, line ')
    assert message.endswith('.')
    assert '\n' not in message
    assert len(message) < 300


def test_too_long_text() -> None:
    with pytest.raises(TerrainFileError, match='longer than 4 MB'):
        parse_terrain('#' * 4_000_001)


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(TerrainFileError, match=r'no.yaml: cannot be read \(no such file'):
        load_terrain(tmp_path / 'no.yaml')
    with pytest.raises(TerrainFileError, match='cannot be read'):
        load_terrain(tmp_path)
    (tmp_path / 'latin.yaml').write_bytes(b'cell: 1\n# \xe9\n')
    with pytest.raises(TerrainFileError, match='line 2: is not UTF-8'):
        load_terrain(tmp_path / 'latin.yaml')


def test_dump_reads_back(tmp_path: Path) -> None:
    terrain = build(12, 7, 0.1, share=0.4, profile=((0.3, 1 / 3), (0.7, 1e-9)))
    path = tmp_path / 'terrain.yaml'
    path.write_text(dump(terrain))
    assert load_terrain(path) == terrain


def test_only_a_whole_terrain_is_dumped() -> None:
    terrain = build(3, 3)
    patch = type(terrain)(terrain.cells, terrain.heights, terrain.cell, first_row=2)
    with pytest.raises(ValueError, match='whole'):
        dump(patch)


WORDS = st.sampled_from(
    [
        'size',
        'cell',
        'cells',
        'random',
        'share',
        'seed',
        'profile',
        'slope',
        'heights',
        'ditches',
        'near_edge',
        'width',
        'angle',
        'flat',
        '7ft',
        '49',
        '0.2',
        '.nan',
        '-',
        ':',
        ': ',
        '\n',
        '  ',
        '[',
        ']',
        '{',
        '}',
        ',',
        '#',
        '&a',
        '*a',
        '!!int',
        '!!binary',
        '<<',
        '|',
        '>',
        '"',
        "'",
        '?',
        '\t',
        '%',
        '---',
        '...',
        '\ud800',
        '\u2028',
        '1e400',
        '0o9',
        '2001-13-01',
        '=',
        '~',
        'true',
    ]
)


@settings(max_examples=400, deadline=None)
@given(st.one_of(st.text(max_size=80), st.lists(WORDS, max_size=25).map(''.join)))
def test_any_text_is_a_terrain_or_a_terrain_file_error(text: str) -> None:
    try:
        parse_terrain(text, 'any.yaml')
    except TerrainFileError as error:
        assert '\n' not in str(error)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(['7ft', '20deg', 'flat', 'default', '..', '#.', 'x']),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(['near_edge', 'width', 'angle', 'share', 'seed']), inner, max_size=3
        )
    ),
    max_leaves=8,
)


@settings(max_examples=400, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(
            ['size', 'cell', 'cells', 'random', 'profile', 'slope', 'heights', 'ditches']
        ),
        VALUES,
        max_size=4,
    )
)
def test_any_values_are_a_terrain_or_a_terrain_file_error(content: dict[str, object]) -> None:
    import yaml

    try:
        parse_terrain(yaml.dump(content), 'any.yaml')
    except TerrainFileError as error:
        assert '\n' not in str(error)
