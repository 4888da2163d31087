"""The command line: results as JSON, units, seeds side by side, one sentence for an error."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.own_clock import Stopwatch, time_to_end
from walking_robots.cli import main

FIELDS = [
    'completed', 'reason', 'sim_time_s', 'distance_m', 'mean_speed_m_s',
    'min_stability_margin_m', 'ditch_state', 'steps', 'trace_sha256',
]  # fmt: skip
SHORT = ['--goal', '10ft']


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as exit_info:
        main(arguments)
    captured = capsys.readouterr()
    return int(exit_info.value.code or 0), captured.out, captured.err


def walk(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict:
    code, out, _ = call(capsys, 'trial', 'asv', *arguments, '--json')
    assert out.count('\n') == 1
    found = json.loads(out)
    assert code == (0 if found['completed'] else 1)
    return found


def test_a_trial_is_one_line_of_json(capsys):
    result = walk(capsys, '--speed', '0.4ft/s', *SHORT)
    assert [name for name in result if name in FIELDS] == FIELDS
    assert (result['speed'], result['seed']) == (pytest.approx(0.12192), 123)
    assert result['completed'] and result['ditch_state'] is None
    assert result['distance_m'] == pytest.approx(0.3048 * (10 - 6.85), abs=0.02)


def test_the_command_of_the_readme(capsys):
    result = walk(
        capsys, '--speed', '0.6ft/s', '--ditch', '7ft', '--forbidden', '0.3', '--seed', '77',
        '--rules', 'faithful',
    )  # fmt: skip
    assert (result['reason'], result['ditch_state']) == ('halted', '5.3')


def test_units_agree(capsys):
    feet = walk(capsys, '--speed', '1ft/s', *SHORT)
    metres = walk(capsys, '--speed', '0.3048', '--goal', '3.048')
    assert feet == metres


def test_tables_for_people(capsys):
    code, out, _ = call(capsys, 'trial', 'asv', *SHORT)
    assert code == 0 and 'trace_sha256' in out


def test_the_trace_shows_why_a_leg_was_lifted(capsys, tmp_path: Path):
    path = tmp_path / 'why.jsonl'
    walk(capsys, '--speed', '1ft/s', '--trace', str(path), *SHORT)
    records = [json.loads(line) for line in path.read_text().splitlines()]
    lifts = [r for r in records if any(d['kind'] == 'lift' for d in r['decisions'])]
    assert any(
        'lifts: it has the least kinematic margin' in why for r in lifts for why in r['why']
    )


def test_a_terrain_file_is_walked_over(capsys, tmp_path: Path):
    path = tmp_path / 'way.yaml'
    path.write_text('size: [49, 49]\ncell: 1ft\nditches:\n  - {near_edge: 21ft, width: 7ft}\n')
    result = walk(capsys, '--terrain', str(path), '--speed', '1ft/s')
    generated = walk(capsys, '--ditch', '7ft', '--speed', '1ft/s')
    assert [result[name] for name in FIELDS] == [generated[name] for name in FIELDS]
    assert (result['terrain'], generated['terrain']) == (str(path), None)


@pytest.mark.parametrize(
    ('arguments', 'word'),
    [
        (['trial', 'asv', '--speed', '9'], '--speed'),
        (['trial', 'asv', '--speed', 'fast'], '0.4ft/s'),
        (['trial', 'asv', '--speed', 'nan'], '--speed'),
        (['trial', 'asv', '--ditch', '-1ft'], '--ditch'),
        (['trial', 'asv', '--ditch', '7 parsecs'], '--ditch'),
        (['trial', 'asv', '--rules', 'none'], "'none'"),
        (['trial', 'asv', '--terrain', 'nowhere.yaml'], 'nowhere.yaml'),
        (['trial', 'asv', '--repeat', '0'], '--repeat'),
        (['trial', 'asv', '--repeat', '2', '--trace', 'x'], '--trace'),
        (['trial', 'asv', '--graph', 'composed', '--trace', 'x'], '--trace'),
        (['trial', 'asv', '--trace', '/nowhere/x', '--goal', '8ft'], '/nowhere/x'),
        (['trial', 'asv', '--hop'], '--hop'),
        (['trial', 'asv', '--odometry', 'drift:90%'], 'use exact, legs, or drift:1%'),
        (['demo', 'asv', '--eyes', '--odometry', 'gps'], 'use exact, legs, or drift:1%'),
        (['trial', 'asv', '--eyes', '--sensor', 'owl'], "no sensor 'owl'"),
        (['trial', 'hexapod', '--eyes'], '--eyes is nothing for the tripod gait'),
        (['demo', 'hexapod', '--eyes', '--gait', 'wave'], '--gait free, planned or auto'),
        (['demo', 'hexapod', '--forbidden', '0', '--gait', 'wave'], '--forbidden has no effect'),
        (['demo', 'asv', '--sensor', 'mast_lidar'], '--sensor has no effect without --eyes'),
        (['trial', 'scout', '--twist', '0.2'], '0.2m/s,0.5rad/s'),
        (['trial', 'scout', '--twist', '0.2m/s,fast'], '0.5rad/s'),
        (['trial', 'scout', '--twist', 'nan,0'], '--twist'),
        (['trial', 'scout', '--for', '-1s'], '--for'),
        (['trial', 'scout', '--world', 'nowhere.yaml'], 'nowhere.yaml'),
        (['scout', 'probe', '/nowhere/tty'], '/nowhere/tty'),
        (['scout', 'probe', '/dev/null'], '/dev/null'),
        (['scout', 'emulate', 'nowhere.yaml'], 'nowhere.yaml'),
        (['scout', 'emulate', 'config/worlds/scout_rooms.yaml', '--link', '/dev/null'], 'link'),
        (['trial', 'unicorn'], 'unicorn'),
        (['dance'], 'dance'),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(capsys, arguments, word):
    code, out, err = call(capsys, *arguments)
    assert (code, out) == (2, '')
    assert err.count('\n') == 1 and err.startswith('walking_robots: ')
    assert word in err


def test_help(capsys):
    code, out, _ = call(capsys, 'trial', 'asv', '--help')
    assert code == 0 and '--forbidden' in out
    assert call(capsys)[0] == 0


DRIVE = ['trial', 'scout', '--twist', '0.2m/s,0.5rad/s', '--for', '5s', '--seed', '1', '--json']


def test_a_drive_is_one_line_of_json(capsys):
    code, out, _ = call(capsys, *DRIVE)
    assert code == 0 and out.count('\n') == 1
    result = json.loads(out)
    assert {'pose_true', 'pose_odom', 'packets', 'errors'} <= result.keys()
    assert result['pose_true'] == pytest.approx(result['pose_odom'], abs=0.01)
    assert result['errors'] == 0 and result['packets'] > 50
    assert call(capsys, *DRIVE)[1] == out
    code, table, _ = call(capsys, *DRIVE[:-1], '--slip', '0.05')
    assert code == 0 and 'pose_odom' in table


def test_an_emulated_robot_can_be_probed(capsys, tmp_path: Path):
    line = tmp_path / 'line'
    world = Path(__file__).parents[2] / 'config' / 'worlds' / 'scout_rooms.yaml'
    command = [sys.executable, '-m', 'walking_robots', 'scout', 'emulate', str(world)]
    with subprocess.Popen(
        [*command, '--link', str(line)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == f'{line}\n'
        code, out, _ = call(capsys, 'scout', 'probe', str(line))
        assert code == 0 and 'bumper' in out and 'free' in out
        watch = Stopwatch(process.pid)
        process.terminate()
        assert time_to_end(process, watch) < 5.0 and process.wait() == 0
    assert not line.exists()
