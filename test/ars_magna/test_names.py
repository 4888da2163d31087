"""Names are one, however they are written."""

import pytest

from walking_robots.ars_magna.names import normal_name, suggestion


@pytest.mark.parametrize('text', ['lock_id', ':Lock-ID', 'LOCK-ID', ' lock-id '])
def test_a_name_has_one_form(text: str) -> None:
    assert normal_name(text) == 'lock_id'


def test_an_unknown_name_gets_a_suggestion() -> None:
    assert suggestion('colour', ['size', 'color']) == "did you mean 'color'?"
    assert suggestion('qqq', ['size', 'color']) == 'use one of color, size'
    assert suggestion('qqq', []) == 'there are none'
    assert suggestion('qqq', [f'a{number}' for number in range(50)]).startswith('did you mean')
