"""Names that are declared twice, that call themselves, imports that are not there (E203-E206)."""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import TypeVar

from walking_robots.mdle.analysis.check_context import CheckContext, DiagnosticSite, located
from walking_robots.mdle.language.ast import Declaration, Place
from walking_robots.mdle.language.diagnostics import MOST_DIAGNOSTICS

GIVEN = {
    'y': 'the channels of the robot',
    'y0': 'the channels at entry',
    'bb': 'the blackboard',
    't': 'the time since entry',
}
"""Names that mean something without being declared."""

Key = TypeVar('Key', bound=Hashable)


def check_given(name: str, place: Place, site: DiagnosticSite, context: CheckContext) -> None:
    """Report a name that would hide one that is defined without being declared (E203)."""
    if name in GIVEN:
        text = f"'{name}' already defined: {GIVEN[name]}"
        context.collector.add(site, 'E203', place, text, 'give it another name')


def check_doubles(context: CheckContext) -> None:
    """Report names that are declared twice (E203)."""
    hint = 'give one of them another name'
    # A second declaration is the one that stands later, whatever its kind.
    declarations = sorted(context.program.declarations(), key=lambda d: d.place)
    _report_doubles([(d.name, d.place, d.name) for d in declarations], hint, context)
    for declared in declarations:
        check_given(declared.name, declared.place, DiagnosticSite(declared.name), context)
        _report_shadowed(declared, context)
        for listed in ('parameters', 'outputs'):
            named = [(p.name, p.place, declared.name) for p in getattr(declared, listed, ())]
            _report_doubles(named, hint, context)
    aliases = [(i.alias or i.path[-1], i.place, '') for i in context.program.imports]
    for alias, place, _ in aliases:
        check_given(alias, place, DiagnosticSite(), context)
    _report_doubles(aliases, "give one of the imports another name with 'as'", context)


def _report_doubles(
    named: Iterable[tuple[str, Place, str]], hint: str, context: CheckContext
) -> None:
    """Report names that come twice among some; each with its place and element."""
    first: dict[str, Place] = {}
    for name, place, element in named:
        if name in first:
            text = f"'{name}' already defined at {located(first[name])}"
            context.collector.add(DiagnosticSite(element), 'E203', place, text, hint)
        first.setdefault(name, place)


def _report_shadowed(declared: Declaration, context: CheckContext) -> None:
    offers = context.names.imported.get(declared.name)
    module = offers[0].names.module if offers else None
    if module:
        site = DiagnosticSite(declared.name)
        text = f"'{declared.name}' already defined at {module.name}"
        hint = 'the definition of this file is taken'
        context.collector.add(site, 'E203', declared.place, text, hint, information=True)


def check_imports(context: CheckContext) -> None:
    """Report imports that are not found, or that import each other in a circle (E206)."""
    library, collector = context.names.library, context.collector
    graph = {
        name: ['.'.join(wanted.path) for wanted in module.program.imports]
        for name, module in library.items()
    }
    circles = {name: cycle for cycle in _cycles(graph) for name in cycle}
    for wanted in context.program.imports:
        path = '.'.join(wanted.path)
        if path not in library:
            text = f"import '{path}' not found{collector.suggestion(path, library)}"
            hint = 'write the name of a module of the library'
            collector.add(DiagnosticSite(), 'E206', wanted.place, text, hint)
            continue
        waiting, known = [path], set[str]()
        while waiting:
            name = waiting.pop()
            if name not in known:
                known.add(name)
                waiting += graph.get(name, [])
        for name in sorted(known & circles.keys()):
            text = f'imports in a circle: {" -> ".join(circles[name])}'
            hint = 'move what both need into a third module'
            collector.add(DiagnosticSite(), 'E206', wanted.place, text, hint)
        for name in sorted(known - graph.keys()):
            text = f"import '{name}' not found, which '{path}' needs"
            hint = 'add the module to the library'
            collector.add(DiagnosticSite(), 'E206', wanted.place, text, hint)


def check_recursion(context: CheckContext) -> None:
    """Report elements that call themselves (E205)."""
    elements = {id(d): d for d in context.program.declarations()}
    graph: dict[int, list[int]] = {}
    places: dict[tuple[int, int], Place] = {}
    for number, declared in elements.items():
        graph[number] = []
        for call in context.used(declared, context.names):
            found = context.names.called(call)
            if found and id(found.element) in elements:
                graph[number].append(id(found.element))
                places.setdefault((number, id(found.element)), call.place)
    for cycle in _cycles(graph):
        # Begin with what stands first, so that the report does not depend on the search.
        ring = cycle[:-1]
        start = min(range(len(ring)), key=lambda i: elements[ring[i]].place)
        ring = ring[start:] + ring[:start]
        names = [elements[number].name for number in ring]
        through = f' through {" -> ".join([*names[1:], names[0]])}' if len(names) > 1 else ''
        text = f"'{names[0]}' calls itself{through}; use loop"
        place, site = places[ring[0], ring[1 % len(ring)]], DiagnosticSite(names[0])
        context.collector.add(site, 'E205', place, text, 'an element cannot run itself')


def _cycles(graph: Mapping[Key, Iterable[Key]]) -> Iterator[list[Key]]:
    """Yield cycles, each ending where it begins, until none is left or too many were found."""
    edges = {node: set(targets) & graph.keys() for node, targets in graph.items()}
    for _ in range(MOST_DIAGNOSTICS):
        try:
            TopologicalSorter(edges).prepare()
        except CycleError as error:
            # graphlib reports a cycle backwards: each is a predecessor of the next.
            cycle = list(reversed(error.args[1]))
            yield cycle
            edges[cycle[0]].discard(cycle[1])
        else:
            return
