"""Attributes of ars_magna.md §2.3 and §4.6: T97 of §11.6, domains and substances."""

import math
from typing import Any

import pytest

from walking_robots.ars_magna.sensing.attributes import (
    STANDARD,
    Attribute,
    Substance,
    checked,
    substance_of,
)

COLOR, SIZE, CLOSED = STANDARD['color'], STANDARD['size'], STANDARD['closed']
TABLE = {'wood': 120.0, 'metal': 60.0}


def test_t97_defaults() -> None:
    shape = Attribute(':Shape', ('Round', 'flat'))
    assert (shape.success, shape.base, shape.max_mult, shape.noticed) == (1.0, 0.0, 1.0, 0.0)
    assert (shape.name, shape.domain, shape.supported_by) == ('shape', ('round', 'flat'), ())


def test_the_standard_attributes() -> None:
    assert list(STANDARD) == [
        *('obsmove', 'obsview', 'closed', 'color', 'size', 'weight', 'capacity', 'substance')
    ]
    assert COLOR.domain is not None and len(COLOR.domain) == 8
    assert (SIZE.base, SIZE.max_mult, SIZE.noticed) == (0.8, 4.0, 0.7)
    assert SIZE.supported_by == ('capacity', 'obsview', 'weight')
    assert [STANDARD[name].kind for name in ('color', 'size', 'substance')] == [
        *('discrete', 'numeric', 'substance')
    ]


@pytest.mark.parametrize(
    ('attribute', 'value', 'held'),
    [
        (COLOR, ':LightRed', 'lightred'),
        (SIZE, 4, 4.0),
        (CLOSED, False, False),
        (STANDARD['substance'], 'WOOD', Substance('wood', 120.0)),
        (STANDARD['substance'], 7, Substance('unknown', 7.0)),
        (Attribute('rank', (1, 2)), 2, 2.0),
    ],
)
def test_values_are_held_in_their_normal_form(
    attribute: Attribute, value: object, held: object
) -> None:
    found = checked(attribute, value, TABLE)
    assert found == held and type(found) is type(held)


@pytest.mark.parametrize(
    ('attribute', 'value', 'sentence'),
    [
        (COLOR, 'pink', "'color' cannot be 'pink'; use one of blue, green"),
        (COLOR, None, "'color' cannot be None"),
        (CLOSED, 1, "'closed' cannot be 1; use one of false, true"),
        (Attribute('rank', (1, 2)), True, "'rank' cannot be true; use one of 1, 2"),
        (SIZE, True, "'size' must be a finite number, not true"),
        (SIZE, 'big', "'size' must be a finite number, not 'big'"),
        (SIZE, math.nan, 'finite'),
        (SIZE, math.inf, 'finite'),
        (SIZE, 10**400, 'finite'),
        (SIZE, [1, 2], 'not a list or a mapping'),
        (STANDARD['substance'], 'wod', "list it under substances, or did you mean 'wood'"),
        (STANDARD['substance'], False, 'must be a name or a finite number, not false'),
    ],
)
def test_wrong_values_get_one_sentence(attribute: Attribute, value: object, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence) as caught:
        checked(attribute, value, TABLE)
    assert len(str(caught.value)) < 200


def test_a_long_domain_is_not_listed() -> None:
    words = Attribute('word', tuple(f'word_{number}' for number in range(50)))
    with pytest.raises(ValueError, match='did you mean') as caught:
        checked(words, 'word_555')
    assert len(str(caught.value)) < 100


def test_a_substance_stays_what_it_is() -> None:
    assert substance_of(Substance('Jelly', 3.0), {'jelly': 9.0}) == Substance('jelly', 3.0)
    assert substance_of(Substance('unknown', 3.0), {}) == Substance('unknown', 3.0)


@pytest.mark.parametrize('substance', [('gold', 3.0), ('', 5.0), ('wood', 1e308), ('wood', '3')])
def test_a_substance_that_the_world_cannot_have_is_refused(substance: tuple[Any, Any]) -> None:
    with pytest.raises(ValueError, match='substance'):
        substance_of(Substance(*substance), {'wood': 120.0})


@pytest.mark.parametrize(
    ('values', 'sentence'),
    [
        ({'name': '2nd', 'domain': None}, "'2nd' cannot name an attribute"),
        ({'domain': ()}, 'must list a value at least'),
        ({'domain': ('red', 'RED')}, "lists 'red' twice"),
        ({'domain': (1, True, 1)}, "lists '1.0' twice"),
        ({'domain': (None,)}, 'must list words'),
        ({'domain': (math.inf,)}, 'finite numbers'),
        ({'domain': None, 'success': 0.5}, 'is numeric and has no success'),
        ({'domain': (True,), 'base': 0.5}, 'is discrete and has no base'),
        ({'domain': (True,), 'noticed': 1.5}, 'noticed .* must be from 0 to 1'),
        ({'domain': None, 'base': -1.0}, 'base .* must be 0 or more'),
        ({'domain': None, 'max_mult': math.nan}, 'max_mult .* must be 0 or more'),
    ],
)
def test_attributes_without_sense_are_refused(values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Attribute(**{'name': 'thing', **values})
