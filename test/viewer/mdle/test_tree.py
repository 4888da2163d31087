"""Test the drawing of a plan's structure: what runs stands out, what is long has gaps."""

import math
import re
from dataclasses import replace

import pytest

from walking_robots.viewer.common.colours import Grade, css
from walking_robots.viewer.mdle.state import Element, GuardReading, PlanLine, PlanView
from walking_robots.viewer.mdle.tree import (
    MOST_GUARDS,
    MOST_LINES,
    timer_words,
    tree_html,
    visible_lines,
)

CHAIN = tuple(PlanLine(f'p.a{number}', 'atom', f'a{number}()', 1) for number in range(200))
EVIL = '<img src=x onerror="alert(1)">'


def rows(text: str) -> list[str]:
    """Return the rows of a tree: what lies between two lines of code."""
    return re.split(r'(?=<span title=)', text)[1:]


def test_what_runs_stands_out_and_the_innermost_most(following: PlanView) -> None:
    text = tree_html(following)
    assert text.count('class="active') == 3
    assert text.count('class="active innermost"') == 1
    (innermost,) = re.findall(r'class="active innermost".*?title="([^"]*)"', text)
    assert innermost == 'go_to(target)'
    assert [re.findall('title="([^"]*)"', row)[0] for row in rows(text)] == [
        line.text for line in following.tree
    ]


def test_numbers_have_four_digits_and_all_of_them_under_the_mouse() -> None:
    text = tree_html(PlanView(tree=(PlanLine('p.a', 'atom', 'spin(0.392699081699 rad)', 1),)))
    assert 'title="spin(0.392699081699 rad)"' in text and '>spin(0.3927 rad)<' in text


def test_depth_is_a_step_to_the_right(following: PlanView) -> None:
    idle = tree_html(replace(following, active=()))
    left = [int(value) for value in re.findall(r'padding-left:(\d+)px"><span title', idle)]
    assert left == [9, 22, 35, 35, 22, 22]
    far = tree_html(PlanView(tree=(PlanLine('p', 'atom', 'x', 1_000_000),)))
    (indent,) = re.findall(r'padding-left:(\d+)px"><span title', far)
    assert int(indent) < 200, 'however deep, there is room for the text'


def test_timers_and_guards_are_reported_where_they_count(following: PlanView) -> None:
    text = tree_html(following)
    assert 'pass 2 · 37.4 / 1800 s' in text
    assert '15.0 / 60 s' in text
    assert 'width:25.0%' in text, 'a quarter of the time has passed'
    assert text.count('class="guards"') == 2
    assert re.search(rf'{css(Grade.TIGHT.value)}"></span>contact <[^>]*>masked<', text)
    assert re.search(rf'{css(Grade.UNKNOWN.value)}"></span>at <[^>]*>false<', text)


@pytest.mark.parametrize(
    ('element', 'words'),
    [
        (Element('a', 0, 1.0), '1.0 s'),
        (Element('a', 0, 1.25, 2.5), '1.2 / 2.5 s'),
        (Element('a', 3, 0.0, 1e6), 'pass 4 · 0.0 / 1000000 s'),
        (Element('a', 0, 5.0, math.inf), '5.0 s'),
    ],
)
def test_timer_says_how_long_it_may_go_on(element: Element, words: str) -> None:
    assert timer_words(element) == words


def test_a_timer_that_is_over_fills_its_bar_and_no_more(following: PlanView) -> None:
    late = replace(following, active=(Element('follow', 0, 99.0, 3.0),))
    assert 'width:100.0%' in tree_html(late)
    assert '%;height:100%' not in tree_html(
        replace(following, active=(Element('follow', 0, 9.0),))
    )


def test_both_branches_of_par_are_innermost() -> None:
    lines = (
        PlanLine('p', 'plan', 'p', 0),
        PlanLine('p.a', 'atom', 'a', 1),
        PlanLine('p.ab', 'atom', 'ab', 1),
    )
    view = PlanView(tree=lines, active=(Element('p'), Element('p.a'), Element('p.ab')))
    assert tree_html(view).count('innermost') == 2


def test_a_long_plan_is_shown_around_what_runs() -> None:
    tree = (PlanLine('p', 'plan', 'p', 0), *CHAIN)
    shown = visible_lines(tree, {'p', 'p.a150'})
    assert len(shown) == MOST_LINES
    assert shown[0] == 0, 'what it belongs to is not lost'
    assert shown[1:] == list(range(shown[1], shown[1] + MOST_LINES - 1))
    assert shown[1] < 151 < shown[-1]
    text = tree_html(PlanView(tree=tree, active=(Element('p'), Element('p.a150'))))
    gaps = [int(count) for count in re.findall(r'⋯ (\d+) more', text)]
    assert len(gaps) == 2
    assert sum(gaps) + MOST_LINES == len(tree)


@pytest.mark.parametrize('count', [0, 1, MOST_LINES, MOST_LINES + 1, 200])
def test_no_more_lines_than_there_is_room_for(count: int) -> None:
    tree = CHAIN[:count]
    everything = {line.path for line in tree}
    for active in (set(), everything):
        shown = visible_lines(tree, active)
        assert len(shown) == len(set(shown)) == min(count, MOST_LINES)
        assert shown == sorted(shown)


def test_what_runs_without_a_line_is_reported_too(following: PlanView) -> None:
    text = tree_html(replace(following, active=(Element('elsewhere.x', 0, 1.0),)))
    assert 'title="elsewhere.x"' in text
    assert 'innermost' in text


def test_a_page_without_a_plan_says_what_to_do() -> None:
    assert 'Choose a plan and run it.' in tree_html(PlanView())


def test_nothing_foreign_becomes_markup() -> None:
    view = PlanView(
        tree=(PlanLine('p', EVIL, EVIL, 0), PlanLine('q', 'handler', EVIL, 0)),
        active=(
            Element('p', 0, 1.0, 2.0, (GuardReading(EVIL, EVIL),)),
            Element(EVIL, 0, 1.0),
        ),
    )
    text = tree_html(view)
    assert '<img' not in text
    assert text.count('&lt;img') == 8, 'each twice as text and title, guard and reading once'


def test_an_element_with_many_guards_shows_some(following: PlanView) -> None:
    guards = tuple(GuardReading(f'g{number}', 'true') for number in range(50))
    text = tree_html(replace(following, active=(Element('follow', guards=guards),)))
    assert f'g{MOST_GUARDS - 1} ' in text
    assert f'g{MOST_GUARDS} ' not in text
    assert f'and {50 - MOST_GUARDS} more' in text
