"""Test the texts that a design writes as conditions and values."""

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from walking_robots.ars_magna.design.expressions import ANY, Expression, expression, literal
from walking_robots.ars_magna.sensing.attributes import Substance

NAMES = dict.fromkeys(('x', 'y', 'tick', 'in_bin', 'in_hand', 'robot', 'self'), ANY)
ATTRIBUTES = {
    'closed': False,
    'size': 5.0,
    'lock_id': 7.0,
    'color': 'red',
    'substance': Substance('wood', 120.0),
}


def attr(*args: Any) -> Any:
    return ATTRIBUTES.get(args[-1])


SCOPE: dict[str, Any] = {
    'x': 2.0,
    'y': -1.5,
    'tick': 40,
    'in_bin': True,
    'in_hand': False,
    'robot': 'robbie',
    'self': 'lamp',
    'attr': attr,
    'near': lambda thing: thing == 'robbie',
    'uniform': lambda a, b: (a + b) / 2,
    'in_location': lambda a, b: (a, b) == ('lamp', 'robbie'),
    'is_open': lambda thing: thing == 'lamp',
}


@pytest.mark.parametrize(
    ('text', 'value'),
    [
        ("not attr('closed')", True),
        ("attr(':Lock-ID') == 7", True),
        ("attr(self, 'color') == 'Red'", True),
        ("attr('shape') == 'cube'", False),
        ("attr('shape')", None),
        ('uniform(-1, 2)', 0.5),
        ('x + 2 * y', -1.0),
        ('-(x - 1) / 4', -0.25),
        ('0 < x <= 2', True),
        ('0 < x < 2', False),
        ('x < 0 or in_bin and not in_hand', True),
        ('near(robot) and is_open(self) and in_location(self, robot)', True),
        ('true', True),
        ("attr('shape') == attr('weight')", False),
        ("attr('shape') != 'cube'", True),
        ("attr('closed') == 0", False),
        ("attr('substance') == 'Wood' and 120 == attr('substance')", True),
        ("attr('substance') == attr('substance')", True),
        ("attr('substance') / 2", 60.0),
        ('X != False', True),
        ('tick >= 40', True),
        (' +x ', 2.0),
    ],
)
def test_values(text: str, value: object) -> None:
    assert expression(text, NAMES).value(SCOPE) == value


def test_an_expression_knows_what_it_uses() -> None:
    found = expression("near(robot) and attr('Lock-ID') > x", NAMES)
    assert found.names == {'near', 'robot', 'attr', 'x'}


def test_and_evaluates_no_more_than_it_must() -> None:
    assert expression("attr('shape') and attr('shape') > 2", NAMES).value(SCOPE) is False


def test_a_literal_is_its_value() -> None:
    assert literal('red').value({}) == 'red'
    assert literal(0.25).value({}) == 0.25


@pytest.mark.parametrize(
    ('text', 'reason'),
    [
        ('', 'written as in'),
        ('x =', 'written as in'),
        ('x = 3', 'written as in'),
        ('x\0', 'written as in'),
        ('(' * 100 + 'x' + ')' * 100, 'characters'),
        ('(' * 99 + 'x' + ')' * 99, None),
        ('not ' * 30 + 'x', '20 levels'),
        ('x' + '+x' * 30, '20 levels'),
        ('x' * 201, '200 characters'),
        ('z', r"'z', which is not known there \(known: x, y"),
        ('near', "call 'near' with brackets"),
        ('sin(x)', "calls 'sin', which is not known"),
        ('uniform(1)', "'uniform' 2 arguments"),
        ('attr()', "'attr' 1 or 2 arguments"),
        ('is_open()', "'is_open' 1 argument$"),
        ('attr(x)', 'name an attribute in quotes'),
        ("attr('a' 'b', x)", 'name an attribute in quotes'),
        ("near('robot')", "'near' the name of a thing, without quotes"),
        ('in_location(self, 3)', "'in_location' the name of a thing"),
        ("attr(1, 'size')", "'attr' the name of a thing"),
        ('uniform(a=1, b=2)', 'may hold only'),
        ('uniform(*x, y)', 'may hold only'),
        ('x ** 9', 'may hold only'),
        ('x if y else 1', 'may hold only'),
        ('x is y', 'may hold only'),
        ('x.real', 'may hold only'),
        ('[x]', 'may hold only'),
        ('(lambda: 1)()', 'may hold only'),
        ("__import__('os')", 'not known'),
        ("f'{x}'", 'may hold only'),
        ('1j', 'may hold only'),
        ("b'a'", 'may hold only'),
        ('None', 'may hold only'),
        ('...', 'may hold only'),
        ('1e999', 'finite'),
        ("'red' < 'violet'", "a number in place of ''red'', which is a word"),
        ('9' * 200, None),
    ],
)
def test_what_is_refused(text: str, reason: str | None) -> None:
    if reason is None:
        assert isinstance(expression(text, NAMES), Expression)
        return
    with pytest.raises(ValueError, match=reason):
        expression(text, NAMES)


@pytest.mark.parametrize(
    ('text', 'reason'),
    [
        ("attr('shape') + 1", 'an attribute that is missing is not a number'),
        ("attr('color') * 1000000000", "'red' is not a number"),
        ("attr('shape') < 1", 'missing is not a number'),
        ('-in_bin', 'True is not a number'),
        ('x / (y - y)', 'it divides by zero'),
        ('is_open(self)', 'a name stands for what does not fit there'),
        ('1e299 * 1e299', 'not finite'),
    ],
)
def test_values_that_do_not_go_together(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as caught:
        expression(text, NAMES).value({**SCOPE, 'is_open': lambda thing: thing.closed})
    assert str(caught.value).startswith(f"'{text}' cannot be worked out: ")


PIECES = ['x', 'y', ' ', '(', ')', '+', '-', '*', '/', '<', '==', ',', '1', '1e9', "'a'", '\\']
PIECES += ['and ', 'or ', 'not ', 'attr', 'uniform', '0x', '\n', '"', 'lambda ', '[', ']', ':']


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=30) | st.lists(st.sampled_from(PIECES), max_size=20).map(''.join))
def test_any_text_is_an_expression_or_refused(text: str) -> None:
    try:
        value = expression(text, NAMES).value(SCOPE)
    except ValueError as error:
        assert '\n' not in str(error).replace(text, '')
    else:
        assert not isinstance(value, float) or math.isfinite(value)
