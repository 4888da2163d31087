"""Arguments as people write them in one line."""

import pytest

from walking_robots.mdle.program_store import parse_arguments, split_arguments


def test_a_line_of_arguments_is_split_where_the_language_would():
    line = 'side = 50 cm, to = point(1 m, -2 m), word = "a, b = c"'
    found = split_arguments(line)
    assert found == {'side': '50 cm', 'to': 'point(1 m, -2 m)', 'word': '"a, b = c"'}
    assert set(parse_arguments(found)) == set(found)
    assert split_arguments('') == {}


@pytest.mark.parametrize(
    'line', ['1 m', 'a = 1)(b = 2', 'a = 1) + p(b = 2', 'a = ', '}', 'x' * 9999]
)
def test_a_line_of_anything_else_is_one_short_sentence(line):
    with pytest.raises(ValueError, match='write them as d =') as error:
        split_arguments(line)
    assert len(str(error.value)) < 200
