"""Outputs that are read before they are written, or written twice at once (E204, E405)."""

from collections.abc import Iterable

from walking_robots.mdle.analysis.facts import Facts
from walking_robots.mdle.analysis.flow import Flow
from walking_robots.mdle.analysis.ledger import Site
from walking_robots.mdle.analysis.parts import outputs_of
from walking_robots.mdle.knowledge.names import Element, Names, spelled
from walking_robots.mdle.language.ast import (
    Atom,
    Call,
    Condition,
    Encapsulation,
    Expression,
    Member,
    Name,
    Parallel,
    Program,
    Run,
    Step,
    Text,
)

__all__ = ['check_assignment', 'check_board', 'written_anywhere']


def check_assignment(
    element: Atom | Encapsulation, facts: Facts, names: Names, site: Site
) -> None:
    """Check one element: along every way through its steps, what is read must be written."""
    if isinstance(element, Atom):
        written = {emission.name for emission in element.emissions}
        _check_outputs(element, written, facts, site)
        return
    _check_writers(element.steps, facts, names, site)
    flow = Flow(element, facts, names, site)
    guards: list[Expression] = [guard.condition for guard in element.guards]
    if element.timeout:
        guards.append(element.timeout.duration)
    if element.loop and element.loop.condition:
        guards.append(element.loop.condition)
    for expression in (*guards, *element.requires):
        flow.read(expression, frozenset(), element.name)
    _check_outputs(element, flow.whole(), facts, site)


def _check_writers(steps: Iterable[Step], facts: Facts, names: Names, site: Site) -> None:
    """E405: children of ``par all`` that write one name, of which only the last would count."""
    waiting = list(steps)
    for step in waiting:
        if isinstance(step, Condition):
            waiting += step.then + step.otherwise
        elif isinstance(step, Run | Parallel):
            waiting += step.steps
        if not isinstance(step, Parallel) or step.mode != 'all':
            continue
        written: set[str] = set()
        for child in step.steps:
            own = {name for name, _ in outputs_of((child,), names)}
            for name in sorted(own & written):
                text = f"two children of 'par all' both write '{name}'"
                hint = "write a name of its own and '=' before each step"
                facts.ledger.add(site, 'E405', child.place, text, hint)
            written |= own


def _check_outputs(
    element: Atom | Encapsulation, written: Iterable[str], facts: Facts, site: Site
) -> None:
    parameters = {parameter.name for parameter in element.parameters}
    for output in element.outputs:
        if output.name not in {*written, *parameters}:
            text = f"'{output.name}' may be unset here (path {element.name})"
            hint = 'emit it on every way'
            if isinstance(element, Encapsulation):
                hint = "let a step give it on every way, or end the others by '=> fail'"
            facts.ledger.add(site, 'E204', output.place, text, hint)


def written_anywhere(programs: Iterable[tuple[Program, Names]], facts: Facts) -> set[str] | None:
    """Give the names that anything may write to the blackboard; None where that is open."""
    written: set[str] = set()
    for program, names in programs:
        for atom in program.atoms:
            written |= {emission.name for emission in atom.emissions}
        for element in (*program.behaviors, *program.plans):
            written |= {name for name, _ in outputs_of(element.steps, names)}
            for call in facts.calls(element, names):
                if not isinstance(call, Call) or spelled(call)[-1:] != ('set',):
                    continue
                first = call.arguments[0].value if call.arguments else None
                if not isinstance(first, Text):
                    return None
                written.add(first.value)
    return written


def check_board(element: Element, written: set[str], facts: Facts, site: Site) -> None:
    """Check that something writes what an element reads from the blackboard."""
    for part in facts.parts(element):
        # Parts of parts, such as bb.target.x, hold the name deeper inside.
        while isinstance(part, Member) and isinstance(part.base, Member):
            part = part.base
        if isinstance(part, Member) and part.base == _BOARD and part.name not in written:
            text = f"'{part.name}' may be unset here (path bb.{part.name})"
            hint = (
                f'nothing in the program writes it: begin with set("{part.name}", 0), or emit it'
            )
            facts.ledger.add(site, 'E204', part.place, text, hint)


_BOARD = Name('bb')
