"""What `make env` says on a machine on which it cannot work."""

import importlib.util
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parent.parent / 'tools' / 'machine.py'


@pytest.fixture
def machine(monkeypatch):
    """Load the tool, which is a script beside the package and no part of it."""
    spec = importlib.util.spec_from_file_location('machine', TOOL)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, 'machine', module)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module.sys, 'version_info', (3, 12, 0))
    return module


@pytest.fixture
def plan(machine, tmp_path):
    return machine.Plan(tmp_path / 'venv', 'kilted', sourced=False)


def refusal(machine, plan):
    """Return the one sentence with which a machine is refused."""
    with pytest.raises(machine.NoEnvironmentError) as caught:
        machine.check_machine(plan)
    sentence = str(caught.value)
    assert sentence.endswith('.')
    assert '\n' not in sentence
    return sentence


def test_a_fit_machine_is_taken(machine, plan, monkeypatch, tmp_path):
    (tmp_path / 'Python.h').touch()
    monkeypatch.setattr(machine.shutil, 'which', lambda name: f'/usr/bin/{name}')
    monkeypatch.setattr(machine.sysconfig, 'get_path', lambda name: str(tmp_path))
    monkeypatch.setattr(machine.importlib.util, 'find_spec', lambda name: object())
    machine.check_machine(plan)


def test_another_python_is_refused(machine, plan, monkeypatch):
    monkeypatch.setattr(machine.sys, 'version_info', (3, 13, 0))
    assert 'is 3.13: name another one' in refusal(machine, plan)


def test_an_unknown_distribution_is_refused(machine, tmp_path):
    plan = machine.Plan(tmp_path, 'groovy', sourced=False)
    assert 'There are no wheels of ROS 2 groovy' in refusal(machine, plan)


def test_all_that_is_missing_is_named_at_once(machine, plan, monkeypatch):
    monkeypatch.setattr(machine.shutil, 'which', lambda name: None)
    monkeypatch.setattr(machine.sysconfig, 'get_path', lambda name: '/nowhere')
    monkeypatch.setattr(machine.importlib.util, 'find_spec', lambda name: None)
    sentence = refusal(machine, plan)
    for thing in ('C compiler', 'C++ compiler', 'Python.h', 'venv'):
        assert thing in sentence
    assert '`apt install build-essential python3-dev python3-venv`' in sentence


def test_a_sourced_distribution_is_used(machine, tmp_path, monkeypatch):
    monkeypatch.setenv('AMENT_PREFIX_PATH', '/opt/ros/jazzy')
    monkeypatch.setenv('ROS_DISTRO', 'jazzy')
    monkeypatch.setattr(machine.importlib.util, 'find_spec', lambda name: object())
    assert machine.plan_for(tmp_path).sourced
    monkeypatch.delenv('AMENT_PREFIX_PATH')
    assert not machine.plan_for(tmp_path).sourced
