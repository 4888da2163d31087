"""How `make env` installs packages: with uv, or else with pip."""

import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parent.parent / 'tools'


@pytest.fixture
def installer(monkeypatch):
    """Load the tool, which is a script beside the package and no part of it."""
    monkeypatch.syspath_prepend(TOOLS)
    for name in ('machine', 'installer'):
        monkeypatch.delitem(sys.modules, name, raising=False)
    import installer

    yield installer
    for name in ('machine', 'installer'):
        sys.modules.pop(name)


@pytest.fixture
def plan(installer, tmp_path):
    return installer.Plan(tmp_path / 'venv', 'kilted', sourced=False)


class Commands:
    """Stands in for running commands: those with a word in `failing` fail."""

    def __init__(self):
        self.failing, self.called = set(), []

    def run(self, plan, *command, variables=None):
        words = [Path(part).name for part in command]
        self.called.append(words)
        return subprocess.CompletedProcess(words, bool(self.failing & set(words)), stdout='said')


@pytest.fixture
def commands(installer, monkeypatch):
    commands = Commands()
    monkeypatch.setattr(installer, 'run', commands.run)
    monkeypatch.setattr(installer.shutil, 'which', lambda name: None)
    return commands


def test_uv_gets_the_index_of_pip(installer):
    listed = (
        ":env:.find-links='/a /b'\n"
        "global.extra-index-url='https://one.example/simple\\nhttps://two.example/simple'\n"
        "global.index-url='https://global.example/simple'\n"
        "install.index-url='https://install.example/simple'\n"
        "global.default-timeout='180'\n"
        "global.break-system-packages='true'\n"
    )
    assert installer.uv_variables(listed) == {
        'UV_INDEX_STRATEGY': 'unsafe-best-match',
        'UV_DEFAULT_INDEX': 'https://install.example/simple',
        'UV_INDEX': 'https://one.example/simple https://two.example/simple',
        'UV_FIND_LINKS': '/a,/b',
        'UV_HTTP_TIMEOUT': '180',
    }


def test_uv_installs(installer, plan, commands, capsys):
    installer.Installer(plan).install('install it', 'it')
    assert commands.called[-1][:3] == ['uv', 'pip', 'install']
    assert capsys.readouterr().out == ''


@pytest.mark.parametrize('failing', [{'uv'}, {'uv==0'}])
def test_pip_takes_the_place_of_uv(installer, plan, commands, capsys, monkeypatch, failing):
    monkeypatch.setattr(installer, 'UV', 'uv==0')
    commands.failing = failing
    installer.Installer(plan).install('install it', 'it')
    assert commands.called[-1][:3] == ['python', '-m', 'pip']
    [sentence] = capsys.readouterr().out.splitlines()
    assert 'pip' in sentence and 'takes longer' in sentence


def test_without_either_one_sentence_says_so(installer, plan, commands, capsys):
    commands.failing = {'it'}
    with pytest.raises(installer.NoEnvironmentError, match='Could not install it'):
        installer.Installer(plan).install('install it', 'it')
    assert capsys.readouterr().err == 'said'
