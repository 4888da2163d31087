"""The commands that look at the file of a hexapod and describe it."""

import json
from pathlib import Path

import pytest

from walking_robots.cli import main
from walking_robots.cli.robots import HARDWARE
from walking_robots.robots.aquarobot import AQUAROBOT
from walking_robots.robots.hexapod_files import find_hexapod
from walking_robots.robots.urdf import description

INSECT = Path(__file__).resolve().parents[2] / 'config/robots/insect18.yaml'


def call(capsys, *arguments, command='check'):
    with pytest.raises(SystemExit) as ended:
        main(['robot', command, *map(str, arguments)])
    captured = capsys.readouterr()
    return int(ended.value.code or 0), captured.out, captured.err


def test_check_shows_reach_stances_and_speeds(capsys):
    code, out, err = call(capsys, 'aquarobot', '--period', '60s')
    assert (code, err) == (0, '')
    assert out.startswith('aquarobot: 18 joints, 730 kg (guessed)\n')
    assert 'reaches 1.700 m out from its hip axis, 1.500 m below its hip and 1.479 m above' in out
    assert 'best of these: height 0.675 m, reach 0.765 m, stroke 1.325 m' in out
    # Feet of neighbours are 1.15 m apart and 0.2 m thick; 0.8 of what is left is walked.
    assert '\ntripod    0.025       0.022     60.00     0.757\n' in out
    assert 'period: the joints are fast enough for a shorter one\n' in out


def test_check_gives_json(capsys):
    code, out, _ = call(capsys, INSECT, '--json')
    found = json.loads(out)
    assert code == 0
    assert found['robot'] == 'insect18' and found['problems'] == []
    assert found['reach']['outer'] == pytest.approx(0.248)
    assert len(found['strokes']) == len(found['heights'])
    assert found['speeds'].keys() == {'tripod', 'ripple', 'wave'}
    assert found['speeds']['tripod']['speed'] == pytest.approx(0.109, abs=1e-3)


@pytest.mark.parametrize('suffix', ['.png', '.svg'])
def test_check_draws_a_picture(capsys, tmp_path, suffix):
    picture = tmp_path / f'insect{suffix}'
    assert call(capsys, INSECT, '--picture', picture)[0] == 0
    opening = picture.read_bytes()[:200]
    assert opening.startswith(b'\x89PNG') or b'<?xml' in opening


def test_a_robot_that_cannot_stand_is_drawn_and_reported(capsys, tmp_path):
    low = tmp_path / 'low.yaml'
    low.write_text(INSECT.read_text().replace('height: 100mm', 'height: 30mm'))
    code, out, err = call(capsys, low, '--picture', tmp_path / 'low.png')
    assert (code, err) == (1, '')
    assert 'the neutral foot of leg 1 at (0.223, 0.163, -0.030) m is out of reach; the near' in out
    assert '\ntripod\n  insect18 cannot walk in tripod with its body 0.03 m high; take' in out
    assert (tmp_path / 'low.png').stat().st_size > 10_000


@pytest.mark.parametrize(
    ('arguments', 'sentence'),
    [
        (['mule'], "there is no robot 'mule'; give the path of a file, or one of aquarobot, "),
        (['nowhere.yaml'], 'nowhere.yaml: cannot be read'),
        ([INSECT, '--picture', 'insect.bmp'], 'insect.bmp must end in .png or .svg'),
        ([INSECT, '--period', '0s'], 'outside 0.1 to 1000'),
    ],
)
def test_bad_input_is_one_sentence(capsys, arguments, sentence):
    code, out, err = call(capsys, *arguments)
    assert (code, out) == (2, '')
    assert err.startswith('walking_robots: ') and sentence in err and err.count('\n') == 1


def test_urdf_goes_to_the_screen_or_into_a_file(capsys, tmp_path):
    code, out, err = call(capsys, 'aquarobot', command='urdf')
    assert (code, err) == (0, '')
    assert out.startswith('<?xml version="1.0"?>\n<robot name="aquarobot">')
    assert out.endswith('</robot>\n')
    file = tmp_path / 'aquarobot.urdf'
    assert call(capsys, 'aquarobot', '-o', file, command='urdf') == (0, '', '')
    assert file.read_text() == out


@pytest.mark.parametrize('hardware', HARDWARE)
def test_urdf_takes_ros2_control_along_where_asked(capsys, hardware):
    code, out, _ = call(capsys, INSECT, '--ros2-control', hardware, command='urdf')
    assert code == 0 and out.count('<command_interface name="position"/>') == 18


def test_hardware_is_what_the_description_takes():
    assert description.HARDWARE == HARDWARE


@pytest.mark.parametrize(
    ('arguments', 'sentence'),
    [
        (['mule'], "there is no robot 'mule'; give the path of a file, or one of aquarobot, "),
        (['nowhere.yaml'], 'nowhere.yaml: cannot be read'),
        ([INSECT, '--ros2-control', 'usb'], "'usb' is not one of 'mock', 'topic'"),
        ([INSECT, '-o', 'nowhere/insect.urdf'], 'insect.urdf: cannot be written (no such file'),
    ],
)
def test_what_urdf_cannot_do_is_one_sentence(capsys, arguments, sentence):
    code, out, err = call(capsys, *arguments, command='urdf')
    assert (code, out) == (2, '')
    assert err.startswith('walking_robots: ') and sentence in err and err.count('\n') == 1


def test_shipped_robots_are_found_by_name():
    assert find_hexapod('aquarobot').name == AQUAROBOT.name


def test_a_urdf_is_imported_and_walks(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert call(capsys, INSECT, '-o', 'insect.urdf', command='urdf') == (0, '', '')
    code, out, err = call(
        capsys, 'insect.urdf', '--legs', ', '.join(f'leg{n}_yaw' for n in range(1, 7)),
        '--out', 'mine.yaml', '--urdf', 'mine.urdf', command='import',
    )  # fmt: skip
    assert (code, err) == (0, '')
    assert (
        out.startswith('mine.yaml: insect18, its feet within ') and 'robot check mine.yaml' in out
    )
    assert 'A URDF knows neither stance nor cell' in out
    assert call(capsys, 'mine.yaml')[0] == 0
    code, shown, _ = call(capsys, 'mine.yaml', command='urdf')
    assert code == 0 and shown.strip() == Path('mine.urdf').read_text().strip()
    with pytest.raises(SystemExit) as ended:
        main(['trial', 'hexapod', '--robot', 'mine.yaml', '--speed', '1m/s', '--time', '5s'])
    assert not ended.value.code


@pytest.mark.parametrize(
    ('arguments', 'sentence'),
    [
        (['nowhere.urdf', '--out', 'mine.yaml'], 'nowhere.urdf: cannot be read (no such file'),
        ([INSECT, '--out', 'mine.yaml'], 'insect18.yaml: is not XML'),
        ([INSECT], "Missing option '--out'"),
    ],
)
def test_what_cannot_be_imported_is_one_sentence(capsys, arguments, sentence):
    code, out, err = call(capsys, *arguments, command='import')
    assert (code, out) == (2, '')
    assert err.startswith('walking_robots: ') and sentence in err and err.count('\n') == 1
