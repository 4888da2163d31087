"""Calls, types, units and spaces in the elements of a program.

E201-E203, E206, E301-E304, E401 and E402; what concerns single expressions is in
expression_types.py.
"""

from collections.abc import Sequence
from typing import Any

from walking_robots.mdle.analysis.check_context import CheckContext
from walking_robots.mdle.analysis.declaration_checks import check_given
from walking_robots.mdle.analysis.diagnostic_collector import DiagnosticSite
from walking_robots.mdle.analysis.expression_types import (
    VECTORS,
    ExpressionTyper,
    parameter_types,
)
from walking_robots.mdle.analysis.motion import space_of
from walking_robots.mdle.analysis.references import (
    outputs_of,
    outputs_of_run,
    runs_in,
    signature,
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
        self._check_parameters(element)
        match element:
            case ast.Constant():
                wanted = type_named(element.type) if element.type else None
                self.expect(element.value, wanted)
            case ast.Interrupt():
                self.guard(element.condition)
                for item in element.filters:
                    if item.duration is not None:
                        self.expect(item.duration, SECONDS)
            case ast.Law():
                self._check_space(element.space, element.name, element.place)
                if element.vector is not None:
                    self._check_vector(element.vector, element.name, element.space)
                else:
                    self._check_extern(element)
            case ast.Atom():
                self._check_atom(element)
            case PythonAtom() | PythonLaw():
                self._check_space(element.space, element.name, ast.NOWHERE)
                self._check_reads(element.reads)
            case PythonGuard():
                self._check_reads(element.reads)
            case ast.Encapsulation():
                self._check_encapsulation(element)
        if self.context.is_own(self.names):
            self.check_equalities(element)

    def _check_parameters(self, element: Any) -> None:
        """Check types and defaults; a default may name the parameters before it."""
        listed: tuple[ast.Parameter, ...] = getattr(element, 'parameters', ())
        for parameter in (*listed, *getattr(element, 'outputs', ())):
            check_given(parameter.name, parameter.place, self.site, self.context)
            if '/' in parameter.type and dimension_of(parameter.type) is None:
                text = f"expected a type, found '{parameter.type}'"
                hint = 'write a unit such as m/s, or num, bool, str, point, pose, path'
                self.report('E302', parameter.place, text, hint)
        for parameter in listed:
            if parameter.default is not None:
                self.expect(parameter.default, type_named(parameter.type))

    def _check_space(self, space: str, name: str, place: ast.Place) -> None:
        """Report a space that the robot has not and cannot make of another (E402)."""
        robot = self.context.robot
        if robot and space_of(space, robot) is None:
            close = self.context.collector.suggestion(space, robot.spaces)
            text = f"'{name}' is on {space}, which robot '{robot.name}' does not offer"
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

    def _check_vector(self, vector: ast.Vector, name: str, space: str) -> None:
        """Check the number of channels (E401), and the unit of each."""
        units = self._units(space)
        if units is not None and len(units) != len(vector):
            text = f"'{name}' on {space} needs {len(units)} channels, found {len(vector)}"
            self.report('E401', vector[0].place, text, 'give one value for each channel')
            units = None
        for index, expression in enumerate(vector):
            self.expect(expression, quantity(units[index]) if units else None)

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
        self._check_space(atom.space, atom.name, atom.place)
        match atom.control:
            case None:
                units = self._units(atom.space)
                if units:
                    text = f"'{atom.name}' on {atom.space} needs {len(units)} channels, found 0"
                    self.report('E401', atom.place, text, "add a control, or write 'on none'")
            case ast.Segments(segments=segments):
                for segment in segments:
                    self._check_vector(segment.vector, atom.name, atom.space)
                    self.expect(segment.duration, SECONDS)
            case ast.LawCall(call=call):
                self.expect(call, Type('vector', name=atom.space))
            case vector:
                self._check_vector(vector, atom.name, atom.space)
        self._check_ends(atom.guards, atom.timeout)
        outputs = parameter_types(atom.outputs)
        for emission in atom.emissions:
            if emission.name not in outputs:
                close = self.context.collector.suggestion(emission.name, outputs)
                text = f"'{emission.name}' is not defined{close}"
                hint = f"declare it: '{atom.name} -> ({emission.name}: ...)'"
                self.report('E201', emission.place, text, hint)
            self.expect(emission.value, outputs.get(emission.name))
        for need in atom.needs:
            self.of(need)

    def _check_ends(self, guards: Sequence[ast.Guard], timeout: ast.Timeout | None) -> None:
        for guard in guards:
            self.guard(guard.condition)
            self._check_action(guard.action)
        if timeout:
            self.expect(timeout.duration, SECONDS)
            self._check_action(timeout.action)

    def _check_action(self, action: ast.Action | None) -> None:
        for part in action.parts() if action else ():
            if part.call:
                self._check_call(part.call)

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

    def _check_encapsulation(self, element: ast.Encapsulation) -> None:
        self._check_ends(element.guards, element.timeout)
        if element.loop and element.loop.condition:
            self.expect(element.loop.condition, BOOL)
        for handler in element.handlers:
            self._check_action(handler.action)
        for call in element.cleanup:
            self._check_call(call)
        for need in element.requires:
            self.of(need)
        self._check_steps(element.steps)
        outputs = parameter_types(element.outputs)
        for step in runs_in(element.steps):
            self._check_output(step, outputs)

    def _check_output(self, step: ast.Run, outputs: dict[str, Type | None]) -> None:
        """Check what a step is to give against what the element gives."""
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

    def _check_steps(self, steps: Sequence[ast.Step]) -> None:
        for step in steps:
            match step:
                case ast.Run():
                    self._check_run(step)
                case ast.Parallel():
                    self._check_steps(step.steps)
                case ast.Condition():
                    self.expect(step.condition, BOOL)
                    self._check_steps(step.then + step.otherwise)
                case ast.Reverse(target=target) if target:
                    self._check_call(target)

    def _check_run(self, step: ast.Run) -> None:
        if step.scale:
            for factor in (*step.scale.alpha, *([step.scale.beta] if step.scale.beta else [])):
                self.expect(factor, NUM)
        if step.call:
            self._check_call(step.call)
        self._check_steps(step.steps)
        self._check_ends((step.guard,) if step.guard else (), step.timeout)
