"""Calls, types, units and spaces in the elements of a program.

E201-E203, E206, E301-E304, E401 and E402; what concerns single expressions is in
expression_types.py.
"""

from collections.abc import Sequence
from typing import Any

from walking_robots.mdle.analysis.check_context import CheckContext, DiagnosticSite
from walking_robots.mdle.analysis.expression_types import (
    VECTORS,
    ExpressionTyper,
    parameter_types,
)
from walking_robots.mdle.analysis.motion import space_of
from walking_robots.mdle.analysis.name_checks import check_given
from walking_robots.mdle.analysis.references import (
    outputs_of,
    outputs_of_run,
    signature,
    statements,
)
from walking_robots.mdle.knowledge.elements import PythonAtom, PythonGuard, PythonLaw
from walking_robots.mdle.knowledge.functions import FUNCTIONS
from walking_robots.mdle.knowledge.names import Element, Names, extern_law, spelled
from walking_robots.mdle.language import ast
from walking_robots.mdle.language.quantities import NUMBER, TIME, Dimension, dimension_of
from walking_robots.mdle.language.types import BOOL, NUM, Type, quantity, type_named

SECONDS = quantity(TIME)
RUNNABLE = ast.Atom | ast.Encapsulation | PythonAtom


def types_of_outputs(steps: Sequence[ast.Step], names: Names) -> dict[str, Type | None]:
    """Return the types of all names that steps write."""
    return {
        name: type_named(output.type) if output else None
        for name, output in outputs_of(steps, names)
    }


def check_element(
    element: Element, context: CheckContext, names: Names, site: DiagnosticSite
) -> None:
    """Check what is written in one element."""
    variables = types_of_outputs(getattr(element, 'steps', ()), names)
    variables |= parameter_types(getattr(element, 'parameters', ()))
    _ElementChecker(context, names, variables, site).check(element)


class _ElementChecker(ExpressionTyper):
    """The checks of one element, with the types of its variables."""

    def check(self, element: Any) -> None:
        self.element = element
        if isinstance(element, PythonAtom | PythonLaw):
            self._check_space(element.space, ast.NOWHERE)
        if isinstance(element, PythonAtom | PythonLaw | PythonGuard):
            self._check_reads(element.reads)
        for part in statements(element):
            self._check_part(part)
        if self.context.is_own(self.names):
            self.check_equalities(element)

    def _check_part(self, part: Any) -> None:
        """Check what is written in one part of the element, without the parts in it."""
        match part:
            case ast.Parameter():
                self._check_parameter(part)
            case ast.Constant():
                self.expect(part.value, type_named(part.type) if part.type else None)
            case ast.Interrupt() | ast.Guard():
                self.guard(part.condition)
            case ast.Filter(duration=duration) if duration:
                self.expect(duration, SECONDS)
            case ast.Timeout():
                self.expect(part.duration, SECONDS)
            case ast.Loop(condition=condition) | ast.Condition(condition=condition) if condition:
                self.expect(condition, BOOL)
            case ast.Action(call=call) | ast.Reverse(target=call) if call:
                self._check_call(call)
            case ast.Scale():
                for factor in (*part.alpha, *([part.beta] if part.beta else [])):
                    self.expect(factor, NUM)
            case ast.Run():
                if part.call:
                    self._check_call(part.call)
                self._check_output(part)
            case ast.Law():
                self._check_space(part.space, part.place)
                if part.vector is not None:
                    self._check_vector(part.vector)
                else:
                    self._check_extern(part)
            case ast.Segment():
                self._check_vector(part.vector)
                self.expect(part.duration, SECONDS)
            case ast.LawCall():
                self.expect(part.call, Type('vector', name=self.element.space))
            case ast.Emission():
                self._check_emission(part)
            case ast.Atom():
                self._check_atom(part)
            case ast.Encapsulation():
                for call in part.cleanup:
                    self._check_call(call)
                for need in part.requires:
                    self.of(need)

    def _check_parameter(self, parameter: ast.Parameter) -> None:
        """Check name, type and default; a default may name the parameters before it."""
        check_given(parameter.name, parameter.place, self.site, self.context)
        if '/' in parameter.type and dimension_of(parameter.type) is None:
            text = f"expected a type, found '{parameter.type}'"
            hint = 'write a unit such as m/s, or num, bool, str, point, pose, path'
            self.report('E302', parameter.place, text, hint)
        if parameter.default is not None:
            self.expect(parameter.default, type_named(parameter.type))

    def _check_space(self, space: str, place: ast.Place) -> None:
        """Report a space that the robot has not (E402)."""
        robot = self.context.robot
        if robot and space_of(space, robot) is None:
            close = self.context.collector.suggestion(space, robot.spaces)
            text = (
                f"'{self.element.name}' is on {space}, which robot '{robot.name}' does not offer"
            )
            hint = f'it offers {", ".join(sorted(robot.spaces))}'
            self.report('E402', place, text + close, hint)

    def _check_reads(self, reads: frozenset[str]) -> None:
        """Report channels that an element in Python reads and the robot lacks (E202)."""
        robot = self.context.robot
        for name in sorted(reads - robot.outputs.keys()) if robot else ():
            text = f"robot '{robot.name}' has no output '{name}'" if robot else ''
            self.report('E202', ast.NOWHERE, text)

    def _units(self, space: str) -> tuple[Dimension, ...] | None:
        """Return the units of a control space, None where they are not known."""
        offered = self.context.robot.spaces.get(space) if self.context.robot else None
        if offered:
            return tuple(dimension_of(c.unit) or NUMBER for c in offered.channels)
        if space.startswith('joints') and space[6:].isdigit() and int(space[6:]) < 1000:
            return VECTORS['body2'][1:] * int(space[6:])
        return VECTORS.get(space)

    def _check_vector(self, vector: ast.Vector) -> None:
        """Check the number of channels (E401), and the unit of each."""
        units = self._channels(len(vector), vector[0].place, 'give one value for each channel')
        for index, expression in enumerate(vector):
            self.expect(expression, quantity(units[index]) if units else None)

    def _channels(self, found: int, place: ast.Place, hint: str) -> tuple[Dimension, ...] | None:
        """Return the units of the channels of a control; report another number of them (E401)."""
        space = self.element.space
        units = self._units(space)
        if units is None or len(units) == found:
            return units
        text = f"'{self.element.name}' on {space} needs {len(units)} channels, found {found}"
        self.report('E401', place, text, hint)
        return None

    def _check_extern(self, law: ast.Law) -> None:
        """Check a law that stands for one of the library: E206, E301, E402."""
        library = self.names.library
        found = extern_law(law, library)
        if found is None:
            known = [f'{name}.{each}' for name, module in library.items() for each in module.laws]
            text = f"extern '{law.extern}' not found"
            text += self.context.collector.suggestion(law.extern, known)
            hint = 'name a law of the library, such as std.body2.along_wall'
            self.report('E206', law.place, text, hint)
            return
        if found.space != law.space:
            text = f"'{law.extern}' is a law on {found.space}, not on {law.space}"
            self.report('E402', law.place, text, f'write on {found.space}')
        given, wanted = parameter_types(law.parameters), parameter_types(found.parameters)
        if list(given.items()) != list(wanted.items()):
            text = f"'{law.extern}' takes {signature(found.parameters)}"
            self.report('E301', law.place, text, 'declare the same parameters')

    def _check_atom(self, atom: ast.Atom) -> None:
        self._check_space(atom.space, atom.place)
        if atom.control is None:
            self._channels(0, atom.place, "add a control, or write 'on none'")
        elif isinstance(atom.control, tuple):
            self._check_vector(atom.control)
        for need in atom.needs:
            self.of(need)

    def _check_emission(self, emission: ast.Emission) -> None:
        outputs = parameter_types(self.element.outputs)
        if emission.name not in outputs:
            close = self.context.collector.suggestion(emission.name, outputs)
            text = f"'{emission.name}' is not defined{close}"
            hint = f"declare it: '{self.element.name} -> ({emission.name}: ...)'"
            self.report('E201', emission.place, text, hint)
        self.expect(emission.value, outputs.get(emission.name))

    def _check_call(self, call: ast.Expression) -> None:
        """Check what a step runs (E302), and its arguments."""
        name, text = '.'.join(spelled(call)), ''
        if name in FUNCTIONS and not self.names.called(call):
            text = f"expected an atom, behavior or plan, found the function '{name}'"
            self.report('E302', call.place, text)
            return
        found = self.lookup(call)
        if found and isinstance(found.element, RUNNABLE):
            self.check_call(call, found)
        elif found:
            kind = type(found.element).__name__.removeprefix('Python').lower()
            text = f"expected an atom, behavior or plan, found the {kind} '{name}'"
            self.report('E302', call.place, text)

    def _check_output(self, step: ast.Run) -> None:
        """Check what a step is to give against what the element gives."""
        outputs = parameter_types(self.element.outputs)
        check_given(step.output, step.place, self.site, self.context)
        called = self.names.called(step.call) if step.call else None
        listed = [output.name for output in getattr(called and called.element, 'outputs', ())]
        if step.output and len(listed) > 1 and step.output not in listed:
            text = f"'{step.output}' could be any of {', '.join(listed)}"
            hint = f"write one of them before '=', or leave '{step.output} =' out and have all"
            self.report('E302', step.place, text, hint)
        for name, output in outputs_of_run(step, self.names):
            if output is None:
                if called or step.steps:
                    text = f"'{name}' is given by an element without outputs"
                    self.report('E302', step.place, text, f"write the step without '{name} ='")
                continue
            given, wanted = type_named(output.type), outputs.get(name)
            if wanted and given != wanted and (given.kind, wanted.kind) != ('pose', 'point'):
                both = given.kind == wanted.kind == 'quantity'
                text = f'expected {wanted}, found {given}'
                if both:
                    text = f'cannot use {given} where {wanted} is required'
                self.report('E303' if both else 'E302', step.place, text)
