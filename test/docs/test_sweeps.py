"""The sweeps of all documents are sweeps."""

import re
import shlex
from pathlib import Path

import pytest

from walking_robots.cli.sweep import plan_sweep, sweep

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*sorted((ROOT / 'docs').glob('*.md')), ROOT / 'README.md']
SWEEP = re.compile(r'(?:^|`|\$ )(walking_robots sweep [^`\n]*?)(?: {2,}#.*)?(?:`|$)', re.MULTILINE)
COMMANDS = [(page.name, command) for page in PAGES for command in SWEEP.findall(page.read_text())]
RUNS = {'sweeps.md': [960, 300, 100], 'asv.md': [24, 120], 'ars_magna.md': [20, 50],
        'biped.md': [10], 'README.md': [480, 100]}  # fmt: skip


def test_every_page_with_sweeps_is_known() -> None:
    assert {page for page, _ in COMMANDS} == set(RUNS)


@pytest.mark.parametrize('page', RUNS)
def test_the_commands_have_so_many_runs(page: str) -> None:
    found = []
    for command in (command for name, command in COMMANDS if name == page):
        with sweep.make_context('sweep', shlex.split(command)[2:]) as context:
            given = context.params
        found.append(plan_sweep(given['experiment'], given['options'], given['repeat']).count)
    assert found == RUNS[page]
