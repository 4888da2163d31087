"""The one layout: it says what the program says, and goes on saying it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mdle_programs import expressions, programs, spans
from mdle_worked import WORKED

from walking_robots.mdle.language.ast import (
    Binary,
    Constant,
    Expression,
    Law,
    Member,
    Name,
    Number,
    Program,
)
from walking_robots.mdle.language.expression_printer import format_expression
from walking_robots.mdle.language.formatter import format_program
from walking_robots.mdle.language.parser import parse_fragment, parse_text

LAID_OUT = """\
# A head.
mdle 1;
# Of the body.
import std.body2;  # all of it
const a = 1 m;  # one

# An atom
# of two lines.
atom b() on body2 {  # begins
  # before the control
  control [0 m/s, 0 rad/s] for 0.5 s;  # behind it
  # before the word
  irreversible;
  # before the end
}  # ends

plan c {
  loop 3;
  # before the steps
  do {
    # the first
    b();
    (
      b();
      # within
      b()
    ) times 2;
    if a > 2 m {  # so
      b();
      # last of the first
    } else {
      b();
      # last of the second
    };
    # last of all
  }
}
# the end
"""


def test_what_is_laid_out_stays() -> None:
    assert format_program(parse_text(LAID_OUT)) == LAID_OUT


def test_comments_between_go_before_their_item() -> None:
    source = (
        'mdle 1; atom a on b { control [1, # one\n 2 # two\n]; # three\n timeout # four\n 3 s; }'
    )
    assert format_program(parse_text(source)) == (
        'mdle 1;\n\natom a() on b {\n  # one\n  # two\n  control [1, 2];  # three\n'
        '  timeout 3 s;  # four\n}\n'
    )


def test_declarations_and_clauses_keep_their_order() -> None:
    source = (
        'mdle 1; plan a { loop 2; until c; do { b; } } const c = 1; atom b on d { timeout 1 s; }'
    )
    parsed = parse_text(source)
    words = format_program(parsed).split()
    assert [word for word in words if word in ('plan', 'loop', 'until', 'const', 'atom')] == [
        'plan', 'loop', 'until', 'const', 'atom',
    ]  # fmt: skip
    built = Program(
        1, constants=(Constant('c', '', Number(1.0)),), laws=(Law('l', (), 'd', (Name('v'),)),)
    )
    assert format_program(built) == 'mdle 1;\nconst c = 1;\nlaw l() on d = [v];\n'


def test_long_controls_have_a_segment_a_line() -> None:
    segment = '[0.1234567 m/s, 0.7654321 rad/s] for 0.25 s'
    source = f'mdle 1; atom a() on b {{ control {segment} then {segment} then {segment}; }}'
    laid = format_program(parse_text(source))
    assert laid.count(f'\n    then {segment}') == 2
    assert format_program(parse_text(laid)) == laid


@pytest.mark.parametrize(
    ('source', 'written'),
    [
        ('((a)) + (b * (c))', 'a + b * c'),
        ('(a - b) - (c - d)', 'a - b - (c - d)'),
        ('(a / b) * c / (d * e)', 'a / b * c / (d * e)'),
        ('-(a + b) * -(-c)', '-(a + b) * --c'),
        ('not (a and b) or (not c and d)', 'not (a and b) or not c and d'),
        ('(a < b) == (c < d)', '(a < b) == (c < d)'),
        ('(not a) < b', '(not a) < b'),
        ('f((1), x=(2))[(3)..(4)]', 'f(1, x=2)[3..4]'),
        ('1.50 m + 100000000000000000000', '1.5 m + 1e+20'),
        (r'"a\"\\\n\u0007é"', r'"a\"\\\n\u0007é"'),
    ],
)
def test_parentheses_are_few(source: str, written: str) -> None:
    assert format_expression(parse_fragment('expression', source)) == written


def test_numbers_below_zero_are_written_as_they_are_meant() -> None:
    assert format_expression(Binary('-', Number(-1.0, 'm'), Number(-2.0))) == '-1 m - -2'


@pytest.mark.parametrize(
    'wrong', [Number(float('nan')), Number(float('inf'), 'm'), Member(Number(1.0), 'x')]
)
def test_what_has_no_words_is_refused(wrong: Expression) -> None:
    with pytest.raises(ValueError, match=r'no word for|cannot stand before'):
        format_expression(wrong)


@given(expressions())
def test_expressions_are_read_as_they_were_written(expression: Expression) -> None:
    assert parse_fragment('expression', format_expression(expression)) == expression


@settings(max_examples=25)
@given(programs())
def test_programs_are_read_as_they_were_written(program: Program) -> None:
    laid = format_program(program)
    again = parse_text(laid)
    assert again == program
    assert format_program(again) == laid


COMMENTS = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=6)


def commented(source: str, where: list[tuple[float, bool]]) -> str:
    """Put numbered comments behind some tokens, or on lines of their own."""
    ends = [end for _, end in spans(source)]
    pieces, last = [], 0
    for i, (share, alone) in enumerate(sorted(where)):
        at = ends[min(int(share * len(ends)), len(ends) - 1)]
        pieces += [source[last:at], '\n' if alone else ' ', f'# {i}\n']
        last = at
    return ''.join([*pieces, source[last:]])


@settings(max_examples=25)
@given(programs() | st.sampled_from(list(WORKED.values())).map(parse_text), COMMENTS)
def test_no_comment_is_lost(program: Program, where: list[tuple[float, bool]]) -> None:
    read = parse_text(commented(format_program(program), where))
    laid = format_program(read)
    again = parse_text(laid)
    assert again == program
    assert sorted(item.text for item in again.comments) == [f'# {i}' for i in range(len(where))]
    assert format_program(again) == laid
