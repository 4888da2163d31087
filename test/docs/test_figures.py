"""Every picture of the documents is made by a command in them, or taken from a page."""

import re
import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.screenshots import MOMENTS, file_of

ROOT = Path(__file__).resolve().parents[2]
FIGURES = runpy.run_path(str(ROOT / 'tools/make_figures.py'))['figure_commands'](ROOT / 'docs')
PAGES = [*(ROOT / 'docs').glob('*.md'), ROOT / 'README.md']
TEXT = ''.join(page.read_text('utf-8') for page in PAGES)
SHOWN = set(re.findall(r'!\[[^]]*\]\((?:docs/)?([^)]*)\)', TEXT))


def test_every_picture_has_one_source() -> None:
    taken = {file_of(demo) for demo in MOMENTS}
    assert {*FIGURES} | taken == SHOWN == {path.name for path in (ROOT / 'docs').glob('*.png')}
    assert not {*FIGURES} & taken


def test_figures_of_many_runs_are_sweeps() -> None:
    assert FIGURES['asv_success.png'].startswith('walking_robots sweep asv ')


@pytest.mark.parametrize('command', FIGURES.values())
def test_the_commands_have_options_that_exist(
    command: str, parse_command: Callable[[str], None]
) -> None:
    parse_command(command)
