"""Profile ``strict``: what lies outside the formalism of mdle.md §4.1 (E901).

That is everything that cannot be written out as (U, xi, T), as (alpha, beta)(U, xi, T), or as
((e1 ... en), xi, T). Parameters, constants, named interrupts and counted repetitions can.
"""

from collections.abc import Iterable, Iterator
from math import inf
from typing import NamedTuple

from walking_robots.mdle.analysis.facts import Facts
from walking_robots.mdle.analysis.held import held_arguments, held_defaults
from walking_robots.mdle.analysis.ledger import Site
from walking_robots.mdle.analysis.parts import parts_of
from walking_robots.mdle.knowledge.elements import PythonAtom, PythonGuard, PythonLaw
from walking_robots.mdle.knowledge.names import Element, Found, Names, spelled
from walking_robots.mdle.language.ast import (
    NOWHERE,
    Action,
    Atom,
    Condition,
    Control,
    Encapsulation,
    Expression,
    Guard,
    Interrupt,
    Law,
    LawCall,
    Loop,
    Name,
    Number,
    Parallel,
    Place,
    Reverse,
    Run,
    Step,
    Timeout,
)
from walking_robots.mdle.language.core_notation import space_of
from walking_robots.mdle.profiles import STRICT

__all__ = ['check_strict', 'check_strict_entry']

CODE = 'E901'
GOES_ON = ('next', 'done')
"""Actions that say what happens in the formalism anyway: the next element follows."""

ONE_AFTER_THE_OTHER = 'write steps one after the other'
NOTHING_HANDED_ON = 'leave it out: elements hand nothing on'


class Remark(NamedTuple):
    """Something outside the formalism: where, what, and what to write instead."""

    place: Place
    what: str
    hint: str


def check_strict(element: Element, facts: Facts, names: Names, site: Site) -> None:
    """Check what is written in an element of the program, and what it uses of modules."""
    if STRICT not in facts.profiles or not facts.is_own(names):
        return
    for found in _remarks(element, facts, names):
        text = f"{found.what} is outside the profile 'strict'"
        facts.ledger.add(site, CODE, found.place, text, found.hint)
    for call in facts.calls(element, names):
        called = names.called(call)
        if called and not facts.is_own(called.names):
            _check_module(called, facts, call.place, site)


def check_strict_entry(entry: Found, facts: Facts, site: Site) -> None:
    """Check an entry that is an element of a module."""
    if STRICT in facts.profiles and not facts.is_own(entry.names):
        _check_module(entry, facts, NOWHERE, site)


def _check_module(called: Found, facts: Facts, place: Place, site: Site) -> None:
    """Tell at the call what an element of a module, and all that it uses, has outside."""
    waiting, seen = [called], set[int]()
    while waiting:
        element, names = waiting.pop()
        if id(element) in seen:
            continue
        seen.add(id(element))
        for found in _remarks(element, facts, names):
            text = f"'{element.name}' has {found.what}, which is outside the profile 'strict'"
            facts.ledger.add(site, CODE, place, text, 'write an element of your own without')
        waiting += filter(None, (names.called(call) for call in facts.calls(element, names)))


def _remarks(element: Element, facts: Facts, names: Names) -> Iterator[Remark]:
    """Give what an element has that the formalism has not."""
    match element:
        case Interrupt():
            for used in element.filters:
                what = f"the filter '{used.kind}'"
                yield Remark(used.place, what, 'an interrupt is a condition without a memory')
            yield from _of_condition(element.condition, element)
        case PythonAtom() | PythonGuard() | PythonLaw():
            yield Remark(NOWHERE, 'logic in Python instead of (U, xi, T)', '')
        case Law() if element.vector is None:
            yield Remark(element.place, 'a law in Python', 'write its vector')
        case Atom():
            yield from _of_atom(element, names)
        case Encapsulation():
            yield from _of_container(element, names)
    for part in facts.parts(element):
        name = spelled(part)
        if name[:1] == ('bb',) and len(name) > 1:
            hint = 'give it as an argument'
            yield Remark(part.place, f"'{'.'.join(name)}' of the blackboard", hint)


def _of_atom(atom: Atom, names: Names) -> Iterator[Remark]:
    if atom.control is None:
        hint = 'write a control, such as [0 m/s, 0 rad/s]'
        yield Remark(atom.place, 'an atom without a control', hint)
    elif atom.space != space_of(_vector(atom.control, names)):
        hint = 'the formalism has one space of controls: take that of the other atoms'
        yield Remark(atom.place, f"the control space '{atom.space}'", hint)
    yield from _of_values(held_defaults(atom))
    if atom.irreversible:
        hint = "leave it out: there is no 'reverse' to forbid"
        yield Remark(atom.place, "'irreversible'", hint)
    yield from _of_outputs(atom)
    for emission in atom.emissions:
        yield Remark(emission.place, "'emit'", NOTHING_HANDED_ON)
    yield from _of_guards(atom.guards, atom)
    yield from _of_action(atom.timeout.action if atom.timeout else None)


def _vector(control: Control, names: Names) -> Control:
    """Give the vector that a law of the language is, any other control as it is."""
    found = names.called(control.call) if isinstance(control, LawCall) else None
    vector = found.element.vector if found and isinstance(found.element, Law) else None
    return vector or control


def _of_values(values: Iterable[Expression]) -> Iterator[Remark]:
    for value in values:
        hint = "write a value that does not change, or 'y0' in the element itself"
        yield Remark(value.place, 'a value that is read at an entry and used later', hint)


def _of_container(element: Encapsulation, names: Names) -> Iterator[Remark]:
    yield from _of_values(held_defaults(element))
    yield from _of_outputs(element)
    yield from _of_guards(element.guards, element)
    yield from _of_timer(element.timeout)
    yield from _of_loop(element.loop)
    for handler in element.handlers:
        yield Remark(handler.place, 'a handler', "write what ends an element as 'until'")
    for call in element.cleanup:
        yield Remark(call.place, "'finally'", 'write it as the last step')
    for need in element.requires:
        yield Remark(need.place, "'requires'", 'leave it out')
    yield from _of_steps(element.steps, element, names)


def _of_steps(steps: Iterable[Step], element: Element, names: Names) -> Iterator[Remark]:
    for step in steps:
        match step:
            case Run():
                yield from _of_run(step, element, names)
            case Parallel():
                yield Remark(step.place, "'par'", ONE_AFTER_THE_OTHER)
                yield from _of_steps(step.steps, element, names)
            case Condition():
                yield Remark(step.place, "'if'", ONE_AFTER_THE_OTHER)
                yield from _of_steps((*step.then, *step.otherwise), element, names)
            case Reverse():
                yield Remark(step.place, "'reverse'", 'drive the way back by steps')


def _of_run(step: Run, element: Element, names: Names) -> Iterator[Remark]:
    if step.output:
        yield Remark(step.place, f"the output '{step.output}'", NOTHING_HANDED_ON)
    if step.guard:
        yield from _of_guards((step.guard,), element)
    called = names.called(step.call) if step.call else None
    if step.call:
        yield from _of_values(held_arguments(step.call, called))
    if step.timeout and called and isinstance(called.element, Atom | PythonAtom):
        yield from _of_action(step.timeout.action)
    else:
        yield from _of_timer(step.timeout)
    yield from _of_loop(step.times)
    yield from _of_steps(step.steps, element, names)


def _of_guards(guards: Iterable[Guard], element: Element) -> Iterator[Remark]:
    for guard in guards:
        yield from _of_condition(guard.condition, element)
        yield from _of_action(guard.action)


def _of_condition(condition: Expression, element: Element) -> Iterator[Remark]:
    """Tell of an interrupt that reads the time; it is a function of what the robot tells."""
    own = {parameter.name for parameter in getattr(element, 'parameters', ())}
    for part in parts_of(condition):
        if part == Name('t') and 't' not in own:
            yield Remark(part.place, "an interrupt that reads 't'", "write a 'timeout'")


def _of_action(action: Action | None) -> Iterator[Remark]:
    if action and action.kind not in GOES_ON:
        what = f"the action '{action.kind}'"
        yield Remark(action.place, what, 'leave it out: the next element follows')


def _of_timer(timeout: Timeout | None) -> Iterator[Remark]:
    """Tell of a timer of several elements: without an action it makes them fail."""
    if timeout is None:
        return
    yield from _of_action(timeout.action)
    endless = isinstance(timeout.duration, Number) and timeout.duration.value == inf
    if timeout.action is None and not endless:
        yield Remark(timeout.place, 'a timer that makes a container fail', "add '=> next' to it")


def _of_loop(loop: Loop | None) -> Iterator[Remark]:
    if loop and loop.kind != 'count':
        yield Remark(loop.place, f"a loop '{loop.kind}'", 'write how often')


def _of_outputs(element: Atom | Encapsulation) -> Iterator[Remark]:
    for output in element.outputs:
        yield Remark(output.place, f"the output '{output.name}'", NOTHING_HANDED_ON)
