"""Test the reading of YAML: what is refused, and on which line things stand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walking_robots.documents.markup import MarkupError, read_markup

TEXT = """\
name: flat
rooms:
  - size: [3,
           4]
  - size:
      [5, 6]
"""


@pytest.mark.parametrize(
    ('place', 'line'),
    [
        ((), 1),
        (('name',), 1),
        (('rooms', 0), 3),
        (('rooms', 0, 'size', 1), 4),
        (('rooms', 1, 'size'), 5),
        (('rooms', 1, 'size', 0), 6),
        (('rooms', 1, 'colour'), 5),
        (('rooms', 7), 2),
    ],
)
def test_every_place_has_its_line(place: tuple[str | int, ...], line: int) -> None:
    assert read_markup(TEXT).line(place) == line


def test_content_and_names() -> None:
    document = read_markup(TEXT)
    assert document.content == {'name': 'flat', 'rooms': [{'size': [3, 4]}, {'size': [5, 6]}]}
    assert document.knows('size')
    assert document.knows(3)
    assert not document.knows('function-after')


def test_nothing_is_a_document() -> None:
    document = read_markup('# nothing\n')
    assert document.content is None
    assert document.line(('a', 0)) == 1
    assert not document.knows('a')


@pytest.mark.parametrize(
    ('text', 'line', 'reason'),
    [
        ('a: 1\nb: ]', 2, 'is not valid YAML'),
        ('a: &x 1\nb: *x', 2, 'alias'),
        ('a: 1\nb: 2\na: 3', 3, "'a' twice"),
        ('a:\n- {b: 1,\n   b: 2}', 3, "'b' twice"),
        ('a:\n  ' + '[' * 40, 2, 'nests deeper'),
        ('a: 1\n\x00', 2, 'character'),
        ('a: 1\n--- \nb: 2', 2, 'is not valid YAML'),
        ('a: !!python/object:os.system x', 1, 'is not valid YAML'),
        ('a: !!int', 1, 'cannot express'),
    ],
)
def test_what_is_refused(text: str, line: int, reason: str) -> None:
    with pytest.raises(MarkupError, match=reason) as caught:
        read_markup(text)
    assert caught.value.line == line
    assert str(caught.value) == f'line {line}: {caught.value.reason}'


@given(st.text(max_size=60))
def test_any_text_is_a_document_or_a_markup_error(text: str) -> None:
    try:
        read_markup(text)
    except MarkupError as error:
        assert error.line >= 1
