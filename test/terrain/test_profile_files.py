"""Files of profiles, and what is said of wrong ones."""

import os
from pathlib import Path

import pytest

from walking_robots.terrain.profile import rough
from walking_robots.terrain.profile_files import (
    ProfileFileError,
    load_profile,
    parse_csv_profile,
    parse_profile,
)

CONFIG = Path(__file__).parents[2] / 'config/profiles'


def test_the_shipped_rough_ground_is_that_of_the_thesis():
    assert load_profile(CONFIG / 'rough.yaml') == rough()


def test_the_shipped_hills_repeat():
    hills = load_profile(CONFIG / 'hills.yaml')
    assert hills.height(2.2) == pytest.approx(hills.height(2.2 + 12.0)) == pytest.approx(0.2)


def test_units_are_read():
    assert parse_profile('points: [[0, 0], [1ft, 2in]]').z == pytest.approx((0.0, 0.0508))


def test_random_ground_is_that_of_its_seed():
    one, two = (parse_profile(f'random: {{unit: 2cm, seed: {seed}}}') for seed in (3, 4))
    assert one == parse_profile('random: {unit: 2cm, seed: 3}') != two


def test_rows_of_a_table_are_points(tmp_path):
    path = tmp_path / 'ground.csv'
    path.write_text('x,height\n0,0\n\n0.5, 0.02\n1.0,0.0\n')
    ground = load_profile(path)
    assert (ground.x, ground.z) == ((0.0, 0.5, 1.0), (0.0, 0.02, 0.0))


@pytest.mark.parametrize(
    ('text', 'sentence'),
    [
        ('points: [[0, 0]]', "line 1: field 'points' .* at least 2"),
        ('points: [[0, 0], [0, 1]]', r"'points\[1\]' must lie at a greater x"),
        ('points: [[0, 0], [0.00001mm, 1]]', r"'points\[1\]' .* by 0.1 mm or more"),
        ('outside: level', "field 'points' is missing"),
        ('random: {seed: 1}\npoints: [[0, 0], [1, 0]]', "'random' cannot stand beside points"),
        ('points: [[0, 0], [1, 1cm]]\noutside: wrap', "line 2: field 'outside' must not be wrap"),
        (
            'points: [[0, 0], [1mm, 0]]\noutside: wrap',
            "'outside' must not be wrap here.* 0.1 m long",
        ),
        ('grid: {unit: 1cm, heights: [0, 0.5]}', r"'grid.heights\[1\]'"),
        ('slope: 3', 'is not a field of a profile; use one of points, grid'),
    ],
)
def test_a_wrong_file_is_one_sentence(text, sentence):
    with pytest.raises(ProfileFileError, match=sentence) as caught:
        parse_profile(text, 'my.yaml')
    assert '\n' not in str(caught.value)


@pytest.mark.parametrize(
    ('text', 'sentence'),
    [
        ('0,0\n1,high\n', 'line 2: must be two numbers'),
        ('0,0\n1,nan\n', 'line 2: must be two numbers'),
        ('0,0\n0,1\n', 'line 2: must lie at a greater x'),
        ('0,0\n1e-300,1\n', 'line 2: must lie at a greater x'),
        ('0,0\n1,1e300\n', 'line 2: must be within 1 km'),
        ('-2000,0\n1,0\n', 'line 1: must be within 1 km'),
        ('x,z\n0,0\n', 'fewer than two points'),
    ],
)
def test_a_wrong_table_is_one_sentence(text, sentence):
    with pytest.raises(ProfileFileError, match=sentence):
        parse_csv_profile(text, 'my.csv')


@pytest.mark.parametrize('ending', ['csv', 'ter', 'yaml'])
def test_a_pipe_is_refused_at_once(tmp_path, ending):
    path = tmp_path / f'ground.{ending}'
    os.mkfifo(path)
    with pytest.raises(ProfileFileError, match=r'cannot be read \(it is no regular file\)'):
        load_profile(path)
