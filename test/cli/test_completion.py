"""Shell completion: commands, options, choices, shipped names and files."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).parents[2] / 'README.md').read_text()
COMMAND = Path(sys.executable).with_name('walking_robots')


def complete(line: str) -> list[str]:
    """Return what the last word of a line may become, each with its kind."""
    environment = os.environ | {
        '_WALKING_ROBOTS_COMPLETE': 'bash_complete',
        'COMP_WORDS': line,
        'COMP_CWORD': str(line.count(' ')),
    }
    done = subprocess.run([COMMAND], capture_output=True, text=True, env=environment)
    assert not done.stderr
    return done.stdout.split()


@pytest.mark.parametrize(
    ('line', 'expected'),
    [
        ('walking_robots tr', ['plain,trial']),
        ('walking_robots mdle r', ['plain,run', 'plain,replay', 'plain,route']),
        ('walking_robots trial asv --ru', ['plain,--rules']),
        (
            'walking_robots trial asv --rules ',
            ['plain,original', 'plain,faithful', 'plain,repaired'],
        ),
        ('walking_robots trial asv --terrain way', ['file,way']),
        ('walking_robots robot check i', ['plain,insect18', 'file,i']),
        ('walking_robots demo hexapod --robot i', ['plain,insect18', 'file,i']),
        ('walking_robots mdle run sq', ['plain,square', 'file,sq']),
        ('walking_robots trial mdle --plan sq', ['plain,square', 'file,sq']),
        ('walking_robots ars_magna check h', ['plain,house', 'file,h']),
        ('walking_robots aquarobot play s', ['plain,session_1993', 'file,s']),
    ],
)
def test_a_word_is_completed(line: str, expected: list[str]) -> None:
    assert sorted(complete(line)) == sorted(expected)


@pytest.mark.parametrize('shell', ['bash', 'zsh', 'fish'])
def test_the_line_of_the_readme_gives_the_functions_of_a_shell(shell: str) -> None:
    assert 'eval "$(_WALKING_ROBOTS_COMPLETE=bash_source walking_robots)"' in README
    environment = os.environ | {'_WALKING_ROBOTS_COMPLETE': f'{shell}_source'}
    done = subprocess.run([COMMAND], capture_output=True, text=True, env=environment)
    assert done.returncode == 0 and f'{shell}_complete' in done.stdout


def test_bash_takes_the_line_of_the_readme() -> None:
    [line] = [line for line in README.splitlines() if line.startswith('eval "$(_WALKING')]
    paths = os.environ | {'PATH': f'{COMMAND.parent}{os.pathsep}{os.environ["PATH"]}'}
    done = subprocess.run(
        ['bash', '-c', f'{line}\ncomplete -p walking_robots'],
        capture_output=True,
        text=True,
        env=paths,
    )
    assert done.returncode == 0 and not done.stderr
    assert '_walking_robots_completion' in done.stdout
