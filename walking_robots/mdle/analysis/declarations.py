"""Names that are declared twice, that call themselves, imports that are not there (E203-E206)."""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import TypeVar

from walking_robots.mdle.analysis.facts import Facts
from walking_robots.mdle.analysis.ledger import Site, nearest
from walking_robots.mdle.analysis.wording import located
from walking_robots.mdle.language.diagnostics import MOST_DIAGNOSTICS
from walking_robots.mdle.language.ast import Place
from walking_robots.mdle.language.ast import Declaration, Parameter

__all__ = ['check_declarations', 'check_given']

GIVEN = {
    'y': 'what the robot tells',
    'y0': 'what the robot told at entry',
    'bb': 'the blackboard',
    't': 'the time since entry',
}
"""Names that mean something without being declared."""

Key = TypeVar('Key', bound=Hashable)


def check_declarations(facts: Facts) -> None:
    """Check what a program declares and imports, its elements by name only."""
    _check_doubles(facts)
    _check_imports(facts)
    _check_recursion(facts)


def check_given(name: str, place: Place, site: Site, facts: Facts) -> None:
    """E203: a name that means something without being declared, and would be hidden by another."""
    if name in GIVEN:
        text = f"'{name}' already defined: {GIVEN[name]}"
        facts.ledger.add(site, 'E203', place, text, 'give it another name')


def _check_doubles(facts: Facts) -> None:
    first: dict[str, Declaration] = {}
    # A second declaration is the one that stands later, whatever its kind.
    for declared in sorted(facts.program.declarations(), key=lambda d: d.place):
        site = Site(declared.name)
        if declared.name in first:
            where = located(first[declared.name].place)
            text = f"'{declared.name}' already defined at {where}"
            facts.ledger.add(site, 'E203', declared.place, text, 'give one of them another name')
            continue
        first[declared.name] = declared
        check_given(declared.name, declared.place, site, facts)
        offers = facts.names.imported.get(declared.name)
        module = offers[0].names.module if offers else None
        if module:
            text = f"'{declared.name}' already defined at {module.name}"
            hint = 'the definition of this file is taken'
            facts.ledger.add(site, 'E203', declared.place, text, hint, information=True)
        for listed in ('parameters', 'outputs'):
            _check_parameters(getattr(declared, listed, ()), site, facts)
    aliases: dict[str, Place] = {}
    for wanted in facts.program.imports:
        alias = wanted.alias or wanted.path[-1]
        check_given(alias, wanted.place, Site(), facts)
        if alias in aliases:
            text = f"'{alias}' already defined at {located(aliases[alias])}"
            hint = "give one of the imports another name with 'as'"
            facts.ledger.add(Site(), 'E203', wanted.place, text, hint)
        aliases.setdefault(alias, wanted.place)


def _check_parameters(parameters: Iterable[Parameter], site: Site, facts: Facts) -> None:
    first: dict[str, Place] = {}
    for parameter in parameters:
        if parameter.name in first:
            text = f"'{parameter.name}' already defined at {located(first[parameter.name])}"
            hint = 'give one of them another name'
            facts.ledger.add(site, 'E203', parameter.place, text, hint)
        first.setdefault(parameter.name, parameter.place)


def _check_imports(facts: Facts) -> None:
    library = facts.names.library
    graph = {
        name: ['.'.join(wanted.path) for wanted in module.program.imports]
        for name, module in library.items()
    }
    round_trips = {name: cycle for cycle in _cycles(graph) for name in cycle}
    for wanted in facts.program.imports:
        path = '.'.join(wanted.path)
        if path not in library:
            text = f"import '{path}' not found{nearest(path, library, facts.ledger)}"
            hint = 'write the name of a module of the library'
            facts.ledger.add(Site(), 'E206', wanted.place, text, hint)
            continue
        reached, missing = _reached(path, graph)
        for name in reached & round_trips.keys():
            text = f'imports in a circle: {" -> ".join(round_trips[name])}'
            hint = 'move what both need into a third module'
            facts.ledger.add(Site(), 'E206', wanted.place, text, hint)
        for name in sorted(missing):
            text = f"import '{name}' not found, which '{path}' needs"
            facts.ledger.add(Site(), 'E206', wanted.place, text, 'add the module to the library')


def _reached(start: str, graph: Mapping[str, list[str]]) -> tuple[set[str], set[str]]:
    """Give the modules that an import brings, and those that are not there."""
    waiting, known, missing = [start], set[str](), set[str]()
    while waiting:
        name = waiting.pop()
        if name in known:
            continue
        if name in graph:
            known.add(name)
            waiting += graph[name]
        else:
            missing.add(name)
    return known, missing


def _check_recursion(facts: Facts) -> None:
    elements = {id(d): d for d in facts.program.declarations()}
    graph: dict[int, list[int]] = {}
    places: dict[tuple[int, int], Place] = {}
    for number, declared in elements.items():
        graph[number] = []
        for call in facts.calls(declared, facts.names):
            found = facts.names.called(call)
            if found and id(found.element) in elements:
                graph[number].append(id(found.element))
                places.setdefault((number, id(found.element)), call.place)
    for cycle in _cycles(graph):
        # Begin with what stands first, so that the same is said whatever is found first.
        ring = cycle[:-1]
        start = min(range(len(ring)), key=lambda i: elements[ring[i]].place)
        ring = ring[start:] + ring[:start]
        names = [elements[number].name for number in ring]
        chain = ' -> '.join([*names[1:], names[0]])
        text = f"'{names[0]}' calls itself through {chain}; use loop"
        if len(names) == 1:
            text = f"'{names[0]}' calls itself; use loop"
        place = places[ring[0], ring[1 % len(ring)]]
        facts.ledger.add(Site(names[0]), 'E205', place, text, 'an element cannot run itself')


def _cycles(graph: Mapping[Key, Iterable[Key]]) -> Iterator[list[Key]]:
    """Give cycles, each ending where it begins, until none is left or too many were given."""
    edges = {node: set(targets) & graph.keys() for node, targets in graph.items()}
    for _ in range(MOST_DIAGNOSTICS):
        try:
            TopologicalSorter(edges).prepare()
        except CycleError as error:
            # graphlib tells a cycle backwards: each is a predecessor of the next.
            cycle = list(reversed(error.args[1]))
            yield cycle
            edges[cycle[0]].discard(cycle[1])
        else:
            return
