"""No program crashes the checker, however wrong, deep or large it is."""

import re
import time
from random import Random

import mdle_programs
import mdle_worked
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mdle_marked import LIBRARY, SCOUT

from walking_robots.mdle.analysis.checker import check
from walking_robots.mdle.language.diagnostics import ProgramError
from walking_robots.mdle.language.parser import parse_text
from walking_robots.virtual_robots.twist import twist_spec

HEAD = 'mdle 1;\nimport std.body2;\n'
ROBOTS = (SCOUT, twist_spec(can_reverse=False), None)


def sound(report):
    """Return whether a report is one that can be shown."""
    lines = report.text('p').splitlines()
    assert len(lines) >= len(report.diagnostics) <= 100
    assert report.to_json('p')['ok'] == report.ok
    return report.sarif('p')['version'] == '2.1.0'


@pytest.mark.slow
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(mdle_programs.programs(), st.sampled_from(ROBOTS))
def test_random_programs_are_checked(program, robot):
    assert sound(check(program, LIBRARY, robot))


KINDS = {
    'name': r'[A-Za-z_]\w*',
    'quantity': r'[0-9][0-9.]*(?: (?:m/s|rad/s|rad|deg|min|m|s)\b)?',
    'text': r'"\w*"',
    'sign': r'[-+*/<>]|and|or',
}
TOKEN = re.compile('|'.join(f'(?P<{kind}>{form})' for kind, form in KINDS.items()))
SOURCES = [mdle_worked.FOLLOW, mdle_worked.HALLWAY]
POOL = {
    kind: sorted({m[0] for text in SOURCES for m in TOKEN.finditer(text) if m.lastgroup == kind})
    for kind in KINDS
}


def exchanged(source, random):
    """Give a program with some words exchanged by others of their kind."""
    tokens = list(TOKEN.finditer(source))
    for token in sorted(random.sample(tokens, random.randint(1, 4)), key=lambda m: -m.start()):
        other = random.choice(POOL[token.lastgroup])
        source = source[: token.start()] + other + source[token.end() :]
    return source


@pytest.mark.parametrize('seed', range(4))
def test_worked_programs_with_words_exchanged_are_checked(seed):
    random = Random(seed)
    read = 0
    for _ in range(100):
        try:
            program = parse_text(exchanged(random.choice(SOURCES), random))
        except ProgramError:
            continue
        read += 1
        assert sound(check(program, LIBRARY, random.choice(ROBOTS)))
    assert read > 10


def chain(count, line, last):
    """Give elements of which each runs the next, ``{i}`` and ``{j}`` in a line."""
    lines = [line.format(i=i, j=i + 1) for i in range(count)]
    return HEAD + '\n'.join(lines) + '\n' + last.format(i=count)


CHAINS = {
    'behaviors': ('behavior b{i} {{ do {{ b{j}(); }} }}', 'behavior b{i} {{ do {{ stop(); }} }}'),
    'interrupts': ('interrupt b{i} = not b{j};', 'interrupt b{i} = contact;'),
    'constants': ('const b{i} = b{j} + 1;', 'const b{i} = 1;'),
    'deep interrupts': (
        'interrupt b{i} = ' + 'not (' * 25 + 'b{j}' + ')' * 25 + ';',
        'interrupt b{i} = contact;',
    ),
    'deep behaviors': (
        'behavior b{i} {{ do {{ ' + '(' * 15 + 'b{j}()' + ')' * 15 + '; }} }}',
        'behavior b{i} {{ do {{ stop(); }} }}',
    ),
}


@pytest.mark.parametrize('kind', CHAINS)
@pytest.mark.parametrize('backwards', [False, True])
def test_long_chains_are_checked(kind, backwards):
    line, last = CHAINS[kind]
    source = chain(400, line, last)
    user = 'plan p { until b0; do { stop(); } }' if 'interrupts' in kind else ''
    body = (source + '\n' + user).splitlines()
    if backwards:
        body[2:] = reversed(body[2:])
    report = check(parse_text('\n'.join(body)), LIBRARY, SCOUT)
    assert sound(report)
    assert report.errors == []


@pytest.mark.parametrize('line', [
    'interrupt b{i} = b{j} and not b{j};',
    'const b{i} = b{j} + b{j};',
    'interrupt b{i}(d: m) = b{j}(d + 1 m) or b{j}(2 * d);',
    'behavior b{i} {{ do {{ b{j}(); b{j}(); }} }}',
    'behavior b{i}(d: m) {{ do {{ b{j}(d + 1 m); b{j}(2 * d); }} }}',
    'behavior b{i} {{ do {{ b{j}() until near(0.5 m); b{j}() until near(0.6 m); }} }}',
])  # fmt: skip
@pytest.mark.usefixtures('untraced')
def test_what_doubles_with_every_step_is_checked_in_time(line):
    last = 'const b{i} = 1;'
    if 'interrupt' in line:
        last = 'interrupt b{i}(d: m) = near(d);' if 'd: m' in line else 'interrupt b{i} = contact;'
    if 'behavior' in line:
        last = 'behavior b{i}(d: m = 1 m) {{ do {{ drive(d); }} }}'
    source = chain(40, line, last)
    if 'interrupt' in line:
        use = 'b0(1 m)' if 'd: m' in line else 'b0'
        source += f'\nplan p {{ until {use}; do {{ stop(); }} }}'
    begin = time.process_time()
    assert sound(check(parse_text(source), LIBRARY, SCOUT))
    assert time.process_time() - begin < 5.0


@pytest.mark.parametrize('line', [
    'behavior b{i} {{ on fail => run b{j}() then retry 1; do {{ b{j}(); }} }}',
    'behavior b{i} {{ finally b{j}(); do {{ stop(); }} }}',
    'behavior b{i} {{ timeout 5 s => run b{j}(); do {{ stop(); }} }}',
    'behavior b{i} {{ do {{ par all {{ (b{j}()) timeout 1 s; log("x"); }}; reverse last; }} }}',
    'behavior b{i} {{ do {{ b{j}() until contact => run b{j}(); }} }}',
    'behavior b{i} {{ do {{ reverse b{j}(); }} }}',
])  # fmt: skip
def test_handlers_in_handlers_and_ways_back_of_ways_back_are_checked(line):
    source = chain(200, line, 'behavior b{i} {{ do {{ drive(1 m); }} }}')
    report = check(parse_text(source), LIBRARY, SCOUT, 'b0')
    assert sound(report)
    assert report.most.time >= 0.0


def test_circles_of_every_kind_are_reported_and_do_no_harm():
    source = HEAD + 'interrupt a = b;\ninterrupt b = a;\nconst c = d;\nconst d = c;\n'
    source += 'behavior e { do { f(); } }\nbehavior f { do { e(); stop(); } }\n'
    source += 'plan p { until a; do { e(); drive(c); reverse f(); } }'
    errors = check(parse_text(source), LIBRARY, SCOUT).errors
    assert [d.code for d in errors if d.code == 'E205'] == ['E205'] * 3
    assert [d.place.line for d in errors if d.code == 'E205'] == [3, 5, 7]


def test_an_empty_program_has_nothing_to_say():
    report = check(parse_text('mdle 1;'), {}, None)
    assert (report.diagnostics, report.entry, report.measures, report.bound) == (
        (),
        '',
        None,
        None,
    )
