"""The formal notation of the report: (U, xi, T) and ((e1, ..., en), xi, T) (mdle.md §4.1, §4.2).

U is a vector, segments (``vector for time then ...``) or a law; xi an expression that ends the
element when it is true, or ``false``; T a time, or ``inf``. Nothing has a name.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from math import inf
from typing import Literal

from walking_robots.mdle.language import ast
from walking_robots.mdle.language.ast import Atom, Call, Encapsulation, Expression, Name, Program
from walking_robots.mdle.language.diagnostics import ProgramError, program_error
from walking_robots.mdle.language.expression_printer import format_expression, format_node
from walking_robots.mdle.language.inlining import (
    NO_MODULES,
    NO_NATIVES,
    Bindings,
    Natives,
    scope_of,
)
from walking_robots.mdle.language.limits import excess
from walking_robots.mdle.language.parser import Triple, parse_fragment
from walking_robots.mdle.language.polarity import Polarity, ending

ENTRY = 'main'
"""What the outermost element is called."""

_MOST_ELEMENTS = 5000
"""Elements written out: each that runs another twice doubles their number."""

Element = Atom | Encapsulation

_SPACES = {2: 'body2', 3: 'body3'}
_STATEMENTS = {ast.Parallel: 'par', ast.Condition: 'if', ast.Reverse: 'reverse'}
_NOT_IN_TRIPLES = (
    'outputs', 'emissions', 'needs', 'irreversible', 'handlers', 'cleanup', 'requires',
)  # fmt: skip


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

    def add(item: Triple, name: str = '') -> str:
        condition = ending(item.condition, polarity)
        guard = ast.Guard(condition, place=condition.place)
        guards = () if condition == ast.Truth(False) else (guard,)
        timeout = ast.Timeout(item.duration, place=item.duration.place)
        if not isinstance(item.what, list):
            name = name or f'atom{len(atoms) + 1}'
            space = space_of(item.what)
            atoms.append(Atom(name, space, (), (), item.what, guards, timeout, place=item.place))
            return name
        kind: Literal['behavior', 'plan'] = 'plan' if name else 'behavior'
        steps = tuple(_run(add(child), child) for child in item.what)
        name = name or f'behavior{len(behaviors) + 1}'
        # Without an action, an encapsulation fails at its timer; here the next element follows.
        timeout = replace(timeout, action=ast.Action('next'))
        made = Encapsulation(kind, name, steps, (), (), guards, timeout, place=item.place)
        (plans if kind == 'plan' else behaviors).append(made)
        return name

    add(triple, ENTRY)
    program = Program(1, atoms=tuple(atoms), behaviors=tuple(behaviors), plans=tuple(plans))
    large = excess(program)
    if large:
        raise ProgramError([large], file)
    return program


def _run(name: str, child: Triple) -> ast.Step:
    call = Call(Name(name, place=child.place), place=child.place)
    return ast.Run(call, place=child.place)


def space_of(control: ast.Control) -> str:
    """Return the space that a control is taken for, which the notation does not name."""
    if isinstance(control, ast.LawCall):
        return _SPACES[2]
    size = len(control.segments[0].vector if isinstance(control, ast.Segments) else control)
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
    scope = scope_of(program, modules, natives)
    try:
        return _Writer().element(Call(Name(entry)), Bindings(scope), (), 0) + '\n'
    except ValueError as error:
        if isinstance(error, ProgramError):
            raise
        place = scope.elements[entry][0].place
        raise program_error(place, f"'{entry}' cannot be written out: {error}") from None


@dataclass
class _Writer:
    """Writes elements; ``written``: how many so far."""

    written: int = 0

    def element(
        self, call: Expression, names: Bindings, chain: tuple[Element, ...], depth: int
    ) -> str:
        """Return what a call runs; ``chain`` are the elements it stands in."""
        base, given = (call.base, call.arguments) if isinstance(call, Call) else (call, ())
        name = format_expression(base)
        if name not in names.scope.elements:
            hint = 'declare it in this file, in the language: the formal notation has no imports'
            raise program_error(call.place, f"'{name}' is not defined in this program", hint)
        element, home = names.scope.elements[name]
        self.written += 1
        if self.written > _MOST_ELEMENTS:
            text = f"'{name}' is element {self.written} when all is written out"
            raise program_error(call.place, text, 'write a smaller part of the program')
        if any(outer is element for outer in chain):
            through = ' and '.join(outer.name for outer in chain)
            raise program_error(call.place, f"'{name}' calls itself through {through}")
        try:
            passed = names.arguments(given)
            inner = home.called(name, element.parameters, passed, call.place).entered()
            return self.inside(element, inner, (*chain, element), depth)
        except ProgramError as error:
            if home is names.scope:
                raise
            # A line of a module is of no use to whoever wrote the program.
            first = error.diagnostics[0]
            text = f"in '{name}', {first.text}"
            raise program_error(call.place, text, first.hint) from None

    def inside(
        self,
        element: Element,
        names: Bindings,
        chain: tuple[Element, ...],
        depth: int,
    ) -> str:
        """Return an element with its parameters replaced."""
        for part in _NOT_IN_TRIPLES:
            if getattr(element, part, None):
                text = f"'{element.name}' has {part}, which the formal notation has not"
                raise program_error(element.place, text)
        if isinstance(element, Encapsulation):
            steps = element.steps * _count(element.loop)
            return self.steps(steps, element.guards, element.timeout, names, True, chain, depth)
        if element.control is None:
            raise program_error(element.place, f"atom '{element.name}' has no control")
        control = names.control(element.control)
        if element.space != space_of(control):
            text = f"'{element.name}' is on {element.space}, which the formal notation cannot tell"
            hint = f'it would be read as on {space_of(control)}'
            raise program_error(element.place, text, hint)
        end = _ending(element.guards, element.timeout, names, names.at_entry())
        return f'{"  " * depth}({format_node(control)}, {end})'

    def steps(
        self,
        steps: Iterable[ast.Step],
        guards: tuple[ast.Guard, ...],
        timeout: ast.Timeout | None,
        names: Bindings,
        of_element: bool,
        chain: tuple[Element, ...],
        depth: int,
    ) -> str:
        """Return steps in a row, and what ends them."""
        inner = [
            self.step(single, names, chain, depth + 1)
            for step in steps
            for single in _unfolded(step)
        ]
        if timeout and timeout.action is None and timeout.duration != ast.Number(inf):
            hint = "write 'timeout ... => next' to go on at its end"
            raise program_error(timeout.place, 'this fails at its timeout', hint)
        indent, children = '  ' * depth, ',\n'.join(inner)
        # The timer of a step is read when the step is entered, that of an element at its entry.
        early = names.at_entry() if of_element else names
        return f'{indent}((\n{children}\n{indent}), {_ending(guards, timeout, names, early)})'

    def step(self, step: ast.Step, names: Bindings, chain: tuple[Element, ...], depth: int) -> str:
        """Return a step that runs once."""
        if not isinstance(step, ast.Run):
            word = _STATEMENTS[type(step)]
            raise program_error(step.place, f"the formal notation has no '{word}'")
        if step.scale:
            hint = 'write the controls and times as they are scaled'
            raise program_error(step.place, "the formal notation has no 'scale'", hint)
        if step.output:
            raise program_error(step.place, "the formal notation has no 'output'", 'leave it out')
        if step.call and step.guard is None and step.timeout is None:
            return self.element(step.call, names, chain, depth)
        steps = (ast.Run(step.call, place=step.place),) if step.call else step.steps
        guards = (step.guard,) if step.guard else ()
        return self.steps(steps, guards, step.timeout, names, False, chain, depth)


def _count(loop: ast.Loop | None) -> int:
    """Return how often a loop runs; raises ProgramError where it has no count, or a large one."""
    if loop is None:
        return 1
    if loop.kind != 'count':
        raise program_error(loop.place, f"the formal notation has no 'loop {loop.kind}'")
    if loop.count > _MOST_ELEMENTS:
        raise program_error(loop.place, f'{loop.count} rounds are too many to be written out')
    return loop.count


def _unfolded(step: ast.Step) -> Iterator[ast.Step]:
    """Return a step as often as it runs; what ends it counts for all of its rounds."""
    if not isinstance(step, ast.Run) or step.times is None:
        yield step
    elif step.guard or step.timeout:
        rounds = replace(step, guard=None, timeout=None)
        yield ast.Run(steps=(rounds,), guard=step.guard, timeout=step.timeout, place=step.place)
    else:
        yield from (replace(step, times=None),) * _count(step.times)


def _ending(
    guards: tuple[ast.Guard, ...], timeout: ast.Timeout | None, names: Bindings, early: Bindings
) -> str:
    """Return xi and T; ``early``: what names mean where the timer is read."""
    ends: list[ast.Guard | ast.Timeout] = [*guards, *([timeout] if timeout else [])]
    for item in ends:
        if item.action and item.action.kind not in ('next', 'done'):
            text = f"the formal notation has no '=> {item.action.kind}'; it always goes on"
            raise program_error(item.place, text)
    conditions = [names.expression(guard.condition) for guard in guards] or [ast.Truth(False)]
    condition = reduce(lambda left, right: ast.Binary('or', left, right), conditions)
    duration = early.expression(timeout.duration) if timeout else ast.Number(inf)
    return f'{format_expression(condition)}, {format_expression(duration)}'
