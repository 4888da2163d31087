"""docs/records.md: its commands have options that exist; each of its trials is recorded."""

import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from walking_robots.cli import main_group

PAGE = (Path(__file__).resolve().parents[2] / 'docs/records.md').read_text('utf-8')
COMMANDS = [command.replace('\\|', '|')
            for command in re.findall(r'`(walking_robots [^`]*)`', PAGE)]  # fmt: skip


def test_the_page_has_all_ways_to_record() -> None:
    kinds = [tuple(shlex.split(command)[1:3]) for command in COMMANDS]
    assert {('demo', 'asv'), ('trial', 'hexapod'), ('record', 'walk.mcap')} < set(kinds)


@pytest.mark.parametrize('command', COMMANDS)
def test_the_commands_have_options_that_exist(
    command: str, parse_command: Callable[[str], None]
) -> None:
    parse_command(command)


def test_the_trials_of_the_page_are_those_that_can_be_recorded() -> None:
    trials = main_group.commands['trial']
    assert isinstance(trials, click.Group)
    [line] = re.findall(r'\*\*Trials\*\* of (.*?) run', PAGE)
    able = {
        name
        for name in trials.list_commands(click.Context(trials))
        if any('--record' in one.opts for one in trials.commands[name].params)
    }
    assert set(re.findall(r'`(\w+)`', line)) == able


@pytest.mark.graph
def test_a_trial_of_the_page_runs(tmp_path: Path) -> None:
    from walking_robots.nodes.common.records import Record

    [command] = [one for one in COMMANDS if ' trial ' in one]
    words = [sys.executable, '-m', *shlex.split(command), '--time', '1s']
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and 'trace_sha256' in done.stdout, done.stderr
    assert Record(tmp_path / 'ripple.mcap').end > 0
