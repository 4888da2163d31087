"""Where a result says that something happened: in the program of its author."""

import pytest
from mdle_stage import HEAD, Told, run

BAD = 'behavior b {\n do {\n  stop();\n  drive(y.x, 0 m/s);\n } }\nplan p { do { b(); } }'


def test_a_fault_in_the_library_is_reported_at_the_call_and_names_the_module():
    result, _ = run(BAD, robot=Told(x=1.0))
    assert (result.outcome, result.path) == ('FAULT', 'p.b.drive')
    assert result.line == HEAD.count('\n') + 4
    assert '(in std.body2, line ' in result.message


@pytest.mark.parametrize('ends', ['until y.x > 0 m => abort', 'timeout 0.1 s => abort'])
def test_what_a_step_adds_to_an_element_of_the_library_is_of_the_program(ends):
    text = f'plan p {{ do {{\n drive(1 m)\n {ends}; }} }}'
    result, _ = run(text, robot=Told(x=1.0))
    assert (result.path, result.line) == ('p.drive', HEAD.count('\n') + 3)
    assert 'std' not in result.message


@pytest.mark.parametrize(
    ('text', 'path', 'line'),
    [
        # An atom of the program itself keeps its own line.
        ('atom a() on none {\n timeout 0 s - 1 s; }\nplan p {\n do { a(); } }', 'p.a', 2),
        ('plan p { do {\n par all {\n  drive(y.x, 0 m/s); }; } }', 'p.par.drive', 3),
        ('plan p { do {\n if y.x > 0 m {\n drive(y.x, 0 m/s); }; } }', 'p.if.drive', 3),
        ('plan p { on fail =>\n run drive(y.x, 0 m/s);\n do { bad(); } }', 'p.drive', 2),
        ('plan p { finally\n drive(y.x, 0 m/s); do { stop(); } }', 'p.finally', 2),
        ('plan p { do {\n drive(y.x, 0 m/s) times 2; } }', 'p.drive', 2),
    ],
)
def test_the_line_of_a_result_is_one_of_the_program(text, path, line):
    bad = '\natom bad() on none { timeout 0.1 s => fail; }'
    result, _ = run(text + bad, 'p', robot=Told(x=1.0))
    assert (result.path, result.line) == (path, line + HEAD.count('\n')), result
