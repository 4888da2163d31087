"""Programs whose interrupts are true while an element runs, and end it where they are not."""

import pytest

from walking_robots.mdle.analysis.core_writer import write_core
from walking_robots.mdle.language.ast import Name, Truth
from walking_robots.mdle.language.core_notation import parse_core
from walking_robots.mdle.language.expression_printer import format_expression
from walking_robots.mdle.language.polarity import ending
from walking_robots.mdle.language.yaml_reader import parse_yaml
from walking_robots.mdle.language.yaml_writer import write_yaml


@pytest.mark.parametrize(
    ('written', 'read'),
    [
        ('y.x < 1 m', 'not (y.x < 1 m)'),
        ('not y.a', 'y.a'),
        ('y.a and y.b', 'not (y.a and y.b)'),
        # What may always run has no end; what may never run ends at once.
        ('true', 'false'),
        ('false', 'true'),
    ],
)
def test_a_condition_is_negated(written: str, read: str) -> None:
    core = f'([0.2 m/s, 0 rad/s], {written}, 2 s)'
    turned = write_core(parse_core(core, polarity='run_while'), 'main', {})
    same = write_core(parse_core(core.replace(written, read)), 'main', {})
    assert turned == same
    assert write_core(parse_core(core), 'main', {}).strip() == core
    # Read so twice it says what was written.
    again = write_core(parse_core(turned, polarity='run_while'), 'main', {})
    assert again.strip() == core


def test_triples_at_all_levels_are_negated() -> None:
    core = '((([1 m/s, 0], y.a, 1 s), ((([0, t], y.b, 2 s)), y.c, 3 s)), y.d, 4 s)'
    program = parse_core(core, polarity='run_while')
    elements = (*program.atoms, *program.behaviors, *program.plans)
    conditions = [format_expression(e.guards[0].condition) for e in elements]
    assert conditions == ['not y.a', 'not y.b', 'not y.c', 'not y.d']


YAML = """\
mdle: 1
interrupts: {near: y.x < 1 m}
atoms:
  go: {on: body2, control: [0.1 m/s, 0 rad/s], until: [{if: y.a, then: done}, {if: 'true'}]}
behaviors:
  b: {until: near, do: [{call: go, until: not y.b}]}
plans:
  p:
    do:
      - par: {mode: any, do: [{call: b, until: y.c}]}
      - {if: y.d, then: [{do: [{call: b, until: y.e}]}], else: [{call: b, until: y.f}]}
"""


def test_yaml_is_negated_wherever_an_element_may_end_and_nowhere_else() -> None:
    read = parse_yaml(YAML, polarity='run_while')
    assert [format_expression(g.condition) for g in read.atoms[0].guards] == ['not y.a']
    assert read.atoms[0].guards[0].action == parse_yaml(YAML).atoms[0].guards[0].action
    written = write_yaml(read)
    for turned in ('until: not near', 'until: y.b', 'until: not y.c', 'until: not y.f'):
        assert turned in written
    assert 'until: not y.e' in written
    # What is declared and what is chosen by has no polarity.
    assert 'near: y.x < 1 m' in written and 'if: y.d' in written
    assert parse_yaml(YAML, polarity='end') == parse_yaml(YAML)


def test_another_polarity_is_refused() -> None:
    assert ending(Name('a'), 'end') == Name('a')
    assert ending(Truth(True), 'run_while') == Truth(False)
    for parse, text in ((parse_core, '([1, 0], true, 1)'), (parse_yaml, YAML)):
        with pytest.raises(ValueError, match="'both' is no polarity; use end or run_while"):
            parse(text, polarity='both')
