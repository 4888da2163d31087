"""Specifications of ars_magna.md §2.4 read from plain data."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walking_robots.ars_magna.sensing.attributes import STANDARD, Attribute, Substance
from walking_robots.ars_magna.sensing.specifications import (
    Between,
    OneOf,
    Variable,
    specification,
)

ATTRIBUTES = {
    **STANDARD,
    'lock_id': Attribute('lock_id', None),
    'rank': Attribute('rank', (1, 2, 3)),
}


@pytest.mark.parametrize(
    ('entry', 'constraint'),
    [
        ((':COLOR', 'Red'), OneOf('color', ('red',))),
        (('color', ('red', ':BLUE')), OneOf('color', ('red', 'blue'))),
        (('closed', False), OneOf('closed', (False,))),
        (('rank', 2), OneOf('rank', (2.0,))),
        (('rank', [1, 3]), OneOf('rank', (1.0, 3.0))),
        (('size', 4), Between('size', 4.0, 4.0, None, is_range=False)),
        (('size', 4, 2), Between('size', 4.0, 4.0, 2.0, is_range=False)),
        (('size', (3, 5)), Between('size', 3.0, 5.0)),
        (('size', [3, 5], 2), Between('size', 3.0, 5.0, 2.0)),
        (('size', (4, 4)), Between('size', 4.0, 4.0)),
        (('substance', 'Wood'), OneOf('substance', ('wood',))),
        (('substance', ('wood', 'metal')), OneOf('substance', ('wood', 'metal'))),
        (('substance', 120), Between('substance', 120.0, 120.0, None, is_range=False)),
        (('substance', (100, 130), 5), Between('substance', 100.0, 130.0, 5.0)),
        (('lock-id', '?X'), Variable('lock_id', 'x')),
    ],
)
def test_each_form_of_an_entry(entry: tuple[Any, ...], constraint: object) -> None:
    found = specification([entry], ATTRIBUTES, variables=True)
    assert found == (constraint,)


def test_a_mapping_says_the_same() -> None:
    written = {'capacity': [0.1, 9999], 'lock_id': '?x', 'size': [[3, 5], 2], 'color': ['red']}
    assert specification(written, ATTRIBUTES, variables=True) == (
        Between('capacity', 0.1, 9999.0),
        Variable('lock_id', 'x'),
        Between('size', 3.0, 5.0, 2.0),
        OneOf('color', ('red',)),
    )
    assert specification({}, ATTRIBUTES) == specification([], ATTRIBUTES) == ()


@pytest.mark.parametrize(
    ('data', 'sentence'),
    [
        ('color', 'must be a mapping'),
        (None, 'must be a mapping'),
        (('color',), "an entry of a specification must be an attribute, .* not [(]'color',[)]"),
        ([('color',)], 'an entry'),
        ([('size', 4, 2, 1)], 'an entry'),
        ({7: 'red'}, 'an entry'),
        ({'colour': 'red'}, "no attribute 'colour'; did you mean 'color'"),
        ([('size', 4), ('SIZE', 5)], "name 'size' once"),
        ({'color': 'pink'}, "'color' cannot be 'pink'"),
        ({'color': []}, "'color' must have at least one value"),
        ([('color', 'red', 2)], "'color' must have no threshold"),
        ([('substance', 'wood', 2)], "'substance' must have no threshold"),
        ({'substance': []}, "'substance' must have at least one value"),
        ({'substance': ['wood', 3]}, 'finite number'),
        ({'substance': [1, 2, 3]}, "'substance' must be a number, or a range of two"),
        ({'closed': 1}, "'closed' cannot be 1"),
        ({'size': 'big'}, "'size' must be a finite number, or a range of two, not 'big'"),
        ({'size': True}, 'finite number'),
        ({'size': math.inf}, 'finite number'),
        ({'size': [1, 10**400]}, 'finite number'),
        ({'size': {'min': 3}}, 'finite number'),
        ({'size': [4, 2]}, "range of 'size' must have its lower end first"),
        ({'size': [4]}, 'or a range of two'),
        ([('size', 4, -1)], "threshold of 'size' must be 0 or more, not -1"),
        ([('size', 4, 'x')], 'finite number'),
        ({'lock_id': '?x'}, 'only manipulations know variables such as [?]x'),
    ],
)
def test_wrong_specifications_get_one_sentence(data: object, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence) as caught:
        specification(data, ATTRIBUTES)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize('entry', [('lock_id', '?'), ('lock_id', '?2'), ('lock_id', '?x', 1)])
def test_variables_have_names_and_no_threshold(entry: tuple[Any, ...]) -> None:
    with pytest.raises(ValueError, match=r"a variable for 'lock_id' must be \? and a name"):
        specification([entry], ATTRIBUTES, variables=True)


leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6)
names = st.sampled_from([*ATTRIBUTES, 'nothing']) | st.text(max_size=6)
values = leaves | st.sampled_from(['red', 'wood', '?x']) | st.lists(leaves, max_size=3)


@given(
    st.dictionaries(names, values, max_size=3)
    | st.lists(st.tuples(names, values) | st.tuples(names, values, leaves), max_size=3)
    | st.recursive(leaves, st.lists, max_leaves=6),
    st.booleans(),
)
def test_any_data_is_a_specification_or_refused(data: object, variables: bool) -> None:
    try:
        found = specification(data, ATTRIBUTES, variables)
    except ValueError as error:
        assert 0 < len(str(error)) < 400 and '\n' not in str(error)
    else:
        assert len(found) <= len(ATTRIBUTES)


def test_what_a_designator_reports_can_be_requested() -> None:
    reported = {'size': 5.1, 'obsview': False, 'substance': Substance('wood', 121.0)}
    assert specification(reported, STANDARD) == specification(
        {**reported, 'substance': 'wood'}, STANDARD
    )
    unknown = {'substance': Substance('unknown', 121.0)}
    assert specification(unknown, STANDARD) == specification({'substance': 121.0}, STANDARD)
    pairs = [('substance', Substance('wood', 121.0))]
    assert specification(pairs, STANDARD) == (OneOf('substance', ('wood',)),)


def test_only_substances_that_there_are_can_be_requested() -> None:
    for requested in ('Wood', 'unknown', ['wood', 'metal'], 5):
        specification({'substance': requested}, STANDARD, substances=('wood', 'metal'))
    with pytest.raises(ValueError, match="no substance 'gold'; use one of metal, wood"):
        specification({'substance': ['wood', 'gold']}, STANDARD, substances=('wood', 'metal'))


def test_a_single_entry_is_a_specification() -> None:
    alone, listed = ('size', (3, 5), 2), [('size', (3, 5), 2)]
    assert specification(alone, STANDARD) == specification(listed, STANDARD)
