"""docs/sweeps.md: its commands are sweeps."""

import shlex
from pathlib import Path

import pytest

from walking_robots.cli.sweep import plan_sweep, sweep

PAGE = (Path(__file__).resolve().parents[2] / 'docs/sweeps.md').read_text('utf-8')
COMMANDS = [line for line in PAGE.splitlines() if line.startswith('walking_robots sweep ')]
RUNS = (960, 300, 100)


@pytest.mark.parametrize(('command', 'runs'), zip(COMMANDS, RUNS, strict=True))
def test_the_commands_have_so_many_runs(command: str, runs: int) -> None:
    with sweep.make_context('sweep', shlex.split(command)[2:]) as context:
        given = context.params
    chosen = plan_sweep(given['experiment'], given['options'], given['repeat'])
    assert chosen.count == runs
