"""Put values in the place of names: what an expression says where it is used."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from walking_robots.mdle.language.ast import (
    Argument,
    Atom,
    Call,
    Constant,
    Control,
    Encapsulation,
    Expression,
    Interrupt,
    Law,
    LawCall,
    Member,
    Name,
    Parameter,
    Place,
    Program,
    Segment,
    Segments,
    map_children,
    walk,
)
from walking_robots.mdle.language.diagnostics import ProgramError, program_error
from walking_robots.mdle.language.limits import excess

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
class Scope:
    """What names mean in a program or a module, each with the scope of its declaration.

    natives: names of what is written in Python.
    """

    constants: dict[str, tuple[Constant, 'Scope']] = field(default_factory=dict)
    interrupts: dict[str, tuple[Interrupt, 'Scope']] = field(default_factory=dict)
    laws: dict[str, tuple[Law, 'Scope']] = field(default_factory=dict)
    elements: dict[str, tuple[Atom | Encapsulation, 'Scope']] = field(default_factory=dict)
    natives: set[str] = field(default_factory=set)

    def declare(self, program: Program, home: 'Scope', before: str = '') -> None:
        """Add what a program declares; its names begin with ``before`` here."""
        for item in program.declarations():
            name = before + item.name
            self.natives.discard(name)
            match item:
                case Constant():
                    self.constants[name] = item, home
                case Interrupt():
                    self.interrupts[name] = item, home
                case Law():
                    self.laws[name] = item, home
                case Atom() | Encapsulation():
                    self.elements[name] = item, home

    def called(
        self, name: str, parameters: Iterable[Parameter], given: Iterable[Argument], place: Place
    ) -> 'Bindings':
        """Return what names mean inside what is called ``name`` with arguments.

        Raises ProgramError where the arguments do not fit.
        """
        values: dict[str, Expression] = {}
        known = {item.name: item for item in parameters}
        free = iter(known)
        for argument in given:
            key = argument.name or next(free, '')
            if key not in known or key in values:
                text = f"the arguments of '{name}' do not fit its parameters"
                raise program_error(place, text)
            values[key] = argument.value
        for item in known.values():
            if item.name not in values:
                if item.default is None:
                    raise program_error(place, f"'{name}' is called without its '{item.name}'")
                # A default may name the parameters before it.
                values[item.name] = Bindings(self, dict(values)).expression(item.default)
        return Bindings(self, values)


@dataclass(frozen=True)
class Bindings:
    """What names stand for inside an element, an interrupt or a law: its scope and its parameters.

    moving: parameters of which the value is taken when the element is entered, and could not be
    told later, with whether it can at its entry; open: declarations that are being replaced.
    """

    scope: Scope
    parameters: Mapping[str, Expression] = field(default_factory=dict)
    moving: Mapping[str, bool] = field(default_factory=dict)
    open: tuple[Any, ...] = ()

    def entered(self) -> 'Bindings':
        """Return what names mean inside an element that is run and reads its arguments then."""
        moving = {}
        for key, value in self.parameters.items():
            read = {part.name for part in walk(value) if isinstance(part, Name)}
            if read & CHANGES:
                moving[key] = not read & OF_ENTRY
        return replace(self, moving=moving)

    def at_entry(self) -> 'Bindings':
        """Return what names mean where an expression is read once, when the element is entered."""
        return replace(self, moving={key: ok for key, ok in self.moving.items() if not ok})

    def expression(self, expression: Expression) -> Expression:
        """Return what an expression says with all names replaced that mean something here.

        Raises ProgramError for an interrupt with filters, which has a memory, and where names in
        names would make a text beyond all bounds.
        """
        found: Expression = self._replaced(expression)
        large = excess(found, _MOST_PARTS)
        if large:
            raise ProgramError([large])
        return found

    def arguments(self, arguments: Iterable[Argument]) -> tuple[Argument, ...]:
        """Return arguments with their names replaced."""
        return tuple(replace(item, value=self.expression(item.value)) for item in arguments)

    def control(self, control: Control) -> Control:
        """Return a control with its names replaced, a law of the language as what it computes."""
        match control:
            case Segments(segments):
                return Segments(tuple(map(self._segment, segments)))
            case LawCall(call):
                return self._law(call)
            case vector:
                return tuple(map(self.expression, vector))

    def _segment(self, segment: Segment) -> Segment:
        vector = tuple(map(self.expression, segment.vector))
        duration = self.at_entry().expression(segment.duration)
        return replace(segment, vector=vector, duration=duration)

    def _law(self, call: Expression) -> Control:
        name, given = self._named(call)
        if name not in self.scope.laws:
            return LawCall(self.expression(call))
        law, home = self.scope.laws[name]
        if law.vector is None:
            text = f"the law '{name}' is written in Python, which the formal notation has not"
            raise program_error(call.place, text, 'write it in the language')
        inner = home.called(name, law.parameters, self.arguments(given), call.place)
        return tuple(map(inner.expression, law.vector))

    def _named(self, node: Any) -> tuple[str, tuple[Argument, ...]]:
        """Return the name of something declared that a node is or calls ('' for others)."""
        base, given = (node.base, node.arguments) if isinstance(node, Call) else (node, ())
        match base:
            case Name(name):
                return name, given
            case Member(Name(module), name):
                return f'{module}.{name}', given
        return '', given

    def _replaced(self, node: Any) -> Any:
        name, given = self._named(node)
        if name in self.scope.natives and name not in self.parameters:
            text = f"'{name}' is written in Python, which the formal notation has not"
            raise program_error(node.place, text, 'write it in the language')
        if isinstance(node, Name) and name in self.moving:
            text = f"'{name}' is read when its element begins, and here it would be read later"
            hint = "write a value that does not change, or 'y0' in the element itself"
            raise program_error(self.parameters[name].place, text, hint)
        if isinstance(node, Name) and name in self.parameters:
            return self.parameters[name]
        if name in self.scope.constants and not isinstance(node, Call):
            constant, home = self.scope.constants[name]
            if not any(item is constant for item in self.open):
                return Bindings(home, open=(*self.open, constant)).expression(constant.value)
        if name in self.scope.interrupts:
            interrupt, home = self.scope.interrupts[name]
            if not any(item is interrupt for item in self.open):
                return self._interrupt(name, interrupt, home, given, node.place)
        if isinstance(node, Call):
            return replace(node, arguments=self.arguments(given))
        return map_children(node, self._replaced)

    def _interrupt(
        self, name: str, interrupt: Interrupt, home: Scope, given: Any, place: Place
    ) -> Expression:
        if interrupt.filters:
            text = f"interrupt '{name}' has filters, which the formal notation has not"
            raise program_error(place, text, 'leave the filters out')
        inner = home.called(name, interrupt.parameters, self.arguments(given), place)
        inner = replace(inner, open=(*self.open, interrupt))
        return inner.expression(interrupt.condition)


def scope_of(
    program: Program,
    modules: Mapping[str, Program] = NO_MODULES,
    natives: Natives = NO_NATIVES,
    known: dict[int, Scope] | None = None,
) -> Scope:
    """Return what the names of a program mean, of modules that it imports too.

    known: scopes that were made or are being made, by id of the program; imports may be circular.
    """
    known = {} if known is None else known
    if id(program) in known:
        return known[id(program)]
    scope = known[id(program)] = Scope()
    own = (natives.get(path, ()) for path, module in modules.items() if module is program)
    scope.natives.update(name for offered in own for name in offered)
    for wanted in program.imports:
        path = '.'.join(wanted.path)
        # One without an alias is reached by bare names too.
        befores = [f'{wanted.alias or wanted.path[-1]}.', *([] if wanted.alias else [''])]
        for before in befores:
            scope.natives.update(before + name for name in natives.get(path, ()))
            if path in modules:
                home = scope_of(modules[path], modules, natives, known)
                scope.declare(modules[path], home, before)
    scope.declare(program, scope)
    return scope
