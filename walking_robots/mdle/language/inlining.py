"""Put values in the place of names: what an expression says where it is used."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from walking_robots.mdle.language.ast import (
    Argument,
    Binary,
    Call,
    Control,
    Expression,
    Index,
    Interrupt,
    Law,
    LawCall,
    Member,
    Name,
    Parameter,
    Partner,
    Place,
    Program,
    Segments,
    Slice,
    Unary,
    walk,
)
from walking_robots.mdle.language.diagnostics import Diagnostic, ProgramError
from walking_robots.mdle.language.limits import excess


def outside(place: Place, text: str, hint: str = '') -> ProgramError:
    """Give the error for what the formal notation has no words for."""
    return ProgramError([Diagnostic(place, 'E101', text, hint=hint)])


NO_MODULES: Mapping[str, Program] = MappingProxyType({})

Natives = Mapping[str, Collection[str]]
"""Names of what is written in Python, by import path."""

NO_NATIVES: Natives = MappingProxyType({})

CHANGES = {'y', 'bb', 'y0', 't'}
"""Names of which the value changes while an element runs, or depends on when it was entered."""

OF_ENTRY = {'y0', 't'}
"""Those of which the value is another one in every element."""

_MOST_PARTS = 5000
"""Of an expression with its names replaced: each that names another twice doubles it."""


@dataclass(frozen=True)
class Meanings:
    """What names stand for: constants, interrupts, laws, and here the parameters of an element.

    homes: what names stand for in the module of an interrupt or a law, where it is of one;
    natives: names of what is written in Python; moving: parameters of which the value is taken
    when the element is entered, and could not be told later, with whether it can at its entry.
    """

    constants: Mapping[str, Expression]
    interrupts: Mapping[str, Interrupt]
    parameters: Mapping[str, Expression] = field(default_factory=dict)
    homes: Mapping[str, 'Meanings'] = field(default_factory=dict)
    laws: Mapping[str, Law] = field(default_factory=dict)
    natives: frozenset[str] = frozenset()
    moving: Mapping[str, bool] = field(default_factory=dict)

    def entered(
        self,
        name: str,
        parameters: Iterable[Parameter],
        given: Iterable[Argument],
        place: Place,
    ) -> 'Meanings':
        """Give what names mean inside an element that is run: its arguments are read at entry.

        Raises ProgramError where the arguments do not fit.
        """
        inner = self.within(name, parameters, given, place)
        moving = {}
        for key, value in inner.parameters.items():
            read = {part.name for part in walk(value) if isinstance(part, Name)}
            if read & CHANGES:
                moving[key] = not read & OF_ENTRY
        return replace(inner, moving=moving)

    def at_entry(self) -> 'Meanings':
        """Give what names mean where an expression is read once, when the element is entered."""
        return replace(self, moving={key: ok for key, ok in self.moving.items() if not ok})

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
        outer = replace(self, parameters={}, moving={})
        values = _given(name, tuple(parameters), given, place)
        for item in parameters:
            if item.name not in values:
                if item.default is None:
                    raise outside(place, f"'{name}' is called without its '{item.name}'")
                # A default may name the parameters before it.
                default = replace(outer, parameters=values).expression(item.default)
                values = {**values, item.name: default}
        return replace(outer, parameters=values)

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
        self._refuse_native(expression)
        match expression:
            case Name(name) if name in self.moving:
                text = f"'{name}' is read when its element begins, and here it would be read later"
                hint = "write a value that does not change, or 'y0' in the element itself"
                raise outside(self.parameters[name].place, text, hint)
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
                return Index(self._replaced(base), self._replaced(index), place=expression.place)
            case Slice(base, low, high):
                ends = self._replaced(low), self._replaced(high)
                return Slice(self._replaced(base), *ends, place=expression.place)
            case Call(base, arguments):
                given = self.arguments(arguments)
                match base:
                    case Name(name) if name in self.interrupts:
                        return self._interrupt(name, given, expression.place)
                    case Member(Name(module), name) if f'{module}.{name}' in self.interrupts:
                        return self._interrupt(f'{module}.{name}', given, expression.place)
                return replace(expression, arguments=given)
            case Unary(operator, operand):
                return Unary(operator, self._replaced(operand), place=expression.place)
            case Binary(operator, left, right):
                sides = self._replaced(left), self._replaced(right)
                return Binary(operator, *sides, place=expression.place)
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
                            duration=self.at_entry().expression(item.duration),
                        )
                        for item in segments
                    )
                )
            case LawCall(call):
                return self._law(call)
            case vector:
                return tuple(map(self.expression, vector))

    def _refuse_native(self, expression: Expression) -> None:
        base = expression.base if isinstance(expression, Call) else expression
        name = _dotted(base)
        if name in self.natives and name not in self.parameters:
            text = f"'{name}' is written in Python, which the formal notation has not"
            raise outside(expression.place, text, 'write it in the language')

    def _law(self, call: Expression) -> Control:
        """Give a law as the vector that it computes; those of the language are what they are."""
        base, given = (call.base, call.arguments) if isinstance(call, Call) else (call, ())
        name = _dotted(base)
        if name not in self.laws:
            return LawCall(self.expression(call))
        law, home = self.laws[name], self.homes.get(name, self)
        if law.vector is None:
            text = f"the law '{name}' is written in Python, which the formal notation has not"
            raise outside(call.place, text, 'write it in the language')
        inner = home.within(name, law.parameters, self.arguments(given), call.place)
        return tuple(map(inner.expression, law.vector))

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


def _dotted(base: Expression) -> str:
    """Give the name of something that is declared, '' where it is something else."""
    match base:
        case Name(name):
            return name
        case Member(Name(module), name):
            return f'{module}.{name}'
    return ''


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


def meanings_of(
    program: Program,
    modules: Mapping[str, Program] = NO_MODULES,
    natives: Natives = NO_NATIVES,
    around: tuple[Program, ...] = (),
) -> Meanings:
    """Give the constants, interrupts and laws of a program, and of the modules that it imports.

    around: what imports it, which is not looked at again where imports go in a circle.
    """
    constants: dict[str, Expression] = {}
    interrupts: dict[str, Interrupt] = {}
    laws: dict[str, Law] = {}
    homes: dict[str, Meanings] = {}
    for before, module in imported(program, modules):
        if any(each is module for each in (program, *around)):
            continue
        home = meanings_of(module, modules, natives, (program, *around))
        constants |= {before + item.name: home.constants[item.name] for item in module.constants}
        interrupts |= {before + item.name: item for item in module.interrupts}
        laws |= {before + item.name: item for item in module.laws}
        homes |= {before + item.name: home for item in module.interrupts}
        homes |= {before + item.name: home for item in module.laws}
    interrupts |= {item.name: item for item in program.interrupts}
    laws |= {item.name: item for item in program.laws}
    own = {item.name for item in program.declarations()}
    homes = {name: home for name, home in homes.items() if name not in own}
    written = frozenset(_natives(program, modules, natives) - own)
    meanings = Meanings(constants, interrupts, homes=homes, laws=laws, natives=written)
    for constant in program.constants:
        value = meanings.expression(constant.value)
        meanings = replace(meanings, constants={**meanings.constants, constant.name: value})
    return meanings


def _natives(program: Program, modules: Mapping[str, Program], natives: Natives) -> set[str]:
    """Give what a program, or a module, may call that is in Python, as it is named there."""
    own = (natives.get(path, ()) for path, module in modules.items() if module is program)
    names = {name for offered in own for name in offered}
    for wanted in program.imports:
        offered = natives.get('.'.join(wanted.path), ())
        names |= {f'{wanted.alias or wanted.path[-1]}.{name}' for name in offered}
        names |= set(() if wanted.alias else offered)
    return names


def _given(
    name: str, parameters: tuple[Parameter, ...], given: Iterable[Argument], place: Place
) -> dict[str, Expression]:
    """Give each parameter its argument; those without one are left out."""
    values: dict[str, Expression] = {}
    free = iter(parameters)
    known = {parameter.name for parameter in parameters}
    for argument in given:
        parameter = next(free, None) if not argument.name else None
        key = argument.name or (parameter.name if parameter else '')
        if key not in known or key in values:
            raise outside(place, f"the arguments of '{name}' do not fit its parameters")
        values[key] = argument.value
    return values
