"""Put values in the place of names: what an expression says where it is used."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from walking_robots.mdle.language.diagnostics import Diagnostic, ProgramError
from walking_robots.mdle.language.expressions import (
    Argument,
    Binary,
    Call,
    Expression,
    Index,
    Member,
    Name,
    Partner,
    Place,
    Slice,
    Unary,
)
from walking_robots.mdle.language.limits import excess
from walking_robots.mdle.language.program import (
    Control,
    Interrupt,
    LawCall,
    Parameter,
    Program,
    Segments,
)

__all__ = ['NO_MODULES', 'Meanings', 'imported', 'meanings_of', 'outside']


def outside(place: Place, text: str, hint: str = '') -> ProgramError:
    """Give the error for what the formal notation has no words for."""
    return ProgramError([Diagnostic(place, 'E101', text, hint=hint)])


NO_MODULES: Mapping[str, Program] = MappingProxyType({})

_MOST_PARTS = 5000
"""Of an expression with its names replaced: each that names another twice doubles it."""


@dataclass(frozen=True)
class Meanings:
    """What names stand for: constants, interrupts, and here the parameters of an element.

    homes: what names stand for in the module of an interrupt, where it is of one.
    """

    constants: Mapping[str, Expression]
    interrupts: Mapping[str, Interrupt]
    parameters: Mapping[str, Expression] = field(default_factory=dict)
    homes: Mapping[str, 'Meanings'] = field(default_factory=dict)

    def within(
        self,
        name: str,
        parameters: Iterable[Parameter],
        given: Iterable[Argument],
        place: Place,
    ) -> 'Meanings':
        """Give what names mean inside an element or interrupt that is called with arguments.

        Raises ProgramError where the arguments do not fit.
        """
        outer = replace(self, parameters={})
        resolved = tuple(
            replace(item, default=outer.expression(item.default)) if item.default else item
            for item in parameters
        )
        return replace(outer, parameters=_bind(name, resolved, given, place))

    def expression(self, expression: Expression) -> Expression:
        """Give what an expression says with all names replaced that mean something here.

        Raises ProgramError for an interrupt with filters, which has a memory, and where names in
        names would make a text beyond all bounds.
        """
        found = self._replaced(expression)
        large = excess(found, _MOST_PARTS)
        if large:
            raise ProgramError([large])
        return found

    def _replaced(self, expression: Expression) -> Expression:
        match expression:
            case Name(name):
                value = self.parameters.get(name, self.constants.get(name))
                if value is not None:
                    return value
                if name not in self.interrupts:
                    return expression
                return self._interrupt(name, (), expression.place)
            case Member(Name(module), name) if f'{module}.{name}' in self.constants:
                return self.constants[f'{module}.{name}']
            case Member(Name(module), name) if f'{module}.{name}' in self.interrupts:
                return self._interrupt(f'{module}.{name}', (), expression.place)
            case Member(base) | Partner(base):
                return replace(expression, base=self._replaced(base))
            case Index(base, index):
                return Index(self._replaced(base), self._replaced(index), expression.place)
            case Slice(base, low, high):
                ends = self._replaced(low), self._replaced(high)
                return Slice(self._replaced(base), *ends, expression.place)
            case Call(base, arguments):
                given = self.arguments(arguments)
                match base:
                    case Name(name) if name in self.interrupts:
                        return self._interrupt(name, given, expression.place)
                    case Member(Name(module), name) if f'{module}.{name}' in self.interrupts:
                        return self._interrupt(f'{module}.{name}', given, expression.place)
                return replace(expression, arguments=given)
            case Unary(operator, operand):
                return Unary(operator, self._replaced(operand), expression.place)
            case Binary(operator, left, right):
                sides = self._replaced(left), self._replaced(right)
                return Binary(operator, *sides, expression.place)
            case _:
                return expression

    def arguments(self, arguments: Iterable[Argument]) -> tuple[Argument, ...]:
        """Give arguments with their names replaced."""
        return tuple(replace(item, value=self.expression(item.value)) for item in arguments)

    def control(self, control: Control) -> Control:
        """Give a control with its names replaced."""
        match control:
            case Segments(segments):
                return Segments(
                    tuple(
                        replace(
                            item,
                            vector=tuple(map(self.expression, item.vector)),
                            duration=self.expression(item.duration),
                        )
                        for item in segments
                    )
                )
            case LawCall(call):
                return LawCall(self.expression(call))
            case vector:
                return tuple(map(self.expression, vector))

    def _interrupt(self, name: str, given: tuple[Argument, ...], place: Place) -> Expression:
        interrupt, home = self.interrupts[name], self.homes.get(name, self)
        if interrupt.filters:
            text = f"interrupt '{name}' has filters, which the formal notation has not"
            raise outside(place, text, 'leave the filters out')
        # Without itself, so that one that names itself ends.
        others = {key: item for key, item in home.interrupts.items() if item is not interrupt}
        inner = replace(home, interrupts=others)
        inner = inner.within(name, interrupt.parameters, given, place)
        return inner.expression(interrupt.condition)


def imported(program: Program, modules: Mapping[str, Program]) -> Iterator[tuple[str, Program]]:
    """Give the modules that a program imports, each with what its names begin with here.

    One without an alias is reached by bare names too.
    """
    for wanted in program.imports:
        module = modules.get('.'.join(wanted.path))
        if module is not None:
            yield f'{wanted.alias or wanted.path[-1]}.', module
            if not wanted.alias:
                yield '', module


def meanings_of(program: Program, modules: Mapping[str, Program] = NO_MODULES) -> Meanings:
    """Give the constants and interrupts of a program, and of the modules that it imports."""
    constants: dict[str, Expression] = {}
    interrupts: dict[str, Interrupt] = {}
    homes: dict[str, Meanings] = {}
    for before, module in imported(program, modules):
        home = meanings_of(module)
        constants |= {before + name: value for name, value in home.constants.items()}
        for item in module.interrupts:
            interrupts[before + item.name], homes[before + item.name] = item, home
    for item in program.interrupts:
        interrupts[item.name] = item
        homes.pop(item.name, None)
    meanings = Meanings(constants, interrupts, homes=homes)
    for constant in program.constants:
        value = meanings.expression(constant.value)
        meanings = replace(meanings, constants={**meanings.constants, constant.name: value})
    return meanings


def _bind(
    name: str, parameters: tuple[Parameter, ...], given: Iterable[Argument], place: Place
) -> dict[str, Expression]:
    values: dict[str, Expression] = {}
    free = iter(parameters)
    known = {parameter.name for parameter in parameters}
    for argument in given:
        parameter = next(free, None) if not argument.name else None
        key = argument.name or (parameter.name if parameter else '')
        if key not in known or key in values:
            raise outside(place, f"the arguments of '{name}' do not fit its parameters")
        values[key] = argument.value
    for parameter in parameters:
        if parameter.name not in values:
            if parameter.default is None:
                raise outside(place, f"'{name}' is called without its '{parameter.name}'")
            values[parameter.name] = parameter.default
    return values
