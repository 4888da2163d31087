"""Describe the elements of a library to people and tools."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from walking_robots.mdle.knowledge.elements import Module, PythonAtom, PythonGuard, PythonLaw
from walking_robots.mdle.knowledge.names import Element, Library, spelled
from walking_robots.mdle.language import ast
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
        program = module.program
        for kind, elements in (
            ('interrupt', program.interrupts),
            ('law', program.laws),
            ('atom', program.atoms),
            ('behavior', program.behaviors),
            ('plan', program.plans),
            ('law', module.laws.values()),
            ('interrupt', module.guards.values()),
            ('atom', module.atoms.values()),
        ):
            for element in elements:
                yield _described(module, kind, element)


def describe(library: Library, name: str) -> Description:
    """Describe one element, 'std.body2.go_to'.

    Raises ValueError where there is none of that name.
    """
    for found in catalogue(library):
        if f'{found.module}.{found.name}' == name:
            return found
    raise ValueError(f"there is no element '{name}'; list_elements returns those that exist")


def _described(module: Module, kind: str, element: Element) -> Description:
    if isinstance(element, PythonAtom | PythonGuard | PythonLaw):
        reads, text = element.reads, ''
    else:
        reads = frozenset(_channels(element))
        declared: dict[str, Any] = {f'{kind}s': (element,)}
        text = format_program(ast.Program(1, **declared)).split(';', 1)[1].strip()
    return Description(
        element.name,
        module.name,
        kind,
        getattr(element, 'space', ''),
        _written(getattr(element, 'parameters', ())),
        _written(getattr(element, 'outputs', ())),
        tuple(sorted(reads)),
        text,
    )


def _written(parameters: tuple[ast.Parameter, ...]) -> tuple[str, ...]:
    return tuple(
        f'{item.name}: {item.type}'
        + (f' = {format_expression(item.default)}' if item.default is not None else '')
        for item in parameters
    )


def _channels(element: ast.Node) -> Iterator[str]:
    """Return the channels that an element names, ``y.bumper.any`` as 'bumper.any'."""
    inner = set[int]()
    for node in ast.walk(element):
        if isinstance(node, ast.Member) and id(node) not in inner:
            inner.add(id(node.base))
            inner |= {id(part) for part in ast.walk(node) if isinstance(part, ast.Member)}
            root, *parts = spelled(node) or ('',)
            if root in ('y', 'y0'):
                yield '.'.join(parts)
