"""The commands of the README and of the guides are accepted, and short ones run."""

import re
import shlex
from pathlib import Path

import click
import pytest

from walking_robots.cli import main_group

ROOT = Path(__file__).parents[2]
README = (ROOT / 'README.md').read_text()
GUIDES = '\n'.join((ROOT / f'docs/{name}.md').read_text() for name in ('asv', 'scout'))
COMMANDS = re.findall(r'^\$ walking_robots (.+?)(?: {2,}#.*)?$', README + GUIDES, re.MULTILINE)
COMMANDS += re.findall(r'`walking_robots (.+?)`', GUIDES)


@pytest.mark.parametrize('line', COMMANDS)
def test_every_command_has_options_that_exist(line: str) -> None:
    words = shlex.split(line)
    command: click.Command = main_group
    context = click.Context(main_group)
    while isinstance(command, click.Group):
        command = command.get_command(context, words.pop(0)) or pytest.fail(line)
    command.make_context(command.name, words, resilient_parsing=False)


def test_the_library_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    [code] = re.findall(r'```python\n(.*?)```', README, re.DOTALL)
    imports, call = code.rsplit('print(', 1)
    exec(imports + 'assert run(AsvTrial(speed=ft(1.0), goal=ft(8), seed=1)).completed')
    assert 'AsvTrial(speed=ft(0.4), ditch=ft(7), forbidden=0.2)' in call


def test_the_plan_of_the_readme_is_sound(tmp_path: Path) -> None:
    from walking_robots.cli import main

    [plan] = re.findall(r'```\n(mdle 1;.*?)```', README, re.DOTALL)
    path = tmp_path / 'look_round.mdle'
    path.write_text(plan)
    with pytest.raises(SystemExit) as ended:
        main(['mdle', 'check', str(path)])
    assert not ended.value.code
