"""The command ``walking_robots trial hexapod``."""

import json

import pytest

from walking_robots.cli import main


def call(capsys, *arguments):
    """Run the command; give its exit code, and what it printed to stdout and stderr."""
    with pytest.raises(SystemExit) as ended:
        main(['trial', 'hexapod', *arguments])
    printed = capsys.readouterr()
    return ended.value.code, printed.out, printed.err


def test_a_walk_as_json(capsys):
    code, out, _ = call(
        capsys,
        '--robot',
        'rectangular',
        '--gait',
        'wave',
        '--speed',
        '10mm/s',
        '--time',
        '2s',
        '--json',
    )
    found = json.loads(out)
    assert code == 0
    assert (found['robot'], found['gait'], found['speed_m_s']) == ('rectangular', 'wave', 0.01)
    assert found['sim_time_s'] == 2.0 and found['max_drift_m'] < 1e-6


def test_a_walk_as_a_table_on_a_file_of_terrain(capsys):
    code, out, err = call(
        capsys, '--robot', 'insect18', '--time', '1s', '--start', '2m',
        '--terrain', 'config/terrain/default_profile.yaml',
    )  # fmt: skip
    assert code == 0, err
    assert 'min_static_margin_m' in out


@pytest.mark.parametrize(
    ('arguments', 'words'),
    [
        (('--robot', 'spider'), "there is no robot 'spider'"),
        (('--gait', 'gallop'), "'gallop' is not one of"),
        (('--speed', '3kg'), 'speed'),
        (('--height', '50cm'), 'take another posture'),
        (('--period', '0.2s'), 'take a longer period'),
    ],
)
def test_bad_input_is_one_sentence(capsys, arguments, words):
    code, out, err = call(capsys, *arguments)
    assert (code, out, err.count('\n')) == (2, '', 1)
    assert words in err
