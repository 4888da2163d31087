"""The formal notation of the report: (U, xi, T) and ((e1, ..., en), xi, T) (mdle.md §4.1, §4.2).

U is a vector, segments (``vector for time then ...``) or a law; xi an expression that ends the
element when it is true, or ``false``; T a time, or ``inf``. Nothing has a name.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf
from typing import Literal

from walking_robots.mdle.language.ast import (
    Action,
    Atom,
    Binary,
    Call,
    Control,
    Encapsulation,
    Expression,
    Guard,
    LawCall,
    Loop,
    Name,
    Number,
    Program,
    Run,
    Segments,
    Step,
    Timeout,
    Truth,
)
from walking_robots.mdle.language.diagnostics import ProgramError
from walking_robots.mdle.language.expression_printer import format_control, format_expression
from walking_robots.mdle.language.inlining import (
    NO_MODULES,
    NO_NATIVES,
    Meanings,
    Natives,
    imported,
    meanings_of,
    outside,
)
from walking_robots.mdle.language.limits import excess
from walking_robots.mdle.language.parser import parse_fragment
from walking_robots.mdle.language.parts import Series, Triple
from walking_robots.mdle.language.polarity import Polarity, ending

ENTRY = 'main'
"""What the outermost element is called."""

_MOST_ELEMENTS = 5000
"""Elements written out: each that runs another twice doubles their number."""

Element = Atom | Encapsulation

_SPACES = {2: 'body2', 3: 'body3'}


def parse_core(text: str, file: str = 'program', *, polarity: Polarity = 'end') -> Program:
    """Read a program in the formal notation; its outermost element is called ``main``.

    Atoms and behaviors are numbered. The notation does not name control spaces: two inputs are
    taken for body2, three for body3, others for joints, and a law for one of body2. polarity:
    'run_while' where xi is true as long as an element runs. Raises ProgramError (E101) for wrong
    syntax, ValueError for another polarity.
    """
    triple: Triple = parse_fragment('core', text, file=file)
    atoms: list[Atom] = []
    behaviors: list[Encapsulation] = []
    plans: list[Encapsulation] = []

    def take(item: Triple, name: str = '') -> str:
        condition = ending(item.condition, polarity)
        guards = () if condition == Truth(False) else (_guard(condition),)
        timeout = Timeout(item.duration, place=item.duration.place)
        what = item.what
        if not isinstance(what, Series):
            name = name or f'atom{len(atoms) + 1}'
            space = space_of(what)
            atoms.append(Atom(name, space, (), (), what, guards, timeout, place=item.place))
            return name
        kind: Literal['behavior', 'plan'] = 'plan' if name else 'behavior'
        steps = tuple(_step(take(child), child) for child in what.items)
        name = name or f'behavior{len(behaviors) + 1}'
        # Without an action, an encapsulation fails at its timer; here the next element follows.
        timeout = Timeout(item.duration, Action('next'), place=item.duration.place)
        made = Encapsulation(kind, name, steps, (), (), guards, timeout, place=item.place)
        (plans if kind == 'plan' else behaviors).append(made)
        return name

    take(triple, ENTRY)
    program = Program(1, atoms=tuple(atoms), behaviors=tuple(behaviors), plans=tuple(plans))
    large = excess(program)
    if large:
        raise ProgramError([large], file)
    return program


def _guard(condition: Expression) -> Guard:
    return Guard(condition, place=condition.place)


def _step(name: str, child: Triple) -> Step:
    return Run(Call(Name(name, place=child.place), (), place=child.place), place=child.place)


def space_of(control: Control) -> str:
    """Give the space that a control is taken for, which the notation does not name."""
    if isinstance(control, LawCall):
        return _SPACES[2]
    size = len(control.segments[0].vector if isinstance(control, Segments) else control)
    return _SPACES.get(size, f'joints{size}')


def write_core(
    program: Program,
    entry: str,
    modules: Mapping[str, Program] = NO_MODULES,
    natives: Natives = NO_NATIVES,
) -> str:
    """Write an element of a program, and all that it runs, in the formal notation.

    Constants, arguments, interrupts, laws, counts and what is imported of ``modules``, by import
    path, are written out; ``natives``: what these have in Python. Raises ProgramError for
    anything beyond triples: handlers, other loops, actions other than to go on, outputs, elements
    in Python, spaces that ``parse_core`` would not take, and arguments that are read at the entry
    of an element and used later.
    """
    scope = _scope(program, modules, natives, {})
    writer = _Writer()
    try:
        return writer.element(Call(Name(entry)), scope.meanings, scope, (), 0) + '\n'
    except ValueError as error:
        if isinstance(error, ProgramError):
            raise
        place = scope.elements[entry][0].place
        raise outside(place, f"'{entry}' cannot be written out: {error}") from None


@dataclass(frozen=True, slots=True)
class _Scope:
    """What names of elements mean in a program or a module, each with where it was declared."""

    meanings: Meanings
    elements: dict[str, tuple[Element, '_Scope']]


def _scope(
    program: Program,
    modules: Mapping[str, Program],
    natives: Natives,
    known: dict[int, _Scope],
) -> _Scope:
    if id(program) not in known:
        scope = known[id(program)] = _Scope(meanings_of(program, modules, natives), {})
        for before, module in imported(program, modules):
            home = _scope(module, modules, natives, known)
            for item in _elements(module):
                scope.elements[before + item.name] = item, home
        for item in _elements(program):
            scope.elements[item.name] = item, scope
    return known[id(program)]


def _elements(program: Program) -> tuple[Element, ...]:
    return (*program.atoms, *program.behaviors, *program.plans)


class _Writer:
    """Writes elements."""

    def __init__(self) -> None:
        self.written = 0

    def element(
        self,
        call: Expression,
        meanings: Meanings,
        scope: _Scope,
        chain: tuple[Element, ...],
        depth: int,
    ) -> str:
        """Write what a call runs; ``chain`` are the elements it stands in."""
        base, given = (call.base, call.arguments) if isinstance(call, Call) else (call, ())
        name = format_expression(base)
        if name not in scope.elements:
            hint = 'declare it in this file, in the language: the formal notation has no imports'
            raise outside(call.place, f"'{name}' is not defined in this program", hint)
        found, home = scope.elements[name]
        self.written += 1
        if self.written > _MOST_ELEMENTS:
            text = f"'{name}' is element {self.written} when all is written out"
            raise outside(call.place, text, 'write a smaller part of the program')
        if any(outer is found for outer in chain):
            through = ' and '.join(outer.name for outer in chain)
            raise outside(call.place, f"'{name}' calls itself through {through}")
        passed = meanings.arguments(given)
        try:
            inner = home.meanings.entered(name, found.parameters, passed, call.place)
            return self.inside(found, inner, home, (*chain, found), depth)
        except ProgramError as error:
            if home is scope:
                raise
            # A line of a module is of no use to whoever wrote the program.
            first = error.diagnostics[0]
            raise outside(call.place, f"in '{name}', {first.text}", first.hint) from None

    def inside(
        self,
        found: Element,
        meanings: Meanings,
        home: _Scope,
        chain: tuple[Element, ...],
        depth: int,
    ) -> str:
        """Write an element with its parameters replaced."""
        _refuse(found)
        if isinstance(found, Encapsulation):
            return self.steps(found.steps, found, meanings, home, chain, depth)
        if found.control is None:
            raise outside(found.place, f"atom '{found.name}' has no control")
        control = meanings.control(found.control)
        if found.space != space_of(control):
            text = f"'{found.name}' is on {found.space}, which the formal notation cannot tell"
            hint = f'it would be read as on {space_of(control)}'
            raise outside(found.place, text, hint)
        end = _ending(found.guards, found.timeout, meanings, meanings.at_entry())
        return f'{_indent(depth)}({format_control(control)}, {end})'

    def steps(
        self,
        steps: Iterable[Step],
        owner: Encapsulation | Run,
        meanings: Meanings,
        scope: _Scope,
        chain: tuple[Element, ...],
        depth: int,
    ) -> str:
        """Write steps in a row, and what ends them."""
        listed = tuple(steps) * _count(owner.loop if isinstance(owner, Encapsulation) else None)
        inner = [
            self.step(single, meanings, scope, chain, depth + 1)
            for step in listed
            for single in _unfolded(step)
        ]
        guards = owner.guards if isinstance(owner, Encapsulation) else _given(owner.guard)
        timeout = owner.timeout
        if timeout and timeout.action is None and timeout.duration != Number(inf):
            hint = "write 'timeout ... => next' to go on at its end"
            raise outside(timeout.place, 'this fails at its timeout', hint)
        indent, children = _indent(depth), ',\n'.join(inner)
        # The timer of a step is read when the step is entered, that of an element at its entry.
        early = meanings.at_entry() if isinstance(owner, Encapsulation) else meanings
        end = _ending(guards, timeout, meanings, early)
        return f'{indent}((\n{children}\n{indent}), {end})'

    def step(
        self,
        step: Step,
        meanings: Meanings,
        scope: _Scope,
        chain: tuple[Element, ...],
        depth: int,
    ) -> str:
        """Write a step that runs once."""
        if not isinstance(step, Run):
            kind = {'Parallel': 'par', 'Condition': 'if', 'Reverse': 'reverse'}
            word = kind[type(step).__name__]
            raise outside(step.place, f"the formal notation has no '{word}'")
        for part, word, hint in (
            (step.scale, 'scale', 'write the controls and times as they are scaled'),
            (step.output, 'output', 'leave it out'),
        ):
            if part:
                raise outside(step.place, f"the formal notation has no '{word}'", hint)
        if step.call is None:
            return self.steps(step.steps, step, meanings, scope, chain, depth)
        if step.guard is None and step.timeout is None:
            return self.element(step.call, meanings, scope, chain, depth)
        bare = Run(step.call, place=step.place)
        return self.steps((bare,), step, meanings, scope, chain, depth)


def _count(loop: Loop | None) -> int:
    """Give how often a loop comes round; raises ProgramError where it has no count, or a large."""
    if loop is None:
        return 1
    if loop.kind != 'count':
        raise outside(loop.place, f"the formal notation has no 'loop {loop.kind}'")
    if loop.count > _MOST_ELEMENTS:
        raise outside(loop.place, f'{loop.count} rounds are too many to be written out')
    return loop.count


def _unfolded(step: Step) -> Iterator[Step]:
    """Give a step as often as it runs; what ends it counts for all of its rounds."""
    if not isinstance(step, Run) or step.times is None:
        yield step
    elif step.guard or step.timeout:
        rounds = replace(step, guard=None, timeout=None)
        yield Run(steps=(rounds,), guard=step.guard, timeout=step.timeout, place=step.place)
    else:
        yield from (replace(step, times=None),) * _count(step.times)


def _given(guard: Guard | None) -> tuple[Guard, ...]:
    return (guard,) if guard else ()


def _refuse(element: Atom | Encapsulation) -> None:
    """Raise for the parts of an element that the notation does not have."""
    words = ('outputs', 'emissions', 'needs', 'irreversible', 'handlers', 'cleanup')
    for word in (*words, 'requires'):
        if getattr(element, word, None):
            text = f"'{element.name}' has {word}, which the formal notation has not"
            raise outside(element.place, text)


def _ending(
    guards: tuple[Guard, ...], timeout: Timeout | None, meanings: Meanings, early: Meanings
) -> str:
    """Write xi and T; ``early``: what names mean where the timer is read."""
    ends: list[Guard | Timeout] = [*guards, *([timeout] if timeout else [])]
    for item in ends:
        if item.action and item.action.kind not in ('next', 'done'):
            text = f"the formal notation has no '=> {item.action.kind}'; it always goes on"
            raise outside(item.place, text)
    condition: Expression = Truth(False)
    if guards:
        first, *rest = (meanings.expression(guard.condition) for guard in guards)
        condition = first
        for other in rest:
            condition = Binary('or', condition, other)
    duration = early.expression(timeout.duration) if timeout else Number(inf)
    return f'{format_expression(condition)}, {format_expression(duration)}'


def _indent(depth: int) -> str:
    return '  ' * depth
