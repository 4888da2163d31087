"""What stands in the elements of a program: calls, types and units, wherever they run.

E201, E301-E304, E401 and E402; what concerns expressions alone is in dimensions.py.
"""

from collections.abc import Sequence
from typing import Any

from walking_robots.mdle.analysis.arguments import signature
from walking_robots.mdle.analysis.declarations import check_given
from walking_robots.mdle.analysis.dimensions import ElementTypist
from walking_robots.mdle.analysis.equalities import check_equalities
from walking_robots.mdle.analysis.facts import Facts
from walking_robots.mdle.analysis.fitting import VECTORS
from walking_robots.mdle.analysis.ledger import Site, nearest
from walking_robots.mdle.analysis.motion import space_of
from walking_robots.mdle.analysis.naming import check_call, lookup, parameter_types
from walking_robots.mdle.analysis.parts import (
    outputs_of,
    outputs_of_run,
)
from walking_robots.mdle.knowledge.elements import PythonAtom, PythonGuard, PythonLaw
from walking_robots.mdle.knowledge.functions import FUNCTIONS
from walking_robots.mdle.knowledge.names import Element, Names, extern_law, spelled
from walking_robots.mdle.language.ast import (
    Action,
    Atom,
    Condition,
    Constant,
    Encapsulation,
    Expression,
    Filter,
    Guard,
    Interrupt,
    Law,
    LawCall,
    Parallel,
    Parameter,
    Place,
    Reverse,
    Run,
    Segments,
    Step,
    Timeout,
    Vector,
)
from walking_robots.mdle.language.quantities import NUMBER, TIME, Dimension, dimension_of
from walking_robots.mdle.language.types import BOOL, NUM, Type, quantity, type_named

__all__ = ['check_element', 'types_of_outputs']

SECONDS = quantity(TIME)


def types_of_outputs(steps: Sequence[Step], names: Names) -> dict[str, Type | None]:
    """Give the types of all names that steps write."""
    return {
        name: type_named(output.type) if output else None
        for name, output in outputs_of(steps, names)
    }


def check_element(element: Element, facts: Facts, names: Names, site: Site) -> None:
    """Check what is written in one element."""
    body = _Body(element, facts, names, site)
    body.check_parameters()
    if isinstance(element, Constant):
        body.typist.expect(element.value, type_named(element.type) if element.type else None)
    elif isinstance(element, Interrupt):
        body.typist.guard(element.condition)
        body.check_filters(element.filters)
    elif isinstance(element, Law):
        body.check_space(element.space, element.name, element.place)
        if element.vector is not None:
            body.check_vector(element.vector, element.name, element.space)
        else:
            body.check_extern(element)
    elif isinstance(element, Atom):
        body.check_atom(element)
    elif isinstance(element, PythonAtom | PythonGuard | PythonLaw):
        if not isinstance(element, PythonGuard):
            body.check_space(element.space, element.name, Place())
        body.check_reads(element.reads)
    elif isinstance(element, Encapsulation):
        body.check_encapsulation(element)
    if facts.is_own(names):
        check_equalities(element, body.typist)


class _Body:
    """One element, with the types of its variables."""

    def __init__(self, element: Any, facts: Facts, names: Names, site: Site) -> None:
        self.element, self.facts, self.names, self.site = element, facts, names, site
        variables = types_of_outputs(getattr(element, 'steps', ()), names)
        variables |= parameter_types(getattr(element, 'parameters', ()))
        self.typist = ElementTypist(facts, names, variables, site)

    def tell(self, code: str, place: Place, text: str, hint: str = '') -> None:
        self.facts.ledger.add(self.site, code, place, text, hint)

    def check_parameters(self) -> None:
        """Check types and defaults; a default may name the parameters before it."""
        listed: tuple[Parameter, ...] = getattr(self.element, 'parameters', ())
        for parameter in (*listed, *getattr(self.element, 'outputs', ())):
            check_given(parameter.name, parameter.place, self.site, self.facts)
            if '/' in parameter.type and dimension_of(parameter.type) is None:
                text = f"expected a type, found '{parameter.type}'"
                hint = 'write a unit such as m/s, or num, bool, str, point, pose, path'
                self.tell('E302', parameter.place, text, hint)
        for parameter in listed:
            if parameter.default is not None:
                self.typist.expect(parameter.default, type_named(parameter.type))

    def check_filters(self, filters: Sequence[Filter]) -> None:
        for item in filters:
            if item.duration is not None:
                self.typist.expect(item.duration, SECONDS)

    def check_space(self, space: str, name: str, place: Place) -> None:
        """E402: a space that the robot has not and cannot make of another."""
        robot = self.facts.robot
        if robot and space_of(space, robot) is None:
            close = nearest(space, robot.spaces, self.facts.ledger)
            text = f"'{name}' is on {space}, which robot '{robot.name}' does not offer"
            hint = f'it offers {", ".join(sorted(robot.spaces))}'
            self.tell('E402', place, text + close, hint)

    def _units(self, space: str) -> tuple[Dimension, ...] | None:
        """Give the units of a control space, None where they are not known."""
        offered = self.facts.robot.spaces.get(space) if self.facts.robot else None
        if offered:
            return tuple(dimension_of(c.unit) or NUMBER for c in offered.channels)
        if space.startswith('joints') and space[6:].isdigit() and int(space[6:]) < 1000:
            return VECTORS['body2'][1:] * int(space[6:])
        return VECTORS.get(space)

    def check_vector(self, vector: Vector, name: str, space: str) -> None:
        """E401, and the unit of each channel."""
        units = self._units(space)
        if units is not None and len(units) != len(vector):
            text = f"'{name}' on {space} needs {len(units)} channels, found {len(vector)}"
            self.tell('E401', vector[0].place, text, 'give one value for each channel')
            units = None
        for index, expression in enumerate(vector):
            self.typist.expect(expression, quantity(units[index]) if units else None)

    def check_extern(self, law: Law) -> None:
        """E206, E301, E402: a law that stands for one of the library, which has to be alike."""
        library = self.names.library
        found = extern_law(law, library)
        if found is None:
            known = [f'{name}.{each}' for name, module in library.items() for each in module.laws]
            text = f"extern '{law.extern}' not found"
            text += nearest(law.extern, known, self.facts.ledger)
            hint = 'name a law of the library, such as std.body2.along_wall'
            self.tell('E206', law.place, text, hint)
            return
        if found.space != law.space:
            text = f"'{law.extern}' is a law on {found.space}, not on {law.space}"
            self.tell('E402', law.place, text, f'write on {found.space}')
        given = [(p.name, type_named(p.type)) for p in law.parameters]
        if given != [(p.name, type_named(p.type)) for p in found.parameters]:
            text = f"'{law.extern}' takes {signature(found.parameters)}"
            self.tell('E301', law.place, text, 'declare the same parameters')

    def check_atom(self, atom: Atom) -> None:
        self.check_space(atom.space, atom.name, atom.place)
        control = atom.control
        if control is None:
            units = self._units(atom.space)
            if units:
                text = f"'{atom.name}' on {atom.space} needs {len(units)} channels, found 0"
                self.tell('E401', atom.place, text, "add a control, or write 'on none'")
        elif isinstance(control, Segments):
            for segment in control.segments:
                self.check_vector(segment.vector, atom.name, atom.space)
                self.typist.expect(segment.duration, SECONDS)
        elif isinstance(control, LawCall):
            self.typist.expect(control.call, Type('vector', name=atom.space))
        else:
            self.check_vector(control, atom.name, atom.space)
        self.check_ends(atom.guards, atom.timeout)
        outputs = parameter_types(atom.outputs)
        for emission in atom.emissions:
            if emission.name not in outputs:
                close = nearest(emission.name, outputs, self.facts.ledger)
                text = f"'{emission.name}' is not defined{close}"
                hint = f"declare it: '{atom.name} -> ({emission.name}: ...)'"
                self.tell('E201', emission.place, text, hint)
            self.typist.expect(emission.value, outputs.get(emission.name))
        for need in atom.needs:
            self.typist.of(need)

    def check_ends(self, guards: Sequence[Guard], timeout: Timeout | None) -> None:
        for guard in guards:
            self.typist.guard(guard.condition)
            self.check_action(guard.action)
        if timeout:
            self.typist.expect(timeout.duration, SECONDS)
            self.check_action(timeout.action)

    def check_action(self, action: Action | None) -> None:
        for part in action.parts() if action else ():
            if part.call:
                self.check_call(part.call)

    def check_call(self, call: Expression) -> None:
        """Check what a step runs."""
        name = '.'.join(spelled(call))
        if name in FUNCTIONS and not self.names.called(call):
            text = f"expected an atom, behavior or plan, found the function '{name}'"
            self.tell('E302', call.place, text)
            return
        found = lookup(self.typist, call)
        if found is None:
            return
        if not isinstance(found.element, Atom | Encapsulation | PythonAtom):
            kind = type(found.element).__name__.removeprefix('Python').lower()
            text = f"expected an atom, behavior or plan, found the {kind} '{name}'"
            self.tell('E302', call.place, text)
            return
        check_call(self.typist, call, found)

    def check_encapsulation(self, element: Encapsulation) -> None:
        self.check_ends(element.guards, element.timeout)
        if element.loop and element.loop.condition:
            self.typist.expect(element.loop.condition, BOOL)
        for handler in element.handlers:
            self.check_action(handler.action)
        for call in element.cleanup:
            self.check_call(call)
        for need in element.requires:
            self.typist.of(need)
        self.check_steps(element.steps)
        outputs = parameter_types(element.outputs)
        for step in _runs(element.steps):
            self._check_output(step, outputs)

    def _check_output(self, step: Run, outputs: dict[str, Type | None]) -> None:
        """Check what a step is to give against what the element gives."""
        check_given(step.output, step.place, self.site, self.facts)
        called = self.names.called(step.call) if step.call else None
        listed = [output.name for output in getattr(called and called.element, 'outputs', ())]
        if step.output and len(listed) > 1 and step.output not in listed:
            text = f"'{step.output}' could be any of {', '.join(listed)}"
            hint = f"write one of them before '=', or leave '{step.output} =' out and have all"
            self.tell('E302', step.place, text, hint)
        for name, output in outputs_of_run(step, self.names):
            if output is None:
                if (step.call and self.names.called(step.call)) or step.steps:
                    text = f"'{name}' is given by an element without outputs"
                    self.tell('E302', step.place, text, f"write the step without '{name} ='")
                continue
            given, wanted = type_named(output.type), outputs.get(name)
            if wanted and given != wanted and (given.kind, wanted.kind) != ('pose', 'point'):
                both = given.kind == wanted.kind == 'quantity'
                if both:
                    text = f'cannot use {given} where {wanted} is required'
                else:
                    text = f'expected {wanted}, found {given}'
                self.tell('E303' if both else 'E302', step.place, text)

    def check_steps(self, steps: Sequence[Step]) -> None:
        for step in steps:
            if isinstance(step, Run):
                self._check_run(step)
            elif isinstance(step, Parallel):
                self.check_steps(step.steps)
            elif isinstance(step, Condition):
                self.typist.expect(step.condition, BOOL)
                self.check_steps(step.then)
                self.check_steps(step.otherwise)
            elif isinstance(step, Reverse) and step.target:
                self.check_call(step.target)

    def _check_run(self, step: Run) -> None:
        if step.scale:
            for factor in step.scale.alpha:
                self.typist.expect(factor, NUM)
            if step.scale.beta:
                self.typist.expect(step.scale.beta, NUM)
        if step.call:
            self.check_call(step.call)
        self.check_steps(step.steps)
        self.check_ends((step.guard,) if step.guard else (), step.timeout)

    def check_reads(self, reads: frozenset[str]) -> None:
        """E202: a channel that an element in Python reads."""
        robot = self.facts.robot
        for name in sorted(reads - (robot.outputs.keys() if robot else reads)):
            assert robot
            self.tell('E202', Place(), f"robot '{robot.name}' has no output '{name}'")


def _runs(steps: Sequence[Step]) -> list[Run]:
    """Give the steps that run something, wherever in steps."""
    waiting = list(steps)
    runs = []
    for step in waiting:
        if isinstance(step, Run):
            runs.append(step)
            waiting += step.steps
        elif isinstance(step, Parallel):
            waiting += step.steps
        elif isinstance(step, Condition):
            waiting += step.then + step.otherwise
    return runs
