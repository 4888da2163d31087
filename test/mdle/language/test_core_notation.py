"""The formal notation: triples in triples, and a sentence for everything else."""

import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mdle_programs import CONTROLS, VALUES

from walking_robots.mdle.analysis.core_writer import write_core
from walking_robots.mdle.knowledge.elements import Module, PythonGuard, PythonLaw
from walking_robots.mdle.language.ast import Expression, Place
from walking_robots.mdle.language.core_notation import parse_core
from walking_robots.mdle.language.diagnostics import ProgramError
from walking_robots.mdle.language.expression_printer import format_expression, format_node
from walking_robots.mdle.language.formatter import format_program
from walking_robots.mdle.language.parser import parse_text

CORE = """\
((
  ([0.2, 0] for 2 s then [0, 0.5 rad/s] for 1 s, y.bumper.any, 10 s),
  ((
    (pursue(y.pose, p), false, inf),
    ([0, 0, t], y.r < 1 m or y.s, 2 s)
  ), false, 1 min)
), y.battery < 0.2, inf)
"""


def test_triples_become_atoms_behaviors_and_a_plan() -> None:
    program = parse_core(CORE)
    assert [(atom.name, atom.space) for atom in program.atoms] == [
        ('atom1', 'body2'),
        ('atom2', 'body2'),
        ('atom3', 'body3'),
    ]
    assert [item.name for item in (*program.behaviors, *program.plans)] == ['behavior1', 'main']
    assert program.atoms[2].place == Place(5, 5)
    assert parse_text(format_program(program)) == program
    assert write_core(program, 'main', {}) == CORE


def test_a_lone_atom_is_the_entry() -> None:
    assert (
        write_core(parse_core('([1 m/s, 0], false, 2 s)'), 'main', {})
        == '([1 m/s, 0], false, 2 s)\n'
    )


def _triples() -> st.SearchStrategy[str]:
    ending = st.builds(
        lambda xi, time: f'{format_expression(xi)}, {format_expression(time)})', VALUES, VALUES
    )
    atoms = st.builds(lambda u, end: f'({format_node(u)}, {end}', CONTROLS, ending)
    return st.recursive(
        atoms,
        lambda inner: st.builds(
            lambda parts, end: f'(({", ".join(parts)}), {end}',
            st.lists(inner, min_size=1, max_size=3),
            ending,
        ),
        max_leaves=5,
    )


@settings(max_examples=50)
@given(_triples())
def test_core_is_the_same_after_a_round_trip(source: str) -> None:
    program = parse_core(source)
    written = write_core(program, 'main', {})
    assert parse_core(written) == program
    assert written.split() == write_core(parse_core(written), 'main', {}).split()
    assert ''.join(written.split()) == ''.join(source.split())


def test_arguments_constants_and_interrupts_are_written_out() -> None:
    program = parse_text(
        'mdle 1; const v = 0.2 m/s; interrupt near(d: m = 1 m) = y.r < d * 2;'
        ' interrupt hit = y.bumper.any or near;'
        ' atom go(d: m, s: m/s = v) on body2 { control [s, 0] for d / s; until near(d);'
        ' until hit => next; }'
        ' behavior b(x: m) { timeout 9 s => done; do { go(x + 1 m); go(d=x, s=2 * v); } }'
        ' plan p { do { b(3 m); (go(1 m) until hit); } }'
    )
    assert write_core(program, 'p', {}) == (
        '((\n  ((\n'
        '    ([0.2 m/s, 0] for (3 m + 1 m) / 0.2 m/s,'
        ' y.r < (3 m + 1 m) * 2 or (y.bumper.any or y.r < 1 m * 2), inf),\n'
        '    ([2 * 0.2 m/s, 0] for 3 m / (2 * 0.2 m/s),'
        ' y.r < 3 m * 2 or (y.bumper.any or y.r < 1 m * 2), inf)\n'
        '  ), false, 9 s),\n  ((\n    ((\n'
        '      ([0.2 m/s, 0] for 1 m / 0.2 m/s,'
        ' y.r < 1 m * 2 or (y.bumper.any or y.r < 1 m * 2), inf)\n'
        '    ), y.bumper.any or y.r < 1 m * 2, inf)\n  ), false, inf)\n), false, inf)\n'
    )


PLAN = 'mdle 1; atom a() on joints1 {{ control [1]; }} plan p {{ {} do {{ {} }} }}'


@pytest.mark.parametrize(
    ('clause', 'step', 'said'),
    [
        ('loop forever;', 'a();', "no 'loop forever'"),
        ('loop 9999;', 'a();', '9999 rounds are too many'),
        ('on fail => next;', 'a();', "'p' has handlers"),
        ('finally a();', 'a();', "'p' has cleanup"),
        ('requires y;', 'a();', "'p' has requires"),
        ('until y => abort;', 'a();', "no '=> abort'"),
        ('timeout 2 s;', 'a();', 'fails at its timeout'),
        ('', 'a() times forever;', "no 'loop forever'"),
        ('', 'scale [2]: a();', "no 'scale'"),
        ('', 'q = a();', "no 'output'"),
        ('', 'par all { a(); };', "no 'par'"),
        ('', 'if y { a(); };', "no 'if'"),
        ('', 'reverse last;', "no 'reverse'"),
        ('', 'drive(1 m);', "'drive' is not defined"),
        ('', 'a(1);', "arguments of 'a' do not fit"),
        ('', 'p();', "'p' calls itself"),
    ],
)
def test_what_is_more_than_triples_is_refused(clause: str, step: str, said: str) -> None:
    with pytest.raises(ProgramError, match='E101') as caught:
        write_core(parse_text(PLAN.format(clause, step)), 'p', {})
    (diagnostic,) = caught.value.diagnostics
    assert said in diagnostic.text
    assert diagnostic.place.line == 1


@pytest.mark.parametrize(
    'atom',
    [
        'interrupt f = y.a with edge; atom a() on joints1 { control [1]; until f; }',
        'atom a() on none { timeout 1 s; }',
        'atom a() on wheels2 { control [1 m/s, 1 m/s]; }',
        'law w() on joints2 = [1, 1]; atom a() on joints2 { control w(); }',
        'law w() on body2 extern "lab.sway"; atom a() on body2 { control w(); }',
        'atom a(q: num) on joints1 { control [q]; }',
        'atom a() -> (q: num) on joints1 { control [1]; }',
        'atom a() on joints1 { control [1]; emit q = 1; }',
        'atom a() on joints1 { control [1]; needs y@c; }',
        'atom a(q: num = 1 + 2) on joints1 { control [q.x]; }',
        'plan b { do { c(); } }',
    ],
)
def test_atoms_that_are_more_than_triples_are_refused(atom: str) -> None:
    with pytest.raises(ProgramError, match='E101'):
        write_core(parse_text(f'mdle 1; {atom}'), 'a', {})


@pytest.mark.parametrize(
    'doubled',
    [
        'interrupt n{0} = n{1} or n{1};',
        'const n{0} = n{1} + n{1};',
        'behavior n{0} {{ do {{ n{1}(); n{1}(); }} }}',
        'behavior n{0}(x: m) {{ do {{ n{1}(x + x); }} }}',
    ],
)
@pytest.mark.usefixtures('untraced')
def test_what_doubles_and_doubles_is_refused_soon(doubled: str) -> None:
    parts = ' '.join(doubled.format(i, i - 1) for i in range(1, 60))
    last = 'n59(1 m)' if '(x' in doubled else 'n59()' if 'do' in doubled else 'a()'
    leaf = 'atom n0(x: m = 1 m) on joints1 { control [x]; }' if 'do' in doubled else ''
    source = (
        f'mdle 1; {leaf} {parts} atom a on joints1 {{ control [n59]; until n59; }}'
        f' plan p {{ do {{ {last}; }} }}'
    )
    start = time.process_time()
    with pytest.raises(ProgramError, match='E101'):
        write_core(parse_text(source), 'p', {})
    assert time.process_time() - start < 1.0


@pytest.mark.parametrize(
    'declared',
    [
        'interrupt n = n;',
        'interrupt n(x: bool = n) = x;',
        'const n = m; const m = n;',
        'const n = n;',
    ],
)
def test_what_names_itself_is_refused(declared: str) -> None:
    atom = 'atom a on joints1 { control [1]; until n; timeout 1 s; }'
    with pytest.raises(ProgramError, match='calls itself'):
        write_core(parse_text(f'mdle 1; {declared} {atom}'), 'a', {})


@pytest.mark.parametrize('source', ['', '()', '(([1], false, 2 s), false)', '(' * 9999])
def test_wrong_triples_are_refused(source: str) -> None:
    with pytest.raises(ProgramError, match=r'program:1:.*E101'):
        parse_core(source)


@settings(max_examples=20)
@given(VALUES)
def test_any_expression_can_end_an_atom(condition: Expression) -> None:
    source = f'([1], {format_expression(condition)}, inf)\n'
    assert write_core(parse_core(source), 'main', {}) == source


@pytest.mark.parametrize(
    ('step', 'hint'),
    [('scale [1]: a()', 'as they are scaled')],
)
def test_what_has_no_triple_is_refused_with_a_remedy(step, hint):
    atom = 'atom a() on none { timeout 1 s; }'
    text = f'mdle 1; import std.body2; {atom} plan p {{ do {{ {step}; }} }}'
    with pytest.raises(ProgramError) as caught:
        write_core(parse_text(text), 'p', {})
    assert hint in caught.value.diagnostics[0].hint


def library(**sources):
    return {name: Module(name, parse_text(source)) for name, source in sources.items()}


MODULES = library(
    lab="""mdle 1; import deep; const v = 0.1 m/s;
        interrupt far(d: m) = y.pose.x > d + off; const off = 1 m;
        atom go(d: m, s: m/s = v) on body2 { control [s, 0 rad/s] for d / s; until far(d); }
        behavior twice(d: m) { loop 2; do { go(d); deep.stop(); } }""",
    deep='mdle 1; atom stop() on body2 { control [0 m/s, 0 rad/s]; timeout 1 s; }',
)


def test_what_is_imported_and_counted_is_written_out():
    text = """mdle 1; import lab as l; const v = 9 m/s;
    plan p { until l.far(3 m); do { l.go(2 m) until y.bumper.any times 2; l.twice(1 m); } }"""
    core = write_core(parse_text(text), 'p', MODULES)
    go = '([0.1 m/s, 0 rad/s] for {0} m / (0.1 m/s), y.pose.x > {0} m + 1 m, inf)'
    go = go.replace('(0.1 m/s)', '0.1 m/s')
    stop = '([0 m/s, 0 rad/s], false, 1 s)'
    twice = [go.format(2)] * 2 + [go.format(1), stop] * 2
    lines = [line.strip().rstrip(',') for line in core.splitlines()]
    assert [line for line in lines if line.startswith('([')] == twice
    assert lines[-1] == '), y.pose.x > 3 m + 1 m, inf)'
    assert write_core(parse_core(core), 'main', {}) == core


def test_what_a_module_cannot_write_out_is_refused_at_the_call():
    lab = 'mdle 1;\n\natom a() on joints1 { control [1]; timeout 1 s => fail "x"; }'
    program = parse_text('mdle 1; import lab; plan p { do { a(); } }')
    with pytest.raises(ProgramError) as caught:
        write_core(program, 'p', library(lab=lab))
    (found,) = caught.value.diagnostics
    assert found.place.line == 1
    assert found.text == "in 'a', the formal notation has no '=> fail'; it always goes on"


LIVE = """mdle 1;
atom go(d: m, s: m/s = 0.1 m/s, e: m = d) on body2 {
  control [s, 0 rad/s] for d / s; timeout d / s; until y.odometer > e;
}
atom till(d: m) on body2 { control [0.1 m/s, 0 rad/s]; until y.odometer > d; timeout 20 s; }
atom span(d: m, s: m/s = 0.1 m/s) on body2 { control [s, 0 rad/s] for d / s; }
behavior b(d: m) { do { span(d); } }
behavior c(d: s) { timeout d => next; do { till(1 m); } }
behavior e(d: s) { do { till(1 m) timeout d => next; } }
plan p { do {
"""


@pytest.mark.parametrize(
    ('step', 'column'),
    [
        ('till(y.odometer + 0.5 m)', 8),
        ('till(y0.odometer)', 8),
        ('span(t * 1 m/s)', 8),
        ('b(bb.q)', 5),
        ('e(bb.q)', 5),
        ('go(bb.q)', 6),
    ],
)
def test_what_is_read_at_entry_and_used_later_is_refused_at_its_place(step, column):
    with pytest.raises(ProgramError, match='is read when its element begins') as caught:
        write_core(parse_text(f'{LIVE}  {step}; }} }}'), 'p', {})
    (found,) = caught.value.diagnostics
    assert (found.place.line, found.place.column) == (11, column)


def test_what_is_read_and_used_at_entry_is_written_out():
    core = write_core(parse_text(LIVE + 'span(bb.q); c(bb.r); } }'), 'p', {})
    assert '([0.1 m/s, 0 rad/s] for bb.q / 0.1 m/s, false, inf)' in core
    assert '), false, bb.r)' in core


def test_a_default_may_name_the_parameters_before_it():
    assert 'y.odometer > 2 m, 2 m / 0.1 m/s)' in write_core(
        parse_text(LIVE + 'go(2 m); } }'), 'p', {}
    )


LAWS = """mdle 1; import lab as l; law w(v: m/s) on body2 = [v, l.k];
atom q(v: m/s = 1 m/s) on body2 { control w(v * 2); timeout 1 s; }
atom r() on body2 { control l.sway(1 m); timeout 1 s; }
atom s() on body2 { control l.turn; until l.tired(1 m); timeout 1 s; }
atom u() on body2 { control l.turn(); until l.far; timeout 1 s; }
plan z { do { l.z(); } }"""
LAB = library(
    lab="""mdle 1; import deep; const k = 1 rad/s; interrupt far = near(2 m);
        law turn() on body2 = [0 m/s, k]; atom v() on body2 { control sway(1 m); timeout 1 s; }
        behavior z { do { v(); } }""",
    deep='mdle 1; interrupt near(d: m) = y.pose.x < d;',
)
IN_PYTHON = replace(
    LAB['lab'],
    laws={'sway': PythonLaw('sway', 'body2', (), frozenset(), lambda t, y: (0.0, 0.0))},
    guards={'tired': PythonGuard('tired', (), frozenset(), lambda y: False)},
)


@pytest.mark.parametrize(
    ('entry', 'core'),
    [
        ('q', '([1 m/s * 2, 1 rad/s], false, 1 s)'),
        ('u', '([0 m/s, 1 rad/s], y.pose.x < 2 m, 1 s)'),
    ],
)
def test_laws_and_what_modules_import_are_written_out(entry, core):
    assert write_core(parse_text(LAWS), entry, LAB) == f'{core}\n'


@pytest.mark.parametrize(
    ('entry', 'line', 'name'), [('r', 3, 'l.sway'), ('s', 4, 'tired'), ('z', 6, 'sway')]
)
def test_laws_and_guards_in_python_are_refused_where_they_are_called(entry, line, name):
    with pytest.raises(ProgramError, match=f"'{name}' is written in Python") as caught:
        write_core(parse_text(LAWS), entry, {**LAB, 'lab': IN_PYTHON})
    assert caught.value.diagnostics[0].place.line == line
