"""The notation in YAML: the same programs, and where its mistakes are."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from mdle_programs import programs
from mdle_worked import SQUARE, WORKED

from benchmarks.cpu_time import cpu_time
from walking_robots.mdle.language.ast import Law, Place, Program
from walking_robots.mdle.language.diagnostics import ProgramError
from walking_robots.mdle.language.formatter import format_program
from walking_robots.mdle.language.parser import parse_text
from walking_robots.mdle.language.yaml_reader import parse_yaml
from walking_robots.mdle.language.yaml_writer import write_yaml


def reported(source: str) -> list[str]:
    with pytest.raises(ProgramError) as caught:
        parse_yaml(source, 'f')
    return [
        diagnostic.line('f').replace('error: ', '').partition(' (')[0]
        for diagnostic in caught.value.diagnostics
    ]


def plan(steps: str) -> str:
    """Return a program with these steps."""
    lines = steps.replace('\n', '\n      ')
    return f'mdle: 1\nplans:\n  p:\n    do:\n      {lines}'


EVERYTHING = (
    """\
mdle: 1
imports: [std.body2, std.scout as scout]
constants: {g: 9.8 m/s^2, n: {type: num, value: 3}}
groups: {pair: [alpha, beta]}
interrupts:
  contact: y.bumper.any
  near: {params: {r: m = 1 m}, if: y.range < r, with: [hold 0.2 s, stale false]}
laws:
  go: {params: {v: m/s}, on: body2, u: [v, 0 rad/s]}
  far: {on: body2, extern: name}
atoms:
  a:
    params: {p: point, v: m/s = 0.2 m/s}
    outs: {q: point}
    on: body2
    control: pursue(y.pose, p, v)
    until: [near(1 m), {if: contact, then: done}]
    timeout: 60 s
    on_timeout: fail too late
    emit: {q: p}
    needs: [y@alpha.pose]
    irreversible: true
  b: {on: body2, control: [0, 1 rad/s]}
  c: {on: none, control: {segments: [{u: [1 m/s, 0], for: 2 s}, {u: [0, 0], for: 1 s}]}}
behaviors:
  d:
    loop: while near(1 m)
    on: [{cause: fail("contact"), do: run e(0.2 m) then restart}]
    finally: [b()]
    requires: [near]
    do:
      - {call: a, args: {p: $n}, as: first, out: q, times: forever}
      - {call: a, args: [1 m, {v: "2"}], scale: {alpha: [2, 2], beta: 0.5}, until: contact}
      - {run: b, timeout: 3, on_timeout: next}
      - {do: [{call: b}, {reverse: last}], times: 4}
      - {par: {mode: all, do: [{call: b}]}, as: both}
      - {if: contact, then: [{call: b}], else: [{reverse: c()}]}
""",
    """\
mdle 1;
import std.body2;
import std.scout as scout;
const g = 9.8 m/s^2;
const n: num = 3;
group pair = {alpha, beta};
interrupt contact = y.bumper.any;
interrupt near(r: m = 1 m) = y.range < r with hold 0.2 s, stale false;
law go(v: m/s) on body2 = [v, 0 rad/s];
law far() on body2 extern "name";
atom a(p: point, v: m/s = 0.2 m/s) -> (q: point) on body2 {
  control pursue(y.pose, p, v); until near(1 m); until contact => done;
  timeout 60 s => fail "too late"; emit q = p; needs y@alpha.pose; irreversible;
}
atom b() on body2 { control [0, 1 rad/s]; }
atom c() on none { control [1 m/s, 0] for 2 s then [0, 0] for 1 s; }
behavior d {
  loop while near(1 m); on fail("contact") => run e(0.2 m) then restart; finally b();
  requires near;
  do {
    first: q = a(p=n) times forever;
    scale [2, 2] time 0.5: a(1 m, v=2) until contact;
    b timeout 3 => next;
    (b(); reverse last) times 4;
    both: par all { b(); };
    if contact { b(); } else { reverse c(); };
  }
}
""",
)


def test_every_construct_has_its_form() -> None:
    in_yaml, in_text = EVERYTHING
    assert parse_yaml(in_yaml) == parse_text(in_text)


def test_the_mapping_is_described_as_it_is() -> None:
    described = (Path(__file__).parents[3] / 'docs/specs/mdle.md').read_text()
    for line in EVERYTHING[0].splitlines()[:10]:
        assert line.strip() in described


def test_ac30_worked_programs_are_the_same_in_yaml() -> None:
    for source in WORKED.values():
        program = parse_text(source)
        assert parse_yaml(write_yaml(program)) == program
    square = parse_yaml(SQUARE)
    assert parse_text(format_program(square)) == square
    assert parse_yaml(write_yaml(square)) == square
    assert square == parse_text(
        'mdle 1; import std.body2; plan square { until y.bumper.any => abort; timeout 60 s;'
        ' do { (drive(d=1 m); spin(a=90 deg)) times 4; } }'
    )


@settings(max_examples=25)
@given(programs())
def test_yaml_says_what_the_program_says(program: Program) -> None:
    assert parse_yaml(write_yaml(program)) == program


def test_values_know_where_they_stand() -> None:
    read = parse_yaml(plan('- {call: a, args: ["b + c", $d]}\n- run: e\n'))
    first, second = read.plans[0].steps
    assert first.place == Place(5, 9)
    assert [argument.value.place for argument in first.call.arguments] == [(5, 27), (5, 36)]
    assert first.call.arguments[0].value.right.place == Place(5, 31)
    assert (second.place, second.call.place) == (Place(6, 9), Place(6, 14))


def test_anchors_are_written_out() -> None:
    assert parse_yaml(plan('- &go {call: a}\n- *go\n')) == parse_text(
        'mdle 1; plan p { do { a(); a(); } }'
    )


def test_a_call_may_carry_its_arguments() -> None:
    assert parse_yaml(plan('- call: a(1, x=2)\n')) == parse_text(
        'mdle 1; plan p { do { a(1, x=2); } }'
    )


@pytest.mark.parametrize(
    ('source', 'said'),
    [
        ('mdle: ^2', 'E102 language version 2 not supported'),
        ('^plans: {}', "E101 'mdle' is missing in the program"),
        ('^- mdle', 'E101 the program has to be a mapping'),
        ('^', 'E101 the program has to be a mapping'),
        ('^atom: {}', "E103 key 'atom' unknown in the program; did you mean 'atoms'?"),
        ('mdle: 1\nplans: {}\n^plans: {}', "E103 key 'plans' duplicate in the program"),
        ('laws:\n  a: {on: b, u: [1]}\n  ^a: {on: b, u: [1]}', "E103 key 'a' duplicate in laws"),
        (
            plan('- {call: a, ^tmies: 4}'),
            "E103 key 'tmies' unknown in a step 'call'; did you mean 'times'?",
        ),
        (plan('- {call: a, timeout: 5 ^model}'), "E101 unexpected 'model'; expected an operator"),
        (plan('- call: a\n  until: "b and^"'), 'E101 unexpected the end of the text; expected a'),
        (plan('- {call: a, times: ^1.5}'), "E101 '1.5' is no count"),
        (
            plan('- {call: a, times: ^while b}'),
            "E101 unexpected 'while'; expected a number or 'forever'",
        ),
        (plan('- ^stop'), 'E101 this is no step'),
        (plan('- {call: a, on_timeout: ^next}'), "E101 there is an 'on_timeout' and no 'timeout'"),
        (plan('- {call: a, until: [b, ^c]}'), 'E101 a step has one guard at most'),
        (plan('- {call: a, as: ^plan}'), "E101 unexpected 'plan'; expected a name"),
        (plan('- {call: a, as: ^1x}'), "E101 unexpected '1'; expected a name"),
        (
            plan('- {par: {mode: ^x, do: [{call: a}]}}'),
            "E101 unexpected 'x'; expected 'all' or 'any'",
        ),
        (plan('- {call: ^[a]}'), 'E101 a text is expected here, not a list'),
        (
            plan('- {call: a, args: [^!!python/name:os.system b]}'),
            "E101 'tag:yaml.org,2002:python",
        ),
        ('plans: {p: 1\n^', 'E101 this is no valid YAML: did not find expected'),
        (plan('- ^*go'), "E101 nothing before this is marked '&go'"),
        ('mdle: 1\n^plans: \x07', 'E101 YAML does not allow a character of this line'),
        ('plans: {^p: {}}', "E101 'do' is missing in plan 'p'"),
        ('atoms: {^a: {}}', "E101 'on' is missing in atom 'a'"),
        ('groups: {a: ^[]}', "E101 group 'a' has no members"),
        ('laws: {^a: {on: b}}', "E101 'u' is missing in law 'a'"),
        ('laws: {a: {on: b, u: ^[1], extern: c}}', "E101 law 'a' has both 'u' and 'extern'"),
        ('atoms: {a: {on: b, irreversible: ^yes}}', "E101 unexpected 'yes'; expected 'false'"),
        ('atoms: {a: {on: b, control: {segments: ^[]}}}', 'E101 control has no segments'),
        (
            'atoms: {a: {on: b, params: {p: m =^}}}',
            'E101 unexpected the end of the text; expected',
        ),
        ('atoms: {a: {on: b, params: ^p}}', 'E101 params have to be a mapping'),
        ('mdle: 1\n^---\nmdle: 1', 'E101 a second document begins here'),
        ('? ^[a]\n: b', 'E101 a key has to be a word'),
        ("imports: ['std as^']", 'E101 unexpected the end of the text; expected a name'),
    ],
)
def test_mistakes_are_found_where_they_are(source: str, said: str) -> None:
    before, after = source.split('^')
    place = f'f:{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}:'
    found = reported(before + after)
    assert [line for line in found if line.startswith(f'{place} {said}')], found


def test_all_mistakes_are_reported() -> None:
    found = reported(
        'mdle: 1\nfoo: 1\natoms: {a: {on: 7, control: "f("}}\nplans: {p: {do: [{call: a b}]}}\n'
    )
    assert [line.split()[0] for line in found] == ['f:2:1:', 'f:3:17:', 'f:3:32:', 'f:4:27:']


@pytest.mark.parametrize(
    'source',
    [
        '[' * 100_000,
        '- ' * 100_000,
        'mdle: 1\n' + 'a' * 1_000_000,
        '- a\n' * 200_000,
        ''.join(f'a{i}: &a{i} [{", ".join([f"*a{i - 1}"] * 9)}]\n' for i in range(1, 40)),
        'a0: &a0 [x]\n'
        + ''.join(f'a{i}: &a{i} [{", ".join([f"*a{i - 1}"] * 9)}]\n' for i in range(1, 40)),
        'a0: &a0 [x]\n' + ''.join(f'a{i}: &a{i} [*a{i - 1}]\n' for i in range(1, 400)),
        plan('- {do: [' + '{do: [' * 100 + '{call: a}' + ']}' * 101 + '\n'),
        plan('- {run: "' + 'f(' * 70 + ')' * 70 + '"}\n'),
    ],
    ids=['lists', 'items', 'long', 'many', 'unmarked', 'laughs', 'chain', 'steps', 'calls'],
)
@pytest.mark.usefixtures('untraced')
def test_large_documents_end_soon(source: str) -> None:
    (first, *_) = reported(source)
    assert 'E101' in first
    assert cpu_time(lambda: reported(source), 1.0) < 1.0


@pytest.mark.parametrize('text', ['\x85', 'a\x85b', '\u2028', 'a\u2029'])
def test_a_text_keeps_what_yaml_takes_for_the_end_of_a_line(text: str) -> None:
    law = Law('a', (), 'body2', extern=text)
    assert parse_yaml(write_yaml(Program(1, laws=(law,)))).laws == (law,)
