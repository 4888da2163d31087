"""Error codes of ars_magna.md §2.12."""

import pytest

from walking_robots.ars_magna.codes import Code, code_name, normal_code, wire_number


@pytest.mark.parametrize(
    ('code', 'number'),
    [
        ('NIL', 0),
        ('ALREADY-TRACKING', 1),
        ('GRASPING', 12),
        ('INTERRUPT', 20),
        ('NO-PLACE-TYPE', 30),
        ('TOO-LOW-TURN-ANGLE', 41),
        ('FAILED', 42),
        ('NO-WALL', 100),
    ],
)
def test_the_numbers_of_the_specification(code: str, number: int) -> None:
    assert wire_number(code) == number
    assert code_name(number) == Code(code)


def test_every_code_comes_back_from_the_wire() -> None:
    assert len(Code) == 44
    assert [code_name(wire_number(code)) for code in Code] == list(Code)


def test_a_code_of_the_user_travels_with_its_name() -> None:
    assert normal_code(':not_holding_key') == 'NOT-HOLDING-KEY'
    assert wire_number('not_holding_key') == 1000
    assert code_name(1000, 'not_holding_key') == 'NOT-HOLDING-KEY'
    assert wire_number(':bin_closed') == 3


@pytest.mark.parametrize('number', [-1, 43, 99, 101, 999])
def test_numbers_without_a_code_are_refused(number: int) -> None:
    with pytest.raises(ValueError, match=f'{number} is no error code'):
        code_name(number, 'name')


def test_a_code_of_the_user_needs_its_name() -> None:
    with pytest.raises(ValueError, match='1003 is user-defined and needs its name'):
        code_name(1003)
