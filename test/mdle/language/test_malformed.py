"""Texts that are no programs: each is refused where it is wrong, and soon (AC-31)."""

import random
import time
from collections.abc import Iterator

import pytest
from mdle_programs import spans
from mdle_worked import WORKED

from benchmarks.cpu_time import cpu_time
from walking_robots.mdle.language.ast import Place
from walking_robots.mdle.language.diagnostics import MOST_DIAGNOSTICS, ProgramError
from walking_robots.mdle.language.parser import parse_text


def plan(step: str) -> str:
    return f'mdle 1;\nplan p {{\n  do {{\n    {step}\n  }}\n}}\n'


def atom(item: str) -> str:
    return f'mdle 1;\natom a() on b {{ {item} }}\n'


def behavior(clause: str) -> str:
    return f'mdle 1;\nbehavior b {{\n  {clause}\n  do {{ a(); }}\n}}\n'


def alone(declaration: str) -> str:
    return f'mdle 1;\n{declaration}'


# A bar stands before the first character that is wrong.
MALFORMED = [
    '|', '|mdl 1;', '|1;', 'mdle |;', 'mdle |one;', 'mdle 1|', 'mdle 1 |import std;',
    'mdle 1;|;', 'mdle 1; |mdle 1;', 'mdle |1 m;', '|# only a comment',
    *map(alone, [
        'import |;', 'import std.|;', 'import std |body;', 'import std as |;', 'import |plan;',
        'import std as |do;', 'const |= 1;', 'const a |1;', 'const a = |;', 'const a: |= 1;',
        'const a: m/|= 1;', 'const a: m/s^|x = 1;', 'const a = 1; |import std;', 'const |if = 1;',
        'const a = 1 |2;', 'const a = 1 |const b = 2;', 'const a = |[1];', 'const a = |1e999 m;',
        'interrupt a |y.b;', 'interrupt a(|1) = y;', 'interrupt a(b|) = y;',
        'interrupt a(b: |) = y;',
        'interrupt a = y with |;', 'interrupt a = y with hold|;', 'interrupt a = y with |slow;',
        'interrupt a = y with stale |maybe;', 'interrupt a = y with edge |latch;',
        'law a |= [1];', 'law a on b = |1;', 'law a on b = [|];', 'law a on b extern |c;',
        'group a = {|};', 'group a = {b |c};', 'group a = |b;', 'group a = {b,|};',
        'atom |{ }', 'atom a() |{ }', 'atom a() on b |;', 'atom a() on b {|',
        'atom a(b: m |c: m) on d { }',
        'atom a() -> |on b { }', 'behavior |{ }', 'behavior b { |}', 'behavior b { do { |} }',
        'behavior b { do { a(); }|', 'behavior b { do { a(); } |a(); }', 'plan p |do { a(); }',
        'plan p { |a(); }', 'plan p { do { a(); } |until x; }', '|do { a(); }', '|a();',
    ]),
    *map(atom, [
        'control |;', 'control [1|;', 'control [1] for |;', 'control [1] |then [2];',
        'control [1] for 2 s then [2]|;', 'until |;', 'until x |done;', 'until x => |;',
        'timeout |;',
        'timeout 1 s; |timeout 2 s;', 'control [1]; |control [2];', 'emit |= 1;', 'emit a |1;',
        'needs |;', 'needs a |b;', 'irreversible |x;', '|loop 3;', 'control [1] |until',
        'emit |last = 1;',
    ]),
    *map(behavior, [
        'loop |;', 'loop |0;', 'loop |2.5;', 'loop |1e7;', 'loop 2; |loop 3;', 'loop while |;',
        'on |;', 'on timeout |next;', 'on |contact => next;', 'on fail(|x) => next;',
        'on interrupt |=> next;', 'finally |1;', 'requires |;', 'timeout 2 s => retry |;',
        'until x => run |;', 'until x => run a then|;', '|control [1];', 'until x => |stop;',
    ]),
    *map(plan, [
        'a()\n  |}', 'a() |b();', 'a(|;', 'a(1 |2);', 'a(1,|);', 'a(b=|);', 'a(1 |= 2);',
        'a(5 |model);',
        'a(5|mm2);', 'a(|.5);', 'a(1|.);', 'a(1 <2 |< 3);', 'a(1 |& 2);', 'a(not|);', 'a(- |);',
        'a(|"open);', 'a(|"b\\q");', 'a.|;', 'a[|];', 'a[1..|];', 'a@|;', 'a() times |;',
        'a() times |-1;',
        'a() timeout 1 s |until x;', 'a() until x |until y;', 'a = b |= c;', 'l: |;', '(|);',
        '(a(); |);',
        'scale |2: a();', 'scale [2] |a();', 'scale [2] time |: a();', 'par |{ a(); };',
        'par all { a(); } |b();', 'if |{ a(); };', 'if x |a();', 'if x { a(); } else |b();',
        'reverse |;', 'reverse last |twice;', '|plan();', '|$a;', '|\xe9();', "a(|'b');",
        'a(1)|);',
    ]),
]  # fmt: skip


@pytest.mark.parametrize('source', MALFORMED)
def test_ac31_malformed_inputs_are_refused_where_they_are_wrong(source: str) -> None:
    before, after = source.split('|')
    with pytest.raises(ProgramError, match='E101') as caught:
        parse_text(before + after)
    first = caught.value.diagnostics[0]
    place = Place(before.count('\n') + 1, len(before) - before.rfind('\n'))
    assert (first.code, first.place) == ('E101', place), first.text


def test_ac31_there_are_a_hundred_of_them() -> None:
    assert len(set(MALFORMED)) >= 100


def test_mistakes_of_several_declarations_are_reported_together() -> None:
    with pytest.raises(ProgramError) as caught:
        parse_text('mdle 1;\nconst a = ;\natom b on { }\nconst c = 1;\nplan d { do { e() } }\n')
    assert [item.place for item in caught.value.diagnostics] == [(2, 11), (3, 11), (5, 19)]
    with pytest.raises(ProgramError) as caught:
        parse_text('mdle 1;' + 'const a = ;\n' * 500)
    assert len(caught.value.diagnostics) == MOST_DIAGNOSTICS


@pytest.mark.parametrize(
    ('source', 'said'),
    [
        (plan('a() b();'), "unexpected 'b'; expected ';', 'timeout', 'times' or 'until' (end it"),
        (plan('a(5 model);'), "('model' is no unit; there are m, cm, mm, in, s,"),
        (plan('plan();'), "('plan' is a word of the language; choose another name)"),
        (alone('plan p { a(); }'), '(write the steps in do { ... })'),
        (atom('timeout 1 s; timeout 2 s;'), "'a' has a second 'timeout' (keep one of them)"),
        (atom('control [1]; control [2];'), "'a' has a second 'control' (keep one of them)"),
        (plan('a(b & c);'), "(write 'and')"),
        (plan('if a = b { c(); };'), "(compare with '==')"),
        (plan('a() timeout 1 s until b;'), "(write 'until', 'timeout' and 'times' in this order"),
        ('plan p { }', "expected 'mdle' (begin the program with 'mdle 1;')"),
        ('mdle 2; nonsense', 'E102 error: language version 2 not supported (1)'),
        (plan('a("b);'), '(end the string with " on the same line)'),
        (plan('a() times 1e7;'), "'1e7' is no count (write a whole number from 1 to 1000000)"),
        (plan('a(1e999);'), "'1e999' is too large a number (write 'inf' for no limit)"),
        (plan('a(1, );'), "unexpected ')'; expected a value"),
    ],
)  # fmt: skip
def test_mistakes_come_with_their_remedy(source: str, said: str) -> None:
    with pytest.raises(ProgramError) as caught:
        parse_text(source)
    message = str(caught.value)
    assert said in message
    assert not {'NAME', 'NUM', 'SEMICOLON', 'ANON'} & set(message.replace("'", ' ').split())


LARGE = [
    '(' * 10_000,
    plan('a' + '(' * 10_000 + ';'),
    plan('a(' + '-' * 50_000 + '1);'),
    plan('a(' + 'not ' * 50_000 + '1);'),
    plan('a' + '()' * 40_000 + ';'),
    plan('a' + '.b' * 40_000 + ';'),
    plan('a(' + '1 + ' * 40_000 + '1);'),
    plan('(' * 10_000),
    plan('if a { ' * 10_000),
    behavior('until a => ' + 'run b then ' * 20_000 + 'next;'),
    plan('a;' * 60_000),
    '\n#' * 400_000,
    '\n' * 1_000_000 + 'x',
    'x' * 1_000_001,
    '$' * 1_000_000,
    '"' * 1_000_000,
    plan('a("' + '\\' * 999_000),
    plan('a(' + '9' * 900_000 + ');'),
    plan('a() times ' + '9' * 900_000 + ';'),
    'mdle 1;' + 'const a = ;' * 25_000,
]


@pytest.mark.parametrize('number', range(len(LARGE)))
@pytest.mark.usefixtures('untraced')
def test_large_and_deep_texts_end_soon(number: int) -> None:
    def read() -> None:
        with pytest.raises(ProgramError, match='E101'):
            parse_text(LARGE[number])

    assert cpu_time(read, 1.0) < 1.0


@pytest.mark.usefixtures('untraced')
def test_what_is_just_small_enough_is_read() -> None:
    assert parse_text(plan('a(' + '(' * 60 + '1' + ')' * 60 + ');'))
    assert parse_text(plan('a(' + '1 + ' * 50 + '1);'))
    assert len(parse_text(plan('a();' * 20_000)).plans[0].steps) == 20_000
    assert cpu_time(lambda: parse_text(plan('a();' * 20_000)), 1.0) < 1.0


def mutants(seed: int, count: int) -> Iterator[str]:
    """Return worked programs with tokens or characters deleted, doubled, swapped, changed."""
    chance = random.Random(seed)
    sources = list(WORKED.values())
    cuts = [spans(source) for source in sources]
    for _ in range(count):
        which = chance.randrange(len(sources))
        text, tokens = sources[which], cuts[which]
        for _ in range(chance.choice((1, 1, 2, 5))):
            kind = chance.randrange(6)
            (a, b), (c, d) = sorted(chance.choices(tokens, k=2))
            at = chance.randrange(len(text))
            if kind == 0:
                text = text[:a] + text[b:]
            elif kind == 1:
                text = text[:b] + ' ' + text[a:b] + text[b:]
            elif kind == 2 and b <= c:
                text = text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]
            elif kind == 3:
                text = text[:at] + chr(chance.choice((chance.randrange(128), 0x2028, 0xE9)))
                text += sources[which][at + 1 :]
            elif kind == 4:
                text = text[:at] + text[at + 1 :]
            else:
                text = text[:at]
            text = text or ' '
        yield text


def fuzz(seed: int, count: int) -> tuple[int, float]:
    """Read mutants; give how many were programs, and the longest time for one, s.

    The hundred thousand of AC-31 take a minute and a half, so they are run by hand.
    """
    good, longest = 0, 0.0
    for text in mutants(seed, count):
        start = time.process_time()
        try:
            parse_text(text)
            good += 1
        except ProgramError as error:
            lines = text.count('\n') + 1
            assert all(1 <= item.place.line <= lines for item in error.diagnostics), text
            assert all(item.place.column >= 1 and item.text for item in error.diagnostics), text
        longest = max(longest, time.process_time() - start)
    return good, longest


@pytest.mark.usefixtures('untraced')
def test_ac31_mutants_are_programs_or_refused() -> None:
    good, longest = fuzz(1, 2000)
    assert 0 < good < 1000
    assert longest < 1.0
