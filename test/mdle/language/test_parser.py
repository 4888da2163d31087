"""The text notation: what its words mean, where they stand, how long reading takes."""

import logging
import math
from collections.abc import Iterator
from importlib.resources import files

import pytest
from lark import Lark, Token
from lark import logger as lark_logger
from lark.lexer import Lexer
from mdle_worked import FOLLOW, HALLWAY, PARTNER

from benchmarks.cpu_time import cpu_time
from walking_robots.mdle.language import ast
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
    assert expression(source) == ast.Number(value, unit)


def test_a_unit_that_goes_on_as_a_name_is_the_shorter_unit() -> None:
    assert expression('6 m/speed') == ast.Binary('/', ast.Number(6.0, 'm'), ast.Name('speed'))


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
    y = ast.Name('y')
    assert expression('y@alpha.pose') == ast.Member(ast.Partner(y, 'alpha'), 'pose')
    assert expression('y.sonar[4]') == ast.Index(ast.Member(y, 'sonar'), ast.Number(4.0))
    assert expression('y.sonar[0..3]') == ast.Slice(
        ast.Member(y, 'sonar'), ast.Number(0.0), ast.Number(3.0)
    )
    assert expression('f(1, x=-2)("a")') == ast.Call(
        ast.Call(
            ast.Name('f'),
            (ast.Argument(ast.Number(1.0)), ast.Argument(ast.Unary('-', ast.Number(2.0)), 'x')),
        ),
        (ast.Argument(ast.Text('a')),),
    )
    assert expression('true != false') == ast.Binary('!=', ast.Truth(True), ast.Truth(False))


def test_keywords_are_names_behind_a_point_and_an_at_sign() -> None:
    assert 'plan' in keywords() and 'y' not in keywords()
    assert expression('body.plan') == ast.Member(ast.Name('body'), 'plan')
    assert expression('y@last.time') == ast.Member(ast.Partner(ast.Name('y'), 'last'), 'time')
    assert parse_text('mdle 1; import std.loop;').imports == (ast.Import(('std', 'loop')),)


def test_names_of_filters_are_names_elsewhere() -> None:
    assert steps('hold(edge);') == (
        ast.Run(ast.Call(ast.Name('hold'), (ast.Argument(ast.Name('edge')),))),
    )
    found = element('interrupt hold = stale with hold f(latch, edge) + hold, edge;')
    f = ast.Call(ast.Name('f'), (ast.Argument(ast.Name('latch')), ast.Argument(ast.Name('edge'))))
    assert found == ast.Interrupt(
        'hold',
        (),
        ast.Name('stale'),
        (ast.Filter('hold', ast.Binary('+', f, ast.Name('hold'))), ast.Filter('edge')),
    )


def test_strings_know_escapes() -> None:
    assert expression(r'"a\"b\\c\n\t\r\u00e9 # no comment"') == ast.Text(
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
    assert program == ast.Program(
        1,
        imports=(ast.Import(('hexapod', 'gait'), 'gait'),),
        constants=(
            ast.Constant('g', 'm/s^2', ast.Number(9.8, 'm/s^2')),
            ast.Constant('n', '', ast.Number(3.0)),
        ),
        groups=(ast.Group('pair', ('alpha', 'beta')),),
        interrupts=(
            ast.Interrupt(
                'near',
                (ast.Parameter('d', 'm', ast.Number(1.0, 'm')),),
                ast.Binary('<', ast.Member(ast.Name('y'), 'r'), ast.Name('d')),
                (
                    ast.Filter('hold', ast.Number(0.2, 's')),
                    ast.Filter('debounce', ast.Number(1.0, 's')),
                    ast.Filter('edge'),
                    ast.Filter('latch'),
                    ast.Filter('stale', policy='true'),
                ),
            ),
        ),
        laws=(
            ast.Law(
                'go',
                (ast.Parameter('v', 'm/s'),),
                'body2',
                (ast.Name('v'), ast.Number(0.0, 'rad/s')),
            ),
            ast.Law('far', (), 'body2', extern='far'),
        ),
    )
    assert program.source == source
    assert [item.place for item in program.declarations()] == [
        (3, 1), (3, 29), (4, 1), (5, 1), (6, 1), (6, 41),
    ]  # fmt: skip
    condition = program.interrupts[0].condition
    assert (condition.place, condition.right.place) == (ast.Place(5, 30), ast.Place(5, 36))
    assert program.interrupts[0].filters[1].place == ast.Place(5, 55)


def test_an_atom() -> None:
    found = element(
        'atom a(p: point) -> (q: point, n: num) on body2 {'
        ' control [1 m/s, 0] for 2 s then [0, 1 rad/s] for d; until x => done; until z;'
        ' timeout 3 s => fail "late"; emit q = p; emit n = 1; needs y@b.pose, y@c; needs y@d;'
        ' irreversible; }'
    )
    assert found == ast.Atom(
        'a',
        'body2',
        (ast.Parameter('p', 'point'),),
        (ast.Parameter('q', 'point'), ast.Parameter('n', 'num')),
        ast.Segments(
            (
                ast.Segment((ast.Number(1.0, 'm/s'), ast.Number(0.0)), ast.Number(2.0, 's')),
                ast.Segment((ast.Number(0.0), ast.Number(1.0, 'rad/s')), ast.Name('d')),
            )
        ),
        (ast.Guard(ast.Name('x'), ast.Action('done')), ast.Guard(ast.Name('z'))),
        ast.Timeout(ast.Number(3.0, 's'), ast.Action('fail', 'late')),
        (ast.Emission('q', ast.Name('p')), ast.Emission('n', ast.Number(1.0))),
        (
            ast.Member(ast.Partner(ast.Name('y'), 'b'), 'pose'),
            ast.Partner(ast.Name('y'), 'c'),
            ast.Partner(ast.Name('y'), 'd'),
        ),
        True,
    )
    assert element('atom a() on none { }') == ast.Atom('a', 'none')
    assert element('atom a on b { control [1, t]; }').control == (ast.Number(1.0), ast.Name('t'))
    assert element('atom a on b { control f(y); }').control == ast.LawCall(
        ast.Call(ast.Name('f'), (ast.Argument(ast.Name('y')),))
    )


def test_an_encapsulation() -> None:
    found = element(
        'behavior b(a: rad) -> (q: point) { until x => restart; timeout 1 min => abort;'
        ' loop while z; on timeout => next; on fail => fail; on fail("f") => retry 3;'
        ' on fault => run stop() then run h then done; on interrupt(i) => run h;'
        ' finally f(); finally g(); requires r, s; do { c(); } }'
    )
    name = ast.Name
    assert found == ast.Encapsulation(
        'behavior',
        'b',
        (ast.Run(ast.Call(name('c'))),),
        (ast.Parameter('a', 'rad'),),
        (ast.Parameter('q', 'point'),),
        (ast.Guard(name('x'), ast.Action('restart')),),
        ast.Timeout(ast.Number(1.0, 'min'), ast.Action('abort')),
        ast.Loop('while', condition=name('z')),
        (
            ast.Handler(ast.Cause('timeout'), ast.Action('next')),
            ast.Handler(ast.Cause('fail'), ast.Action('fail')),
            ast.Handler(ast.Cause('fail', 'f'), ast.Action('retry', count=3)),
            ast.Handler(
                ast.Cause('fault'),
                ast.Action(
                    'run',
                    call=ast.Call(name('stop')),
                    then=ast.Action('run', call=name('h'), then=ast.Action('done')),
                ),
            ),
            ast.Handler(ast.Cause('interrupt', 'i'), ast.Action('run', call=name('h'))),
        ),
        (ast.Call(name('f')), ast.Call(name('g'))),
        (name('r'), name('s')),
    )
    assert element('plan p { loop 4; do { a; } }').loop == ast.Loop('count', 4)
    assert element('plan p { loop forever; do { a; } }').loop == ast.Loop('forever')


def test_steps() -> None:
    a, b, c = ast.Name('a'), ast.Name('b'), ast.Name('c')
    assert steps('go: q = a until b => next timeout 1 s => done times 2;') == (
        ast.Run(
            a,
            label='go',
            output='q',
            guard=ast.Guard(b, ast.Action('next')),
            timeout=ast.Timeout(ast.Number(1.0, 's'), ast.Action('done')),
            times=ast.Loop('count', 2),
        ),
    )
    assert steps('scale [2, 1] time 0.5: (a; scale [k]: b) times forever;') == (
        ast.Run(
            steps=(ast.Run(a), ast.Run(b, scale=ast.Scale((ast.Name('k'),)))),
            scale=ast.Scale((ast.Number(2.0), ast.Number(1.0)), ast.Number(0.5)),
            times=ast.Loop('forever'),
        ),
    )
    assert steps('w: par any { a; b; }; par all { c; };') == (
        ast.Parallel('any', (ast.Run(a), ast.Run(b)), 'w'),
        ast.Parallel('all', (ast.Run(c),)),
    )
    assert steps('if a { b; } else { c; }; if a { b; };') == (
        ast.Condition(a, (ast.Run(b),), (ast.Run(c),)),
        ast.Condition(a, (ast.Run(b),)),
    )
    assert steps('reverse last; back: reverse a;') == (ast.Reverse(), ast.Reverse(a, 'back'))
    assert [step.place.column for step in steps('a; q = b; l: a; (a; b); par all { a; };')] == [
        23, 26, 33, 39, 47,
    ]  # fmt: skip


def test_comments_are_kept_with_their_places() -> None:
    program = parse_text('# head  \nmdle 1; # why\r\n\t# tab "\nconst a = "# no"; # last')
    assert program.comments == (
        ast.Comment('# head', True, ast.Place(1, 1)),
        ast.Comment('# why', False, ast.Place(2, 9)),
        ast.Comment('# tab "', True, ast.Place(3, 2)),
        ast.Comment('# last', False, ast.Place(4, 19)),
    )


def test_fragments_stand_where_the_caller_says() -> None:
    found = parse_fragment('expression', 'a +\n b', ast.Place(7, 12))
    assert (found.place, found.right.place) == (ast.Place(7, 12), ast.Place(8, 2))
    with pytest.raises(ProgramError, match=r"^here:7:17: E101 error: unexpected 'fail'; expected"):
        parse_fragment('action', 'fail fail', ast.Place(7, 12), 'here')
    with pytest.raises(ProgramError, match='here:7:12: E101 error: unexpected the end'):
        parse_fragment('type', ' ', ast.Place(7, 12), 'here')


def test_ac30_the_worked_programs_are_read() -> None:
    follow, hallway, partner = map(parse_text, (FOLLOW, HALLWAY, PARTNER))
    assert [atom.name for atom in follow.atoms] == ['wait_motion', 'orient', 'go_to', 'stop']
    assert follow.plans[0].handlers[0].cause == ast.Cause('fail', 'contact')
    assert hallway.plans[0].steps[-1] == ast.Reverse()
    assert hallway.behaviors[0].loop == ast.Loop('forever')
    go = partner.plans[0].steps[2]
    assert (go.label, go.guard.action.then) == ('go', ast.Action('retry', count=2))


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
    assert cpu_time(lambda: parse_text(source), 0.5) < 0.5
