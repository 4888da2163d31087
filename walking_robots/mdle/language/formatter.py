"""Write a program in the one layout that all programs have (mdle.md §4.17)."""

from collections.abc import Iterable, Iterator

from walking_robots.mdle.language.ast import (
    NOWHERE,
    Atom,
    Constant,
    Control,
    Declaration,
    Encapsulation,
    Group,
    Guard,
    Interrupt,
    Law,
    LawCall,
    Place,
    Program,
    Segments,
    Timeout,
)
from walking_robots.mdle.language.comment_placement import (
    INDENTATION,
    Line,
    Outline,
    with_comments,
)
from walking_robots.mdle.language.expression_printer import (
    format_cause,
    format_control,
    format_expression,
    format_filter,
    format_loop,
    format_parameters,
    format_segment,
    format_string,
    format_vector,
)
from walking_robots.mdle.language.step_layout import (
    WIDTH,
    first_of,
    format_consequence,
    format_timeout,
    format_until,
    step_lines,
)

Clause = tuple[Place, str]


def format_program(program: Program) -> str:
    """Write a program, one clause or step a line, with its comments.

    Declarations and clauses keep their order where it is known, and come kind by kind where it
    is not. Raises ValueError for what the language has no words for.
    """
    outline = Outline(program.source, program.comments)
    lines = [Line(0, f'mdle {program.version};', outline.start)]
    for module in program.imports:
        alias = f' as {module.alias}' if module.alias else ''
        lines.append(Line(0, f'import {".".join(module.path)}{alias};', module.place))
    declarations = list(program.declarations())
    if all(item.place != NOWHERE for item in declarations):
        declarations.sort(key=lambda item: item.place)
    before: Declaration | None = None
    for item in declarations:
        if isinstance(item, Atom | Encapsulation) or isinstance(before, Atom | Encapsulation):
            lines.append(Line(0, ''))
        lines += _declaration(item, outline)
        before = item
    return with_comments(lines, program.comments)


def _declaration(item: Declaration, outline: Outline) -> Iterator[Line]:
    match item:
        case Atom():
            yield from _atom(item, outline)
        case Encapsulation():
            yield from _encapsulation(item, outline)
        case _:
            yield Line(0, f'{_short(item)};', item.place)


def _short(item: Constant | Group | Interrupt | Law) -> str:
    """Write a declaration that takes one line."""
    match item:
        case Constant(name, type_, value):
            colon = f': {type_}' if type_ else ''
            return f'const {name}{colon} = {format_expression(value)}'
        case Group(name, members):
            return f'group {name} = {{{", ".join(members)}}}'
        case Interrupt(name, parameters, condition, filters):
            takes = format_parameters(parameters) if parameters else ''
            means = f'interrupt {name}{takes} = {format_expression(condition)}'
            return f'{means} with {", ".join(map(format_filter, filters))}' if filters else means
        case Law(name, parameters, space, vector, extern):
            given = f'extern {format_string(extern)}' if vector is None else ''
            given = given or f'= {format_vector(vector or ())}'
            return f'law {name}{format_parameters(parameters)} on {space} {given}'


def _atom(atom: Atom, outline: Outline) -> Iterator[Line]:
    gives = f' -> {format_parameters(atom.outputs)}' if atom.outputs else ''
    takes = format_parameters(atom.parameters)
    _, end = outline.block_behind(atom.place)
    yield Line(0, f'atom {atom.name}{takes}{gives} on {atom.space} {{', atom.place)
    clauses: list[Clause] = []
    if atom.control is not None:
        clauses.append((_place(atom.control), _control(atom.control)))
    clauses += _endings(atom.guards, atom.timeout)
    clauses += [
        (item.place, f'emit {item.name} = {format_expression(item.value)}')
        for item in atom.emissions
    ]
    if atom.needs:
        listed = ', '.join(map(format_expression, atom.needs))
        clauses.append((atom.needs[0].place, f'needs {listed}'))
    yield from _clauses(clauses)
    if atom.irreversible:
        yield Line(1, 'irreversible;', outline.irreversible_behind(atom.place))
    yield Line(0, '}', end, True)


def _encapsulation(item: Encapsulation, outline: Outline) -> Iterator[Line]:
    takes = format_parameters(item.parameters) if item.parameters else ''
    gives = f' -> {format_parameters(item.outputs)}' if item.outputs else ''
    _, end = outline.block_behind(item.place)
    yield Line(0, f'{item.kind} {item.name}{takes}{gives} {{', item.place)
    clauses = _endings(item.guards, item.timeout)
    if item.loop:
        clauses.append((item.loop.place, f'loop {format_loop(item.loop)}'))
    clauses += [
        (handler.place, f'on {format_cause(handler.cause)}{format_consequence(handler.action)}')
        for handler in item.handlers
    ]
    clauses += [(call.place, f'finally {format_expression(call)}') for call in item.cleanup]
    if item.requires:
        listed = ', '.join(map(format_expression, item.requires))
        clauses.append((item.requires[0].place, f'requires {listed}'))
    yield from _clauses(clauses)
    start, stop = outline.block_around(first_of(item.steps).place)
    yield Line(1, 'do {', start)
    yield from step_lines(item.steps, 2, outline)
    yield Line(1, '}', stop, True)
    yield Line(0, '}', end, True)


def _clauses(clauses: list[Clause]) -> Iterator[Line]:
    if all(place != NOWHERE for place, _ in clauses):
        clauses = sorted(clauses, key=lambda clause: clause[0])
    for place, text in clauses:
        yield Line(1, f'{text};', place)


def _endings(guards: Iterable[Guard], timeout: Timeout | None) -> list[Clause]:
    found = [(guard.place, format_until(guard)) for guard in guards]
    return [*found, (timeout.place, format_timeout(timeout))] if timeout else found


def _place(control: Control) -> Place:
    match control:
        case Segments(segments):
            return first_of(segments).place
        case LawCall(call):
            return call.place
        case vector:
            return first_of(vector).place


def _control(control: Control) -> str:
    text = f'control {format_control(control)}'
    if len(text) + len(INDENTATION) < WIDTH or not isinstance(control, Segments):
        return text
    behind = f'\n{INDENTATION * 2}then '
    return f'control {behind.join(map(format_segment, control.segments))}'
