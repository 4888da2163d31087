"""Atoms written in Python that are wrong, or do not let go."""

import sys

import pytest
from mdle_stage import SAY, Told, begin

from walking_robots.mdle.knowledge.elements import Progress
from walking_robots.mdle.knowledge.extension import atom, module_from
from walking_robots.mdle.language.parser import parse_text
from walking_robots.mdle.runtime.executor import Executor
from walking_robots.mdle.runtime.job import Job, default_entry


@atom('none', {})
class Nothing:
    def enter(self, context):
        pass

    def law(self, t, y):
        return ()

    def progress(self, t, y):
        return None

    def exit(self, cause):
        pass


@atom('none', {})
class Unmade(Nothing):
    def __init__(self):
        raise ValueError('no parts')


@atom('none', {})
class BadExit(Nothing):
    def progress(self, t, y):
        return Progress()

    def exit(self, cause):
        raise ValueError('it sticks')


@atom('none', {})
class WorseExit(BadExit):
    def progress(self, t, y):
        raise ValueError('it does not know')


@atom('none', {})
class Quiet(Nothing):
    exits: list = []  # noqa: RUF012

    def progress(self, t, y):
        return Progress()

    def exit(self, cause):
        self.exits.append(cause)


def begin_with_own(text):
    module = module_from('lab', sys.modules[__name__])
    program = parse_text(f'mdle 1; import lab; {SAY}{text}')
    stage = begin(SAY, robot=Told())
    stage.executor = Executor(stage.robot)
    job = Job(program, {'lab': module}, default_entry(program))
    stage.executor.start(job, stage.now)
    return stage


@pytest.mark.parametrize('name', ['nothing', 'unmade', 'worse_exit'])
def test_atoms_in_python_that_are_wrong_are_a_fault(name):
    assert begin_with_own(f'plan p {{ do {{ {name}(); }} }}').finish().code == 'E802'


def test_an_atom_that_does_not_let_go_keeps_nobody_else():
    Quiet.exits.clear()
    text = 'plan p { finally say(); do { par all { bad_exit(); quiet(); }; } }'
    stage = begin_with_own(text)
    stage.tick(2)
    stage.ask('cancel')
    assert stage.finish().outcome == 'CANCELED'
    assert Quiet.exits == ['canceled']
    assert 'p.finally' in [e.path for e in stage.events if e.kind == 'enter']


def test_a_cleanup_that_fails_twice_ends_all_the_same():
    stage = begin_with_own('plan p { finally worse_exit(); finally say(); do { quiet(); } }')
    stage.tick(2)
    stage.ask('cancel')
    assert stage.finish().outcome == 'CANCELED'
