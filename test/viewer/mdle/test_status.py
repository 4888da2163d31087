"""Test the texts beside a plan: phase, transitions, memory, and remarks on a program."""

import re
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walking_robots.viewer.common.colours import Grade, css
from walking_robots.viewer.mdle.state import PlanView, Remark, Transition
from walking_robots.viewer.mdle.status import (
    LONGEST,
    MOST_SHOWN,
    heading_html,
    log_html,
    memory_html,
    remarks_html,
    rounded,
    transition_words,
)

EVIL = '"><script>alert(1)</script>'


def seen(text: str) -> str:
    """Return what a person reads."""
    return re.sub(r'\s+', ' ', re.sub(r'<[^>]*>', ' ', text))


@pytest.mark.parametrize(
    ('phase', 'words'),
    [
        ('', 'No news of the executor'),
        ('NOTRUN', 'No program has run yet'),
        ('RUNNING', 'Runs follow'),
        ('PAUSED', 'follow pauses'),
        ('STOPPING', 'follow stops'),
        ('TERMINATED', 'follow has ended'),
        ('{odd} {}', '{odd} follow'),
    ],
)
def test_heading_says_what_the_executor_does(following: PlanView, phase: str, words: str) -> None:
    assert words in seen(heading_html(replace(following, phase=phase)))


@pytest.mark.parametrize(
    ('outcome', 'grade'),
    [('DONE', Grade.GOOD), ('CANCELED', Grade.TIGHT), ('FAULT', Grade.BAD)],
)
def test_heading_says_how_it_ended(following: PlanView, outcome: str, grade: Grade) -> None:
    over = replace(following, phase='TERMINATED', outcome=outcome, message='so it is')
    text = heading_html(over)
    assert f'<b style="color:{css(grade.value)}">{outcome}</b>' in text
    assert f'border-left:4px solid {css(grade.value)}' in text
    assert '37.4 s of program time' in seen(text)
    assert outcome not in heading_html(replace(over, phase='RUNNING'))


def test_heading_warns_and_shows_who_waits(following: PlanView) -> None:
    text = seen(heading_html(replace(following, warning='a node is gone', waiting=2)))
    assert 'a node is gone' in text
    assert '2 waiting' in text


def test_log_has_the_newest_first_and_says_why(following: PlanView) -> None:
    text = seen(log_html(following.log))
    assert re.search(r'9\.20 ▪ wait: interrupt moved \(shift 0\.2649\)', text)
    assert text.index('9.20') < text.index('0.04') < text.index('0.00')
    many = tuple(Transition(float(number), 'enter', 'a') for number in range(100))
    times = re.findall(r'\d+\.00', seen(log_html(many)))
    assert times == [f'{99 - number}.00' for number in range(MOST_SHOWN)]


@pytest.mark.parametrize(
    ('kind', 'cause', 'grade'),
    [
        ('exit', 'done', None),
        ('exit', 'interrupt', None),
        ('exit', 'timeout', Grade.TIGHT),
        ('exit', 'fail', Grade.BAD),
        ('end', 'fault', Grade.BAD),
        ('warning', '', Grade.TIGHT),
        ('enter', '', None),
    ],
)
def test_log_marks_what_went_wrong(kind: str, cause: str, grade: Grade | None) -> None:
    text = log_html((Transition(1.0, kind, 'a.b', cause),))
    colour = 'transparent' if grade is None else css(grade.value)
    assert f'border-left:3px solid {colour}' in text


def test_memory_has_control_and_values(following: PlanView) -> None:
    text = seen(memory_html(following))
    assert 'body2 0.2, 0.0032 target (1.02588, 0.424932) side left' in text
    many = replace(following, board=tuple((f'v{number}', '1') for number in range(50)))
    assert f'and {50 - MOST_SHOWN} more' in seen(memory_html(many))
    assert 'control nothing' in seen(memory_html(PlanView()))


def test_remarks_say_where_and_what_helps() -> None:
    remark = Remark('error', 'unknown atom', 'E201', 3, 7, 'import std.body2')
    text = remarks_html([remark])
    assert seen(text).strip() == 'E201 line 3, column 7 unknown atom import std.body2'
    assert css(Grade.BAD.value) in text
    assert css(Grade.GOOD.value) in remarks_html([Remark('sound', 'No mistakes.')])
    assert remarks_html([]) == ''
    assert f'and {40 - MOST_SHOWN} more' in seen(remarks_html([remark] * 40))


def test_nothing_foreign_becomes_markup() -> None:
    reported = PlanView(
        phase=EVIL, entry=EVIL, space=EVIL, board=((EVIL, EVIL),), outcome=EVIL, message=EVIL,
        warning=EVIL,
    )  # fmt: skip
    transition = Transition(0.0, EVIL, EVIL, EVIL, EVIL, ((EVIL, EVIL),), EVIL)
    remark = Remark(EVIL, EVIL, EVIL, 1, 1, EVIL)
    for text in (
        heading_html(reported),
        heading_html(replace(reported, phase='TERMINATED')),
        memory_html(reported),
        log_html((transition,)),
        remarks_html([remark]),
    ):
        assert '<script' not in text
        assert '&lt;script' in text
        assert EVIL[:2] not in re.sub(r'<[^<>]*>', '', text), 'no attribute is left early'


def test_no_line_is_longer_than_a_page_can_bear() -> None:
    endless = 'x' * 100_000
    transition = Transition(0.0, 'exit', endless, endless, endless, ((endless, endless),), endless)
    reported = PlanView(phase='RUNNING', **{
        field.name: endless for field in fields(PlanView) if field.name in ('entry', 'message')
    })  # fmt: skip
    assert len(transition_words(transition)) <= LONGEST + 1
    assert len(heading_html(reported)) < 10 * LONGEST


@given(st.text(max_size=40))
def test_rounding_changes_decimal_numbers_only(text: str) -> None:
    if not re.search(r'\d\.\d', text):
        assert rounded(text) == text


def test_rounding_keeps_four_digits() -> None:
    assert rounded('(1.02588, -0.424932, 3)') == '(1.026, -0.4249, 3)'
    assert rounded('1.5e-07 left2 v1.25x') == '1.5e-07 left2 v1.25x'
