"""What a name in a program means, and the names that its elements have in paths."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from walking_robots.mdle.knowledge.elements import Module, PythonAtom, PythonGuard, PythonLaw
from walking_robots.mdle.language.ast import (
    Atom,
    Call,
    Condition,
    Constant,
    Encapsulation,
    Expression,
    Group,
    Import,
    Interrupt,
    Law,
    Member,
    Name,
    Parallel,
    Program,
    Reverse,
    Run,
    Step,
)

Element = (
    Constant
    | Group
    | Interrupt
    | Law
    | Atom
    | Encapsulation
    | PythonLaw
    | PythonGuard
    | PythonAtom
)
Library = Mapping[str, Module]
"""Modules by import path, 'std.body2'."""


class Found(NamedTuple):
    """An element, and the names that are known where it was declared."""

    element: Element
    names: 'Names'


def spelled(expression: Expression) -> tuple[str, ...]:
    """Return the dotted name that an expression spells, () where it is something else."""
    if isinstance(expression, Name):
        return (expression.name,)
    if isinstance(expression, Member):
        base = spelled(expression.base)
        return (*base, expression.name) if base else ()
    if isinstance(expression, Call):
        return spelled(expression.base)
    return ()


def extern_law(law: Law, library: Library) -> PythonLaw | None:
    """Return the law in Python that ``extern "mylab.dance.sway"`` names; nothing is imported."""
    module, _, name = law.extern.rpartition('.')
    return library[module].laws.get(name) if module in library else None


@dataclass(eq=False)
class Names:
    """All names that a program, or a module, knows.

    Own declarations hide imported ones; an import with an alias is reached through it only, one
    without also by bare names. Of two imports that offer one bare name the first is taken; the
    checker refuses such a use.
    """

    program: Program
    library: Library
    module: Module | None = None

    @cached_property
    def own(self) -> Mapping[str, Element]:
        """What is declared here; of two equal names the first."""
        elements: list[Element] = [
            element if not isinstance(element, Law) else self._law(element)
            for element in self.program.declarations()
        ]
        if self.module:
            elements += self.module.laws.values()
            elements += self.module.guards.values()
            elements += self.module.atoms.values()
        return {element.name: element for element in reversed(elements)}

    def _law(self, law: Law) -> Law | PythonLaw:
        """Return the law of the library that an extern one stands for, by the name given here."""
        found = extern_law(law, self.library)
        return replace(found, name=law.name, parameters=law.parameters) if found else law

    @cached_property
    def _imports(self) -> list[tuple[Import, 'Names']]:
        # An import that is not in the library brings nothing; the checker reports it.
        return [
            (wanted, Names(module.program, self.library, module))
            for wanted in self.program.imports
            if (module := self.library.get('.'.join(wanted.path)))
        ]

    @cached_property
    def aliases(self) -> Mapping[str, 'Names']:
        """The names of each imported module, by alias or by the last part of its path."""
        return {
            wanted.alias or wanted.path[-1]: names for wanted, names in reversed(self._imports)
        }

    @cached_property
    def imported(self) -> Mapping[str, list[Found]]:
        """What may be written bare because of an import, each name with all that offer it."""
        offers: dict[str, list[Found]] = {}
        for wanted, names in self._imports:
            if not wanted.alias:
                for name, element in names.own.items():
                    offers.setdefault(name, []).append(Found(element, names))
        return offers

    def find(self, *parts: str) -> Found | None:
        """Return what a dotted name means, None where it means nothing here."""
        if len(parts) == 1:
            if parts[0] in self.own:
                return Found(self.own[parts[0]], self)
            found = self.imported.get(parts[0])
            return found[0] if found else None
        if len(parts) == 2 and parts[0] in self.aliases:
            names = self.aliases[parts[0]]
            return Found(names.own[parts[1]], names) if parts[1] in names.own else None
        return None

    def called(self, expression: Expression) -> Found | None:
        """Return the element that ``stop()``, ``scout.back_off(0.2 m)`` or ``contact`` names."""
        parts = spelled(expression)
        return self.find(*parts) if parts else None

    def all_names(self) -> Iterator[str]:
        """Return every name that may be written here, for suggestions."""
        yield from self.own
        yield from self.imported
        for alias, names in self.aliases.items():
            yield from (f'{alias}.{name}' for name in names.own)


def meanings(condition: Expression, names: Names) -> Iterator[Found]:
    """Return the interrupt that a condition names, and those of which that is but another name.

    One with filters is an interrupt of its own.
    """
    seen = set[int]()
    found = names.called(condition)
    while found and isinstance(found.element, Interrupt) and id(found.element) not in seen:
        seen.add(id(found.element))
        yield found
        if found.element.filters:
            return
        found = found.names.called(found.element.condition)


def names_of(steps: tuple[Step, ...]) -> tuple[str, ...]:
    """Return the names of steps in paths: its label, or what it runs; ``spin#2`` is the second."""
    seen: Counter[str] = Counter()
    names = []
    for step in steps:
        name = step.label or _name_of(step)
        seen[name] += 1
        names.append(f'{name}#{seen[name]}' if seen[name] > 1 else name)
    return tuple(names)


def called_name(call: Expression) -> str:
    """Return the name that an element has in paths where a handler runs it."""
    return '.'.join(spelled(call)) or 'handler'


def _name_of(step: Step) -> str:
    if isinstance(step, Run):
        return '.'.join(spelled(step.call)) if step.call else 'group'
    return {Parallel: 'par', Condition: 'if', Reverse: 'reverse'}[type(step)]
