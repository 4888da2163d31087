"""Test who drives by keys, pad or gamepad, and what the page knows of them."""

import json
from typing import Any

import pytest

from walking_robots.viewer.common.assets import page_head
from walking_robots.viewer.common.controls import AXES, KEYS, help_rows
from walking_robots.viewer.common.driving import REST, HeldVelocities

AHEAD, BACK = (0.5, 0.0, 0.0), (-1.0, 0.0, 0.0)


@pytest.fixture
def asked() -> list[Any]:
    return []


@pytest.fixture
def held(asked: list[Any]) -> HeldVelocities:
    return HeldVelocities(lambda *shares: asked.append(shares), lambda: asked.append('stop'))


def test_only_changes_are_passed_on(held: HeldVelocities, asked: list[Any]) -> None:
    for shares in (REST, AHEAD, AHEAD, BACK, REST, REST):
        held.hold('one', shares)
    assert asked == [AHEAD, BACK, REST]


def test_one_visitor_drives_at_a_time(held: HeldVelocities, asked: list[Any]) -> None:
    held.hold('one', AHEAD)
    held.hold('two', BACK)
    held.hold('two', REST)
    assert asked == [AHEAD]
    held.hold('one', REST)
    held.hold('two', BACK)
    assert asked == [AHEAD, REST, BACK]


def test_after_a_stop_everybody_has_to_release_first(
    held: HeldVelocities, asked: list[Any]
) -> None:
    held.hold('one', AHEAD)
    held.hold('two', BACK)
    held.stop()
    for visitor in ('one', 'two'):
        held.hold(visitor, (0.9, 0.0, 0.0))
    assert asked == [AHEAD, 'stop']
    held.hold('two', REST)
    held.hold('two', BACK)
    assert asked[2:] == [BACK]


def test_who_is_lost_or_gone_drives_no_more(held: HeldVelocities, asked: list[Any]) -> None:
    held.hold('one', AHEAD)
    held.lose('two')
    held.lose('one')
    held.lose('one')
    held.hold('one', BACK)
    assert asked == [AHEAD, REST]
    held.leave('one')
    held.hold('one', BACK)
    held.leave('one')
    held.leave('one')
    assert asked[2:] == [BACK, REST]


def test_every_key_has_one_meaning_and_every_axis_two_directions() -> None:
    codes = [code for key in KEYS for code in key.codes]
    assert len(set(codes)) == len(codes)
    ends = {(key.axis, key.sign) for key in KEYS}
    assert ends == {(axis, sign) for axis in AXES for sign in (-1, 1)}


def test_help_names_the_keys_of_the_robot_only() -> None:
    everything = dict(help_rows(AXES))
    assert everything['Q'] == 'to the left, while held'
    assert 'Q' not in dict(help_rows(('ahead', 'turn')))
    assert dict(help_rows(())) == {
        'Esc or space': 'stop: ends every motion',
        '?': 'this help',
    }


def test_the_head_of_a_page_holds_its_axes_and_loads_nothing() -> None:
    head = page_head(('ahead',))
    data = json.loads(head.split('const PAGE = ')[1].partition(';\n')[0])
    assert data['axes'] == ['ahead'] and data['path'] == '/heartbeat'
    assert 'https:' not in head and 'src=' not in head and '@import' not in head
