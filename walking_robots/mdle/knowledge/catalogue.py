"""Describe the elements of a library to people and tools."""

from collections.abc import Iterator
from typing import NamedTuple

from walking_robots.mdle.knowledge.elements import Module, PythonAtom, PythonGuard, PythonLaw
from walking_robots.mdle.knowledge.names import Element, Library
from walking_robots.mdle.language.ast import (
    Atom,
    Binary,
    Call,
    Encapsulation,
    Expression,
    Index,
    Interrupt,
    Law,
    Member,
    Name,
    Parameter,
    Program,
    Slice,
    Unary,
)
from walking_robots.mdle.language.expression_printer import format_expression
from walking_robots.mdle.language.formatter import format_program


class Description(NamedTuple):
    """What an element is, takes and gives; ``reads``: the channels it names itself."""

    name: str
    module: str
    kind: str
    space: str
    parameters: tuple[str, ...]
    outputs: tuple[str, ...]
    reads: tuple[str, ...]
    text: str


def catalogue(library: Library) -> Iterator[Description]:
    """Describe all elements, module by module."""
    for name in sorted(library):
        module = library[name]
        elements: list[Element] = [
            *module.program.interrupts,
            *module.program.laws,
            *module.program.atoms,
            *module.program.behaviors,
            *module.program.plans,
            *module.laws.values(),
            *module.guards.values(),
            *module.atoms.values(),
        ]
        for element in elements:
            yield _described(module, element)


def describe(library: Library, name: str) -> Description:
    """Describe one element, 'std.body2.go_to'.

    Raises ValueError where there is none of that name.
    """
    for found in catalogue(library):
        if f'{found.module}.{found.name}' == name:
            return found
    raise ValueError(f"there is no element '{name}'; list_elements tells which there are")


def _described(module: Module, element: Element) -> Description:
    match element:
        case PythonAtom() | PythonGuard() | PythonLaw():
            kind = {PythonAtom: 'atom', PythonGuard: 'interrupt', PythonLaw: 'law'}[type(element)]
            return Description(
                element.name,
                module.name,
                kind,
                getattr(element, 'space', ''),
                _written(element.parameters),
                _written(getattr(element, 'outputs', ())),
                tuple(sorted(element.reads)),
                '',
            )
        case Interrupt():
            kind, text = 'interrupt', format_program(Program(1, interrupts=(element,)))
        case Law():
            kind, text = 'law', format_program(Program(1, laws=(element,)))
        case Atom():
            kind, text = 'atom', format_program(Program(1, atoms=(element,)))
        case Encapsulation(kind='plan'):
            kind, text = 'plan', format_program(Program(1, plans=(element,)))
        case Encapsulation():
            kind, text = 'behavior', format_program(Program(1, behaviors=(element,)))
        case _:
            kind, text = 'constant', ''
    return Description(
        element.name,
        module.name,
        kind,
        getattr(element, 'space', ''),
        _written(getattr(element, 'parameters', ())),
        _written(getattr(element, 'outputs', ())),
        tuple(sorted(set(_channels(element)))),
        text.split(';', 1)[1].strip(),
    )


def _written(parameters: tuple[Parameter, ...]) -> tuple[str, ...]:
    return tuple(
        f'{item.name}: {item.type}'
        + (f' = {format_expression(item.default)}' if item.default is not None else '')
        for item in parameters
    )


def _channels(part: object) -> Iterator[str]:
    """Give the channels that an element names, ``y.bumper.any`` as 'bumper.any'."""
    match part:
        case Member():
            parts: list[str] = []
            base: Expression = part
            while isinstance(base, Member):
                parts.insert(0, base.name)
                base = base.base
            if isinstance(base, Name) and base.name in ('y', 'y0'):
                yield '.'.join(parts)
            else:
                yield from _channels(base)
        case Binary() | Unary() | Index() | Slice() | Call():
            for name in part.__slots__:
                yield from _channels(getattr(part, name))
        case tuple():
            for item in part:
                yield from _channels(item)
        case _ if hasattr(part, '__dataclass_fields__'):
            for name in part.__dataclass_fields__:
                yield from _channels(getattr(part, name))
