"""Outputs that are read before anything has written them (E204)."""

from collections.abc import Iterable, Sequence

from walking_robots.mdle.checking.courses import passes
from walking_robots.mdle.checking.facts import Facts
from walking_robots.mdle.checking.ledger import Site
from walking_robots.mdle.checking.parts import (
    outputs_of,
    outputs_of_run,
    parts_of,
)
from walking_robots.mdle.knowledge.names import Element, Names, spelled
from walking_robots.mdle.language.expressions import Call, Expression, Member, Name, Text
from walking_robots.mdle.language.program import (
    Action,
    Atom,
    Condition,
    Encapsulation,
    Parallel,
    Program,
    Reverse,
    Run,
    Step,
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
    flow = _Flow(element, facts, names, site)
    guards: list[Expression] = [guard.condition for guard in element.guards]
    if element.timeout:
        guards.append(element.timeout.duration)
    if element.loop and element.loop.condition:
        guards.append(element.loop.condition)
    for expression in (*guards, *element.requires):
        flow.read(expression, frozenset(), element.name)
    _check_outputs(element, flow.block(element.steps, frozenset(), element.name), facts, site)


def _check_outputs(
    element: Atom | Encapsulation, written: Iterable[str], facts: Facts, site: Site
) -> None:
    parameters = {parameter.name for parameter in element.parameters}
    for output in element.outputs:
        if output.name not in {*written, *parameters}:
            text = f"'{output.name}' may be unset here (path {element.name})"
            word = 'emit' if isinstance(element, Atom) else 'let a step give'
            facts.ledger.add(site, 'E204', output.place, text, f'{word} it on every way')


class _Flow:
    """The ways through the steps of one element."""

    def __init__(self, element: Encapsulation, facts: Facts, names: Names, site: Site) -> None:
        self.facts, self.names, self.site = facts, names, site
        parameters = {parameter.name for parameter in element.parameters}
        self.possible = {name for name, _ in outputs_of(element.steps, names)} - parameters

    def read(self, expression: Expression, known: frozenset[str], path: str) -> None:
        """Check the names in an expression against what is certainly written."""
        for part in parts_of(expression):
            name = spelled(part)[:1] if not isinstance(part, Call) else ()
            if name and name[0] in self.possible - known:
                text = f"'{name[0]}' may be unset here (path {path})"
                hint = 'run the step that gives it before, on every way'
                self.facts.ledger.add(self.site, 'E204', part.place, text, hint)

    def block(self, steps: Sequence[Step], known: frozenset[str], path: str) -> frozenset[str]:
        """Follow steps in order; gives what is written after the last."""
        for step in steps:
            known = self.step(step, known, path)
        return known

    def step(self, step: Step, known: frozenset[str], path: str) -> frozenset[str]:
        if isinstance(step, Run):
            return self._run(step, known, path)
        if isinstance(step, Parallel):
            inside = f'{path} -> par {step.mode}'
            ends = [self.step(child, known, inside) for child in step.steps]
            if step.mode == 'all':
                return known.union(*ends)
            return known.union(frozenset.intersection(*ends), *map(self._at_once, step.steps))
        if isinstance(step, Condition):
            self.read(step.condition, known, path)
            then = self.block(step.then, known, f'{path} -> if')
            return then & self.block(step.otherwise, known, f'{path} -> else')
        if isinstance(step, Reverse) and step.target:
            self._arguments(step.target, known, path)
        return known

    def _run(self, step: Run, known: frozenset[str], path: str) -> frozenset[str]:
        conditions = [step.guard.condition] if step.guard else []
        conditions += [step.timeout.duration] if step.timeout else []
        if step.scale:
            conditions += [*step.scale.alpha, *([step.scale.beta] if step.scale.beta else [])]
        for expression in conditions:
            self.read(expression, known, path)
        if step.call:
            self._arguments(step.call, known, path)
            return known | {name for name, _ in outputs_of_run(step, self.names)}
        after = self.block(step.steps, known, path)
        ways = [step.guard.action if step.guard else _FAILS]
        if step.timeout and step.timeout.action:
            ways.append(step.timeout.action)
        if any(passes(action) for action in ways):
            # The group may be cut short, and what comes after it runs all the same.
            return known | self._at_once(step)
        return after

    def _arguments(self, call: Expression, known: frozenset[str], path: str) -> None:
        if isinstance(call, Call):
            for argument in call.arguments:
                self.read(argument.value, known, path)

    def _at_once(self, step: Step) -> frozenset[str]:
        """Give what is written even if a step is left as soon as it was entered."""
        if isinstance(step, Run) and step.call:
            return frozenset(name for name, _ in outputs_of_run(step, self.names))
        if isinstance(step, Run) and step.steps:
            return self._at_once(step.steps[0])
        return frozenset()


_FAILS = Action('fail')


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
            hint = 'nothing in the program writes it: emit it, or set it'
            facts.ledger.add(site, 'E204', part.place, text, hint)


_BOARD = Name('bb')
