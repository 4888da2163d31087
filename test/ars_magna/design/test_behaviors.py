"""Test functions in Python that files name."""

from collections.abc import Iterator
from importlib.metadata import EntryPoint
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from walking_robots.ars_magna.design import behaviors
from walking_robots.ars_magna.design.behaviors import (
    Behaviors,
    checker,
    discover,
    kicker_body,
    manipulation_body,
)
from walking_robots.ars_magna.design.files import DesignFileError, parse_design
from walking_robots.ars_magna.design.place_types import classify

HEAD = 'ars_schema: 1\nworld: {name: hall, size: [8, 6]}\n'


@kicker_body
def roll(scene: Any) -> None:
    scene.rolled = True


@manipulation_body
def turn(scene: Any) -> None:
    scene.turned = True


@checker
def middle(filled: NDArray[np.bool_]) -> Iterator[tuple[int, int, float]]:
    yield filled.shape[0] // 2, filled.shape[1] // 2, 1.0


OWN = Behaviors({'roll': roll, 'turn': turn, 'middle': middle}, {'bad': "names 'bad', which ..."})


def test_files_name_functions() -> None:
    definitions = parse_design(
        HEAD + 'kickers: {walk: {python: Roll}}\n'
        'manipulations: {wind: [{objects: {box: {}}, by: hand, python: turn}]}\n'
        'place_types: {centre: {python: middle}}\n',
        behaviors=OWN,
    ).definitions
    assert definitions.kickers['walk'].body == 'roll'
    assert definitions.manipulations['wind'].methods[0].body == 'turn'
    assert definitions.behaviors == {'middle': middle, 'roll': roll, 'turn': turn}
    found = classify(np.zeros((6, 8), dtype=np.bool_), list(definitions.place_types.values()))
    assert (found.kind[3, 4], found.direction[3, 4]) == (4, 1.0)


@pytest.mark.parametrize(
    ('name', 'reason'),
    [
        ('rol', r"names 'rol', which no installed package offers .*; did you mean 'roll'\?"),
        ('turn', "names 'turn', which is made for a manipulation, not for a kicker"),
        ('bad', r"kickers.walk.python' names 'bad', which"),
    ],
)
def test_what_cannot_be_named(name: str, reason: str) -> None:
    with pytest.raises(DesignFileError, match=reason):
        parse_design(HEAD + f'kickers: {{walk: {{python: {name}}}}}', behaviors=OWN)


def test_packages_offer_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    here = 'walking_robots.ars_magna.design.behaviors'
    points = [
        EntryPoint('Find-All', f'{here}:discover', behaviors.GROUP),
        EntryPoint('none', f'{here}:nothing_of_this_name', behaviors.GROUP),
    ]
    monkeypatch.setattr(behaviors, 'entry_points', lambda group: points)
    found = discover()
    assert found.functions == {'find_all': discover}
    assert 'which cannot be used (AttributeError' in found.broken['none']
    with pytest.raises(DesignFileError, match=r'mend or remove that package\.$'):
        parse_design(HEAD + 'kickers: {walk: {python: none}}')
    with pytest.raises(DesignFileError, match="'find_all', which is made for nothing"):
        parse_design(HEAD + 'kickers: {walk: {python: find_all}}')
