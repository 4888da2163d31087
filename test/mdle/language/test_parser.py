"""The text notation: what its words mean, where they stand, how long reading takes."""

import logging
import math
import time
from collections.abc import Iterator
from importlib.resources import files

import pytest
from lark import Lark, Token
from lark import logger as lark_logger
from lark.lexer import Lexer
from mdle_worked import FOLLOW, HALLWAY, PARTNER

from walking_robots.mdle.language.ast import (
    Action,
    Argument,
    Atom,
    Binary,
    Call,
    Cause,
    Comment,
    Condition,
    Constant,
    Emission,
    Encapsulation,
    Filter,
    Group,
    Guard,
    Handler,
    Import,
    Index,
    Interrupt,
    Law,
    LawCall,
    Loop,
    Member,
    Name,
    Number,
    Parallel,
    Parameter,
    Partner,
    Place,
    Program,
    Reverse,
    Run,
    Scale,
    Segment,
    Segments,
    Slice,
    Text,
    Timeout,
    Truth,
    Unary,
)
from walking_robots.mdle.language.diagnostics import ProgramError
from walking_robots.mdle.language.parser import FRAGMENTS, keywords, parse_fragment, parse_text


def expression(source: str) -> object:
    return parse_fragment('expression', source)


def steps(source: str) -> tuple[object, ...]:
    return parse_text(f'mdle 1; plan p {{ do {{ {source} }} }}').plans[0].steps


def element(source: str) -> object:
    program = parse_text(f'mdle 1; {source}')
    (found,) = program.declarations()
    return found


@pytest.mark.parametrize(
    ('source', 'value', 'unit'),
    [
        ('5 mm', 5.0, 'mm'),
        ('5m', 5.0, 'm'),
        ('2 min', 2.0, 'min'),
        ('3 m/s^2', 3.0, 'm/s^2'),
        ('3m/s', 3.0, 'm/s'),
        ('0.5 \t rad/s', 0.5, 'rad/s'),
        ('1e-3 in', 0.001, 'in'),
        ('2.5E+2ms', 250.0, 'ms'),
        ('90deg', 90.0, 'deg'),
        ('inf', math.inf, ''),
        ('7', 7.0, ''),
    ],
)
def test_a_quantity_takes_the_longest_unit(source: str, value: float, unit: str) -> None:
    assert expression(source) == Number(value, unit)


def test_a_unit_that_goes_on_as_a_name_is_the_shorter_unit() -> None:
    assert expression('6 m/speed') == Binary('/', Number(6.0, 'm'), Name('speed'))


@pytest.mark.parametrize(
    ('source', 'meant'),
    [
        ('a + b * c', 'a + (b * c)'),
        ('a - b - c', '(a - b) - c'),
        ('a / b / c', '(a / b) / c'),
        ('-a * b', '(-a) * b'),
        ('a or b and not c', 'a or (b and (not c))'),
        ('not a < b', 'not (a < b)'),
        ('a + 1 < b * 2', '(a + 1) < (b * 2)'),
        ('a < b and c < d or e', '((a < b) and (c < d)) or e'),
    ],
)
def test_operators_bind_as_the_grammar_says(source: str, meant: str) -> None:
    assert expression(source) == expression(meant)


def test_what_can_follow_a_name() -> None:
    y = Name('y')
    assert expression('y@alpha.pose') == Member(Partner(y, 'alpha'), 'pose')
    assert expression('y.sonar[4]') == Index(Member(y, 'sonar'), Number(4.0))
    assert expression('y.sonar[0..3]') == Slice(Member(y, 'sonar'), Number(0.0), Number(3.0))
    assert expression('f(1, x=-2)("a")') == Call(
        Call(
            Name('f'),
            (Argument(Number(1.0)), Argument(Unary('-', Number(2.0)), 'x')),
        ),
        (Argument(Text('a')),),
    )
    assert expression('true != false') == Binary('!=', Truth(True), Truth(False))


def test_keywords_are_names_behind_a_point_and_an_at_sign() -> None:
    assert 'plan' in keywords() and 'y' not in keywords()
    assert expression('body.plan') == Member(Name('body'), 'plan')
    assert expression('y@last.time') == Member(Partner(Name('y'), 'last'), 'time')
    assert parse_text('mdle 1; import std.loop;').imports == (Import(('std', 'loop')),)


def test_names_of_filters_are_names_elsewhere() -> None:
    assert steps('hold(edge);') == (Run(Call(Name('hold'), (Argument(Name('edge')),))),)
    found = element('interrupt hold = stale with hold f(latch, edge) + hold, edge;')
    f = Call(Name('f'), (Argument(Name('latch')), Argument(Name('edge'))))
    assert found == Interrupt(
        'hold',
        (),
        Name('stale'),
        (Filter('hold', Binary('+', f, Name('hold'))), Filter('edge')),
    )


def test_strings_know_escapes() -> None:
    assert expression(r'"a\"b\\c\n\t\r\u00e9 # no comment"') == Text(
        'a"b\\c\n\t\r\u00e9 # no comment'
    )


def test_declarations_and_their_places() -> None:
    source = (
        'mdle 1;\nimport hexapod.gait as gait;\nconst g: m/s^2 = 9.8 m/s^2; const n = 3;\n'
        'group pair = {alpha, beta};\n'
        'interrupt near(d: m = 1 m) = y.r < d with hold 0.2 s, debounce 1 s, edge, latch,'
        ' stale true;\n'
        'law go(v: m/s) on body2 = [v, 0 rad/s]; law far() on body2 extern "far";\n'
    )
    program = parse_text(source)
    assert program == Program(
        1,
        imports=(Import(('hexapod', 'gait'), 'gait'),),
        constants=(
            Constant('g', 'm/s^2', Number(9.8, 'm/s^2')),
            Constant('n', '', Number(3.0)),
        ),
        groups=(Group('pair', ('alpha', 'beta')),),
        interrupts=(
            Interrupt(
                'near',
                (Parameter('d', 'm', Number(1.0, 'm')),),
                Binary('<', Member(Name('y'), 'r'), Name('d')),
                (
                    Filter('hold', Number(0.2, 's')),
                    Filter('debounce', Number(1.0, 's')),
                    Filter('edge'),
                    Filter('latch'),
                    Filter('stale', policy='true'),
                ),
            ),
        ),
        laws=(
            Law('go', (Parameter('v', 'm/s'),), 'body2', (Name('v'), Number(0.0, 'rad/s'))),
            Law('far', (), 'body2', extern='far'),
        ),
    )
    assert program.source == source
    assert [item.place for item in program.declarations()] == [
        (3, 1), (3, 29), (4, 1), (5, 1), (6, 1), (6, 41),
    ]  # fmt: skip
    condition = program.interrupts[0].condition
    assert (condition.place, condition.right.place) == (Place(5, 30), Place(5, 36))
    assert program.interrupts[0].filters[1].place == Place(5, 55)


def test_an_atom() -> None:
    found = element(
        'atom a(p: point) -> (q: point, n: num) on body2 {'
        ' control [1 m/s, 0] for 2 s then [0, 1 rad/s] for d; until x => done; until z;'
        ' timeout 3 s => fail "late"; emit q = p; emit n = 1; needs y@b.pose, y@c; needs y@d;'
        ' irreversible; }'
    )
    assert found == Atom(
        'a',
        'body2',
        (Parameter('p', 'point'),),
        (Parameter('q', 'point'), Parameter('n', 'num')),
        Segments(
            (
                Segment((Number(1.0, 'm/s'), Number(0.0)), Number(2.0, 's')),
                Segment((Number(0.0), Number(1.0, 'rad/s')), Name('d')),
            )
        ),
        (Guard(Name('x'), Action('done')), Guard(Name('z'))),
        Timeout(Number(3.0, 's'), Action('fail', 'late')),
        (Emission('q', Name('p')), Emission('n', Number(1.0))),
        (
            Member(Partner(Name('y'), 'b'), 'pose'),
            Partner(Name('y'), 'c'),
            Partner(Name('y'), 'd'),
        ),
        True,
    )
    assert element('atom a() on none { }') == Atom('a', 'none')
    assert element('atom a on b { control [1, t]; }').control == (Number(1.0), Name('t'))
    assert element('atom a on b { control f(y); }').control == LawCall(
        Call(Name('f'), (Argument(Name('y')),))
    )


def test_an_encapsulation() -> None:
    found = element(
        'behavior b(a: rad) -> (q: point) { until x => restart; timeout 1 min => abort;'
        ' loop while z; on timeout => next; on fail => fail; on fail("f") => retry 3;'
        ' on fault => run stop() then run h then done; on interrupt(i) => run h;'
        ' finally f(); finally g(); requires r, s; do { c(); } }'
    )
    name = Name
    assert found == Encapsulation(
        'behavior',
        'b',
        (Run(Call(name('c'))),),
        (Parameter('a', 'rad'),),
        (Parameter('q', 'point'),),
        (Guard(name('x'), Action('restart')),),
        Timeout(Number(1.0, 'min'), Action('abort')),
        Loop('while', condition=name('z')),
        (
            Handler(Cause('timeout'), Action('next')),
            Handler(Cause('fail'), Action('fail')),
            Handler(Cause('fail', 'f'), Action('retry', count=3)),
            Handler(
                Cause('fault'),
                Action(
                    'run',
                    call=Call(name('stop')),
                    then=Action('run', call=name('h'), then=Action('done')),
                ),
            ),
            Handler(Cause('interrupt', 'i'), Action('run', call=name('h'))),
        ),
        (Call(name('f')), Call(name('g'))),
        (name('r'), name('s')),
    )
    assert element('plan p { loop 4; do { a; } }').loop == Loop('count', 4)
    assert element('plan p { loop forever; do { a; } }').loop == Loop('forever')


def test_steps() -> None:
    a, b, c = Name('a'), Name('b'), Name('c')
    assert steps('go: q = a until b => next timeout 1 s => done times 2;') == (
        Run(
            a,
            label='go',
            output='q',
            guard=Guard(b, Action('next')),
            timeout=Timeout(Number(1.0, 's'), Action('done')),
            times=Loop('count', 2),
        ),
    )
    assert steps('scale [2, 1] time 0.5: (a; scale [k]: b) times forever;') == (
        Run(
            steps=(Run(a), Run(b, scale=Scale((Name('k'),)))),
            scale=Scale((Number(2.0), Number(1.0)), Number(0.5)),
            times=Loop('forever'),
        ),
    )
    assert steps('w: par any { a; b; }; par all { c; };') == (
        Parallel('any', (Run(a), Run(b)), 'w'),
        Parallel('all', (Run(c),)),
    )
    assert steps('if a { b; } else { c; }; if a { b; };') == (
        Condition(a, (Run(b),), (Run(c),)),
        Condition(a, (Run(b),)),
    )
    assert steps('reverse last; back: reverse a;') == (Reverse(), Reverse(a, 'back'))
    assert [step.place.column for step in steps('a; q = b; l: a; (a; b); par all { a; };')] == [
        23, 26, 33, 39, 47,
    ]  # fmt: skip


def test_comments_are_kept_with_their_places() -> None:
    program = parse_text('# head  \nmdle 1; # why\r\n\t# tab "\nconst a = "# no"; # last')
    assert program.comments == (
        Comment('# head', True, Place(1, 1)),
        Comment('# why', False, Place(2, 9)),
        Comment('# tab "', True, Place(3, 2)),
        Comment('# last', False, Place(4, 19)),
    )


def test_fragments_stand_where_the_caller_says() -> None:
    found = parse_fragment('expression', 'a +\n b', Place(7, 12))
    assert (found.place, found.right.place) == (Place(7, 12), Place(8, 2))
    with pytest.raises(ProgramError, match=r"^here:7:17: E101 error: unexpected 'fail'; expected"):
        parse_fragment('action', 'fail fail', Place(7, 12), 'here')
    with pytest.raises(ProgramError, match='here:7:12: E101 error: unexpected the end'):
        parse_fragment('type', ' ', Place(7, 12), 'here')


def test_ac30_the_worked_programs_are_read() -> None:
    follow, hallway, partner = map(parse_text, (FOLLOW, HALLWAY, PARTNER))
    assert [atom.name for atom in follow.atoms] == ['wait_motion', 'orient', 'go_to', 'stop']
    assert follow.plans[0].handlers[0].cause == Cause('fail', 'contact')
    assert hallway.plans[0].steps[-1] == Reverse()
    assert hallway.behaviors[0].loop == Loop('forever')
    go = partner.plans[0].steps[2]
    assert (go.label, go.guard.action.then) == ('go', Action('retry', count=2))


class Silent(Lexer):
    def __init__(self, conf: object) -> None: ...

    def lex(self, data: object) -> Iterator[Token]:
        return iter(())


def test_ac31_the_grammar_has_no_conflicts(caplog: pytest.LogCaptureFixture) -> None:
    def conflicts(grammar: str, *start: str) -> list[str]:
        caplog.clear()
        Lark(grammar, parser='lalr', lexer=Silent, start=list(start), debug=True)
        return [record.message for record in caplog.records if 'onflict' in record.message]

    grammar = files('walking_robots.mdle.language').joinpath('grammar.lark').read_text()
    before = lark_logger.level
    lark_logger.addHandler(caplog.handler)
    lark_logger.setLevel(logging.DEBUG)
    try:
        assert conflicts('a: "if" a | "if" a "else" a | "do"', 'a')
        assert conflicts(grammar, 'program', *FRAGMENTS) == []
    finally:
        lark_logger.setLevel(before)
        lark_logger.removeHandler(caplog.handler)


ATOM = (
    'atom a{}(p: point, rate: rad/s = 0.5 rad/s) on body2 {{\n'
    '  control [0 m/s, rate * sat(bearing(y.pose, p) / 0.4 rad)];\n'
    '  until facing(p, 3 deg);\n  timeout 15 s => fail "orient";\n}}\n'
)
STEP = 'scale [2, 2] time 0.5: drive(2 m, speed=0.05 m/s) until contact => abort timeout 9 s;\n'


@pytest.mark.parametrize(
    'source',
    [
        'mdle 1;\n' + ''.join(map(ATOM.format, range(1000))),
        'mdle 1;\nplan p { do {\n' + STEP * 1000 + '} }\n',
    ],
    ids=['atoms', 'steps'],
)
@pytest.mark.usefixtures('untraced')
def test_ac37_a_thousand_elements_are_read_in_half_a_second(source: str) -> None:
    parse_text('mdle 1;')
    taken = []
    for _ in range(3):
        start = time.process_time()
        parse_text(source)
        taken.append(time.process_time() - start)
    assert min(taken) < 0.5
