"""Elements written in Python as programs see them."""

import math
import sys

import pytest

from walking_robots.mdle.knowledge.catalogue import catalogue
from walking_robots.mdle.knowledge.elements import Module
from walking_robots.mdle.knowledge.extension import atom, guard, law, module_from
from walking_robots.mdle.knowledge.library import standard_library
from walking_robots.mdle.language.parser import parse_text
from walking_robots.mdle.runtime.settings import ExecutorSettings
from walking_robots.mdle.session import check_program
from walking_robots.trials.mdle.trial import MdleTrial, run
from walking_robots.virtual_robots.scout import scout_spec

HEAD = 'mdle 1; import lab; atom go() on body2 { control sway(); timeout 1 s; } '


@law('body2', {'speed': 'cm', 'rhythm': 's', 'side': 'str', 'n': 'num', 'on': 'bool'})
def sway(t, y, speed=0.2, rhythm=2.0, side='left', n=3.0, on=True):
    return 0.1, 0.0


@guard({'limit': 'deg', 'rate': 'Hz'}, reads=['turn'])
def dizzy(y, limit=1.5, rate=-1.0):
    return False


@atom('none', {'span': 'min'}, defaults={'span': 90.0}, bounded=True)
class Doze: ...


def test_defaults_are_si_and_carry_the_unit_of_their_parameter():
    module = module_from('lab', sys.modules[__name__])
    shown = {found.name: found.parameters for found in catalogue({'lab': module})}
    assert shown == {
        'sway': (
            'speed: cm = 0.2 m',
            'rhythm: s = 2 s',
            'side: str = "left"',
            'n: num = 3',
            'on: bool = true',
        ),
        'dizzy': ('limit: deg = 1.5 rad', 'rate: Hz = -1 Hz'),
        'doze': ('span: min = 90 s',),
    }


@pytest.mark.parametrize(
    ('bounded', 'time'), [(True, 0.0), (1.0, 1.0), (2.52, 2.55), (0, 0.0), (False, math.inf)]
)
def test_what_an_atom_says_of_its_end_bounds_the_program(bounded, time):
    @atom('none', {}, bounded=bounded)
    class Rest: ...

    lab = Module('lab', parse_text('mdle 1;'), atoms={'rest': Rest.__mdle_element__})
    program = parse_text('mdle 1; import lab; plan p { do { rest(); } }')
    report = check_program(program, {'lab': lab}, scout_spec(), '', ExecutorSettings())
    assert report.bound == pytest.approx((time, 0.0))


def test_a_bound_that_is_none_is_refused():
    with pytest.raises(ValueError, match='bounded by -1 s'):
        atom('none', {}, bounded=-1)


@pytest.mark.parametrize('call', ['doze()', 'go() until dizzy() timeout 1 s'])
def test_elements_with_defaults_are_in_order(call):
    library = {**standard_library(), 'lab': module_from('lab', sys.modules[__name__])}
    text = HEAD + f'plan p {{ do {{ {call}; }} }}'
    report = check_program(parse_text(text), library, scout_spec(), '', ExecutorSettings())
    assert report.errors == []


def test_an_extern_law_drives_by_the_law_of_the_library():
    text = (
        'mdle 1; law down(speed: m/s = 0.1 m/s) on body2 extern "std.body2.along_corridor";'
        'plan p { do { a(); } } atom a() on body2 { control down(); timeout 1 s; }'
    )
    result = run(MdleTrial(text))
    assert (result.outcome, round(result.way_m, 2)) == ('DONE', 0.1)
