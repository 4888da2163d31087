"""Ranges of expressions and implication of conditions, held against what really is evaluated."""

import math
from random import Random

import pytest
from mdle_marked import SCOUT

from walking_robots.mdle.analysis.implication import implies, normal
from walking_robots.mdle.analysis.inlining import Scope, reads
from walking_robots.mdle.analysis.values import (
    ANYTHING,
    EITHER,
    FALSE,
    FUNCTION_RANGES,
    OPERATOR_RANGES,
    TRUE,
    ValueInterval,
    point,
    product,
    value_of,
    vector_of,
)
from walking_robots.mdle.knowledge.functions import FUNCTIONS
from walking_robots.mdle.knowledge.names import Names
from walking_robots.mdle.language.parser import parse_text
from walking_robots.mdle.robot import OutputSpec, RobotSpec
from walking_robots.mdle.runtime import compiled_expression

ROBOT = RobotSpec(
    'laboratory',
    {},
    {
        'a': OutputSpec('num', -2.0, 3.0),
        'b': OutputSpec('num', 0.5, 1.5),
        'c': OutputSpec('num', -1.0, 1.0),
        'free': OutputSpec('num'),
        'flag': OutputSpec('bool'),
        'list': OutputSpec('num', 0.0, 2.0, size=4),
    },
)


def scope_of(program, robot=ROBOT):
    return Scope(Names(program, {}), robot)


def value_in(program, expression, robot=ROBOT):
    return value_of(scope_of(program, robot).inlined(expression), robot)


def range_of(expression, declarations='', robot=ROBOT):
    program = parse_text(f'mdle 1; {declarations} const value = {expression};')
    return value_in(program, program.constants[-1].value, robot)


@pytest.mark.parametrize(
    ('expression', 'low', 'high'),
    [
        ('y.a + y.b', -1.5, 4.5),
        ('y.a - y.a', -5.0, 5.0),
        ('y.a * y.b', -3.0, 4.5),
        ('y.a / y.b', -4.0, 6.0),
        ('1 / y.c', -math.inf, math.inf),
        ('-y.a', -3.0, 2.0),
        ('abs(y.a)', 0.0, 3.0),
        ('abs(y.b)', 0.5, 1.5),
        ('min(y.a, y.b)', -2.0, 1.5),
        ('max(y.list)', 0.0, 2.0),
        ('min(sector(y.list, 0 deg, 90 deg))', 0.0, 2.0),
        ('y.list[2] + 1', 1.0, 3.0),
        ('sat(y.a)', -1.0, 1.0),
        ('sqrt(y.b * 4)', math.sqrt(2.0), math.sqrt(6.0)),
        ('sign(y.b)', 1.0, 1.0),
        ('hypot(y.a, y.b)', 0.0, math.inf),
        ('hypot(3, 4)', 5.0, 5.0),
        ('sin(inf * 1 rad)', -1.0, 1.0),
        ('sin(y.free * 1 rad)', -1.0, 1.0),
        ('wrap(540 deg)', math.pi, math.pi),
        ('2 cm + 3 cm', 0.05, 0.05),
        ('t', 0.0, math.inf),
        ('y.free', -math.inf, math.inf),
        ('0 * y.free', 0.0, 0.0),
    ],
)
def test_ranges_of_expressions(expression, low, high):
    assert range_of(expression) == pytest.approx((low, high))


@pytest.mark.parametrize(
    ('condition', 'state'),
    [
        ('y.a < 3.5', TRUE),
        ('y.a < 3', EITHER),
        ('y.a <= 3', TRUE),
        ('y.a > 3', FALSE),
        ('y.b == 2', FALSE),
        ('y.b != 2', TRUE),
        ('y.flag or y.b > 0', TRUE),
        ('y.flag and y.b > 9', FALSE),
        ('not y.flag', EITHER),
        ('"a" == "a"', TRUE),
        ('"a" == "b"', FALSE),
        ('y@other.word == "b"', EITHER),
        ('above(9)', FALSE),
        ('above(-9)', TRUE),
        ('above(y.a)', EITHER),
        ('late', EITHER),
        ('fresh', FALSE),
        ('trusting', EITHER),
    ],
)
def test_states_of_conditions(condition, state):
    declared = 'interrupt above(x: num) = y.a > x; interrupt late = y.b > 0 with hold 1 s;'
    declared += (
        'interrupt fresh = y.b > 0 with edge; interrupt trusting = y.b < 0 with stale true;'
    )
    assert range_of(condition, declared) == state


def test_intervals_of_what_is_not_defined_are_wide():
    assert point(math.nan) == ANYTHING
    assert OPERATOR_RANGES['-'](ANYTHING, ANYTHING) == ANYTHING
    assert product(ValueInterval(0.0, 0.0), ANYTHING) == ValueInterval(0.0, 0.0)


def test_the_range_of_a_pursuit():
    program = parse_text('mdle 1; const c = pursue(y.pose, y.pose, 0.2 m/s);')
    speed, turn = vector_of(program.constants[0].value, scope_of(program, SCOUT))
    assert speed == (0.0, 0.2)
    assert turn == (-1.5, 1.5)


def test_what_a_condition_reads_is_found_through_interrupts():
    program = parse_text(
        'mdle 1; interrupt i(x: num) = y.a > x or t > 1 s; interrupt k = i(y.b) and y0.c > 0;'
        ' interrupt l = y@other.a > bb.x;'
    )
    scope = scope_of(program)
    found = [reads(scope.inlined(item.condition), ROBOT) for item in program.interrupts]
    assert found[1:] == [{'a', 'b', 't'}, {'@a', 'bb'}]


QUANTITIES = [
    'y.a',
    'y.b',
    'y.c',
    'y.free',
    'y.list[1]',
    'min(y.list)',
    't / 1 s',
    '2',
    '-0.5',
    '0',
]
SHAPES = [
    '({} + {})', '({} - {})', '({} * {})', '({} / {})', '(-{})', 'abs({})', 'min({}, {})',
    'max({}, {})', 'sat({})', 'sign({})', 'hypot({}, {})', 'sin({} * 1 rad)', 'cos({} * 1 rad)',
    'tan({} * 1 rad)', '(atan2({}, {}) / 1 rad)', '(wrap({} * 1 rad) / 1 rad)', 'sqrt(abs({}))',
]  # fmt: skip


def quantity(random, depth=0):
    if depth > 3 or random.random() < 0.25:
        return random.choice(QUANTITIES)
    shape = random.choice(SHAPES)
    return shape.format(*[quantity(random, depth + 1) for _ in range(shape.count('{}'))])


def comparison(random, depth=0):
    roll = random.random()
    if depth > 2 or roll < 0.45:
        symbol = random.choice(['<', '<=', '>', '>=', '==', '!='])
        sides = [random.choice(['y.a', 'y.b', 'y.c']), str(random.choice([-1, 0, 0.5, 1, 2]))]
        return f' {symbol} '.join(random.sample(sides, 2))
    if roll < 0.5:
        return random.choice(['y.flag', 'true', 'false'])
    if roll < 0.6:
        return f'not ({comparison(random, depth + 1)})'
    word = random.choice([' and ', ' or '])
    return f'({word.join(comparison(random, depth + 1) for _ in range(2))})'


def observed(random):
    """Give values of all channels within their ranges, often at the ends."""
    values = {'flag': random.random() < 0.5}
    for name, output in ROBOT.outputs.items():
        if output.type != 'bool':
            low, high = max(output.low, -50.0), min(output.high, 50.0)
            ends = [low, high, 0.0, 0.5, 1.0, random.uniform(low, high)]
            drawn = [min(high, max(low, random.choice(ends))) for _ in range(4)]
            values[name] = tuple(drawn) if output.size else drawn[0]
    return values


def evaluated(expression, program, values, now=0):
    """Give what the executor makes of an expression."""
    scope = compiled_expression.CompileScope(Names(program, {}), {}, ROBOT.outputs, {})
    bound = compiled_expression.compiled(expression, scope)
    return bound.read(values, now) if isinstance(bound, compiled_expression.Live) else bound


def test_what_is_evaluated_is_always_in_the_range():
    random = Random(1)
    narrow = 0
    for _ in range(400):
        program = parse_text(f'mdle 1; const value = {quantity(random)};')
        expression = program.constants[0].value
        low, high = value_in(program, expression)
        narrow += math.isfinite(high - low)
        slack = 1e-9 * max(1.0, *(abs(end) for end in (low, high) if math.isfinite(end)), 0.0)
        for _ in range(20):
            try:
                value = evaluated(expression, program, observed(random), random.randrange(10**10))
            except (compiled_expression.RunError, ValueError):
                continue
            assert value != value or low - slack <= value <= high + slack
    assert narrow > 100


@pytest.mark.slow
def test_conditions_that_are_decided_are_decided_rightly():
    random = Random(2)
    decided = 0
    for _ in range(1500):
        program = parse_text(f'mdle 1; interrupt i = {comparison(random)};')
        condition = program.interrupts[0].condition
        state = value_in(program, condition)
        decided += state != EITHER
        for _ in range(10):
            assert state.low <= bool(evaluated(condition, program, observed(random))) <= state.high
    assert decided > 200


def implied(inner, outer, declared=''):
    program = parse_text(f'mdle 1; {declared} interrupt p = {inner}; interrupt q = {outer};')
    scope = scope_of(program)
    both = (scope.inlined(item.condition) for item in program.interrupts[-2:])
    return implies(*(normal(condition, ROBOT) for condition in both))


@pytest.mark.parametrize(
    ('inner', 'outer', 'expected'),
    [
        ('y.a < 1', 'y.a < 2', True),
        ('y.a < 2', 'y.a < 1', False),
        ('y.a < 1', 'y.a <= 1', True),
        ('y.a <= 1', 'y.a < 1', False),
        ('1 > y.a', 'y.a < 2', True),
        ('y.a == 1', 'y.a >= 1', True),
        ('y.a < 1', 'y.a != 1', True),
        ('y.a < 1', 'y.b < 1', False),
        ('y.flag', 'y.flag', True),
        ('not y.flag', 'y.flag', False),
        ('not (y.a >= 1)', 'y.a < 2', True),
        ('y.a < 1 and y.flag', 'y.a < 2', True),
        ('y.a < 1 or y.flag', 'y.a < 2', False),
        ('y.a < 1 or y.flag', 'y.flag or y.a < 2', True),
        ('y.a > 0 and y.a < 1', 'y.a > -1 and y.a < 2', True),
        ('y.a > 0 and y.a < 1', 'y.a > -1 and y.flag', False),
        ('abs(y.a - 2 * y.b) < 1', 'abs(y.a - 2 * y.b) < 2', True),
        ('min(y.list) < 1', 'max(y.list) < 2', False),
        ('y@x.a < 1', 'y@x.a < 2', True),
        ('y@x.a < 1', 'y@z.a < 2', False),
        ('below(1)', 'below(2)', True),
        ('below(2)', 'below(1)', False),
        ('held', 'y.flag', False),
        ('y.flag', 'held', False),
        ('held', 'held', False),
        ('shaken', 'y.flag', False),
        ('y.flag', 'true', True),
    ],
)
def test_implication(inner, outer, expected):
    declared = 'interrupt below(x: num) = y.a < x; interrupt held = y.flag with hold 1 s;'
    declared += 'interrupt shaken = y.flag with debounce 1 s;'
    assert implied(inner, outer, declared) is expected


@pytest.mark.slow
def test_what_is_said_to_be_implied_holds():
    random = Random(3)
    found = 0
    for _ in range(3000):
        texts = comparison(random), comparison(random)
        if not implied(*texts):
            continue
        found += 1
        program = parse_text(f'mdle 1; interrupt p = {texts[0]}; interrupt q = {texts[1]};')
        p, q = (i.condition for i in program.interrupts)
        for _ in range(15):
            values = observed(random)
            if evaluated(p, program, values):
                assert evaluated(q, program, values), texts
    assert found > 60


def test_every_function_with_a_range_is_one_of_the_language():
    assert FUNCTION_RANGES.keys() < FUNCTIONS.keys()
