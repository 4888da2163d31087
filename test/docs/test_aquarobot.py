"""docs/aquarobot.md: its commands work, its files and its program say what the page says."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread

from walking_robots.cli import main
from walking_robots.gaits.free.articulated_model import find_free_gait_model
from walking_robots.gaits.free.asv_scaling import ASV_FIRMNESS
from walking_robots.robots.asv import ASV
from walking_robots.simulation.aquarobot.motion_files import parse_motion
from walking_robots.simulation.aquarobot.views import VIEWS
from walking_robots.trials.hexapod.free import FreeGaitTrial, run

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / 'docs/aquarobot.md').read_text('utf-8')
BLOCKS = dict(re.findall(r'^```(\w+)\n(.*?)^```$', PAGE, re.MULTILINE | re.DOTALL))
COMMANDS = re.findall(r'`(walking_robots aquarobot [^`]*)`', PAGE)
SOURCES = ROOT / 'walking_robots/simulation/aquarobot'


def spoken(command, folder, capsys, monkeypatch):
    """Run a command of the page in an empty folder and give what it says."""
    monkeypatch.chdir(folder)
    with pytest.raises(SystemExit) as end:
        main(shlex.split(command)[1:])
    assert end.value.code == 0
    return capsys.readouterr().out


@pytest.mark.parametrize('command', COMMANDS)
def test_the_commands_of_the_page_run(command, tmp_path, capsys, monkeypatch):
    assert spoken(command, tmp_path, capsys, monkeypatch)
    for name in re.findall(r'--picture (\S+)', command):
        assert (tmp_path / name).stat().st_size > 1000


def test_the_page_uses_every_shipped_motion():
    for path in (ROOT / 'config/motions').iterdir():
        assert any(f' {path.stem}' in command for command in COMMANDS)


def test_the_page_says_what_the_commands_do(tmp_path, capsys, monkeypatch):
    [row] = spoken(COMMANDS[0], tmp_path, capsys, monkeypatch).splitlines()[1:]
    assert ' 3.2 ' in row
    slipping = next(command for command in COMMANDS if '--slippage' in command)
    rows = spoken(slipping, tmp_path, capsys, monkeypatch).splitlines()[1:]
    assert len(rows) == 15 and all(row.rstrip().endswith(' yes') for row in rows)


def test_the_picture_of_the_page_is_what_its_command_draws(tmp_path, capsys, monkeypatch):
    command = next(command for command in COMMANDS if '--view initial' in command)
    spoken(command, tmp_path, capsys, monkeypatch)
    drawn, shown = imread(tmp_path / 'aquarobot.png'), imread(ROOT / 'docs/aquarobot.png')
    assert drawn.shape == shown.shape
    assert np.abs(drawn - shown).mean() < 0.002


def test_the_three_files_of_the_page_hold_the_same_move():
    for form in ('text', 'csv', 'json'):
        [move] = parse_motion(BLOCKS[form], f'a.{form.replace("text", "txt")}')
        assert move.joints[2] == pytest.approx([0.1, 0.2, 0.3], abs=1e-15)
        assert np.count_nonzero(move.joints) == 3 and not move.body.any()


def test_the_program_of_the_page_prints_what_it_says():
    done = subprocess.run(
        [sys.executable, '-c', BLOCKS['python']], capture_output=True, text=True, check=True
    )
    assert f'It prints `{done.stdout.strip()}`' in PAGE


@pytest.mark.slow
def test_the_free_gait_is_what_the_page_says(tmp_path, capsys, monkeypatch):
    found = json.loads(spoken(BLOCKS['console'].strip(), tmp_path, capsys, monkeypatch))
    assert found['reason'] == 'reached' and found['min_static_margin_m'] > 0.07
    model = find_free_gait_model('aquarobot')
    size = model.stability.plan / ASV.stability.plan * ASV_FIRMNESS
    for words in (
        f'{size:.2f} m from an edge, the ASV {ASV_FIRMNESS:.2f} m',
        f'above it ({100.0 * model.timing.lift_height:.0f} cm)',
        f'a foot takes {model.timing.advance * model.timing.dt:.1f} s to its foothold',
        f'at most {100.0 * model.command.forward:.1f} cm/s',
    ):
        assert words in PAGE
    over, before = (
        run(FreeGaitTrial(model, 0.04, ditch=width, distance=2.4, time=90.0))
        for width in (0.7, 1.3)
    )
    assert over.completed and not before.completed


def test_every_view_is_on_the_page():
    rows = re.findall(r'^\| (`\w+`(?:, `\w+`)*) \|', PAGE, re.MULTILINE)
    assert {name for row in rows for name in re.findall(r'\w+', row)} == set(VIEWS)


def test_all_claims_and_all_defects_are_on_the_page():
    claims = re.findall(r'^\| (C\d[^:]*):', PAGE, re.MULTILINE)
    assert re.findall(r'C\d', ' '.join(claims)) == [f'C{number}' for number in range(1, 8)]
    defects = re.findall(r'^\| (P\d+) \| .+ \| .+ \|$', PAGE, re.MULTILINE)
    assert defects == [f'P{number}' for number in range(1, 19)]


def test_the_code_is_about_as_long_as_the_page_says():
    lines = [
        line for path in SOURCES.glob('*.py') for line in path.read_text().splitlines() if line
    ]
    [reported] = re.findall(r'about (\d+), with their documentation', PAGE)
    assert len(lines) == pytest.approx(int(reported), rel=0.1)
