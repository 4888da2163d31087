"""The formal notation of the report: (U, xi, T) and ((e1, ..., en), xi, T) (mdle.md §4.1, §4.2).

U is a vector, segments (``vector for time then ...``) or a law; xi an expression that ends the
element when it is true, or ``false``; T a time, or ``inf``. Nothing has a name.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from math import inf
from textwrap import indent
from typing import Any, Literal

from walking_robots.mdle.language import ast
from walking_robots.mdle.language.ast import (
    Atom,
    Call,
    Encapsulation,
    Expression,
    Name,
    Place,
    Program,
    map_children,
    walk,
)
from walking_robots.mdle.language.diagnostics import ProgramError, program_error
from walking_robots.mdle.language.expression_printer import format_expression, format_node
from walking_robots.mdle.language.limits import excess
from walking_robots.mdle.language.parser import Triple, parse_fragment
from walking_robots.mdle.language.polarity import Polarity, ending

Natives = Mapping[str, Collection[str]]
"""Names of what is written in Python, by import path."""

_CHANGES = {'y', 'bb', 'y0', 't'}
"""Names of which the value changes while an element runs, or depends on when it was entered."""

_OF_ENTRY = {'y0', 't'}
"""Those of which the value is another one in every element."""

_MOST_PARTS = 5000
"""Of an expression with its names replaced: each that names another twice doubles it."""

_ENTRY = 'main'
"""What the outermost element is called."""

_MOST_ELEMENTS = 5000
"""Elements written out: each that runs another twice doubles their number."""

_Element = Atom | Encapsulation

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

    add(triple, _ENTRY)
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


class _Scope:
    """What names mean in a program or a module.

    declared: what a name of a kind stands for, with the scope of its declaration; natives: names
    of what is written in Python.
    """

    def __init__(self) -> None:
        self.declared: dict[tuple[str, str], tuple[Any, _Scope]] = {}
        self.natives: set[str] = set()

    def declare(self, program: Program, home: '_Scope', before: str = '') -> None:
        """Add what a program declares; its names begin with ``before`` here."""
        for item in program.declarations():
            kind = 'element' if isinstance(item, _Element) else type(item).__name__.lower()
            self.declared[kind, before + item.name] = item, home
            self.natives.discard(before + item.name)

    def called(
        self,
        name: str,
        parameters: Any,
        given: Iterable[ast.Argument],
        place: Place,
        open: tuple[Any, ...] = (),
    ) -> '_Names':
        """Return what names mean inside what is called ``name`` with arguments.

        open: declarations that are being replaced. Raises ProgramError where the arguments do
        not fit.
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
                values[item.name] = _Names(self, dict(values), {}, open).expression(item.default)
        return _Names(self, values, {}, open)


@dataclass(frozen=True)
class _Names:
    """What names stand for inside an element, an interrupt or a law: its scope and its parameters.

    moving: parameters of which the value is taken when the element is entered, and could not be
    written later, with whether it can at its entry; open: declarations that are being replaced.
    """

    scope: _Scope
    parameters: Mapping[str, Expression] = field(default_factory=dict)
    moving: Mapping[str, bool] = field(default_factory=dict)
    open: tuple[Any, ...] = ()

    def entered(self) -> '_Names':
        """Return what names mean inside an element that is run and reads its arguments then."""
        moving = {}
        for key, value in self.parameters.items():
            read = {part.name for part in walk(value) if isinstance(part, Name)}
            if read & _CHANGES:
                moving[key] = not read & _OF_ENTRY
        return replace(self, moving=moving)

    def at_entry(self) -> '_Names':
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

    def arguments(self, arguments: Iterable[ast.Argument]) -> tuple[ast.Argument, ...]:
        """Return arguments with their names replaced."""
        return tuple(replace(item, value=self.expression(item.value)) for item in arguments)

    def control(self, control: ast.Control) -> ast.Control:
        """Return a control with its names replaced, a law of the language as what it computes."""
        match control:
            case ast.Segments(segments):
                return ast.Segments(tuple(map(self._segment, segments)))
            case ast.LawCall(call):
                return self._law(call)
            case vector:
                return tuple(map(self.expression, vector))

    def _segment(self, segment: ast.Segment) -> ast.Segment:
        vector = tuple(map(self.expression, segment.vector))
        duration = self.at_entry().expression(segment.duration)
        return replace(segment, vector=vector, duration=duration)

    def _law(self, call: Expression) -> ast.Control:
        name, given = self._named(call)
        if ('law', name) not in self.scope.declared:
            return ast.LawCall(self.expression(call))
        law, home = self.scope.declared['law', name]
        if law.vector is None:
            text = f"the law '{name}' is written in Python, which the formal notation has not"
            raise program_error(call.place, text, 'write it in the language')
        inner = home.called(name, law.parameters, self.arguments(given), call.place)
        return tuple(map(inner.expression, law.vector))

    def _named(self, node: Any) -> tuple[str, tuple[ast.Argument, ...]]:
        """Return the name of something declared that a node is or calls ('' for others)."""
        base, given = (node.base, node.arguments) if isinstance(node, Call) else (node, ())
        match base:
            case Name(name):
                return name, given
            case ast.Member(Name(module), name):
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
        for kind in ('interrupt',) if isinstance(node, Call) else ('constant', 'interrupt'):
            item, home = self.scope.declared.get((kind, name), (None, self.scope))
            if item is not None and not any(other is item for other in self.open):
                return self._declared(name, item, home, given, node.place)
        if isinstance(node, Call):
            return replace(node, arguments=self.arguments(given))
        return map_children(node, self._replaced)

    def _declared(
        self, name: str, item: Any, home: _Scope, given: Iterable[ast.Argument], place: Place
    ) -> Expression:
        """Return what a constant or an interrupt says."""
        now_open = (*self.open, item)
        if isinstance(item, ast.Constant):
            return _Names(home, open=now_open).expression(item.value)
        if item.filters:
            text = f"interrupt '{name}' has filters, which the formal notation has not"
            raise program_error(place, text, 'leave the filters out')
        inner = home.called(name, item.parameters, self.arguments(given), place, now_open)
        return inner.expression(item.condition)


def _scope_of(
    program: Program,
    modules: Mapping[str, Program],
    natives: Natives,
    known: dict[int, _Scope],
) -> _Scope:
    """Return what the names of a program mean, of modules that it imports too.

    known: scopes that were made or are being made, by id of the program; imports may be circular.
    """
    if id(program) in known:
        return known[id(program)]
    scope = known[id(program)] = _Scope()
    own = (natives.get(path, ()) for path, module in modules.items() if module is program)
    scope.natives.update(name for offered in own for name in offered)
    for wanted in program.imports:
        path = '.'.join(wanted.path)
        # One without an alias is reached by bare names too.
        befores = [f'{wanted.alias or wanted.path[-1]}.', *([] if wanted.alias else [''])]
        for before in befores:
            scope.natives.update(before + name for name in natives.get(path, ()))
            if path in modules:
                home = _scope_of(modules[path], modules, natives, known)
                scope.declare(modules[path], home, before)
    scope.declare(program, scope)
    return scope


def write_core(
    program: Program,
    entry: str,
    modules: Mapping[str, Program] | None = None,
    natives: Natives | None = None,
) -> str:
    """Write an element of a program, and all that it runs, in the formal notation.

    Constants, arguments, interrupts, laws, counts and what is imported of ``modules``, by import
    path, are written out; ``natives``: what these have in Python. Raises ProgramError for
    anything beyond triples: handlers, other loops, actions other than to go on, outputs, elements
    in Python, spaces that ``parse_core`` would not take, and arguments that are read at the entry
    of an element and used later.
    """
    scope = _scope_of(program, modules or {}, natives or {}, {})
    try:
        return _Writer().element(Call(Name(entry)), _Names(scope)) + '\n'
    except ValueError as error:
        if isinstance(error, ProgramError):
            raise
        place = scope.declared['element', entry][0].place
        raise program_error(place, f"'{entry}' cannot be written out: {error}") from None


class _Writer:
    """Writes elements; ``written``: how many so far, ``chain``: those that are being written."""

    def __init__(self) -> None:
        self.written = 0
        self.chain: list[_Element] = []

    def element(self, call: Expression, names: _Names) -> str:
        """Return what a call runs."""
        base, given = (call.base, call.arguments) if isinstance(call, Call) else (call, ())
        name = format_expression(base)
        if ('element', name) not in names.scope.declared:
            hint = 'declare it in this file, in the language: the formal notation has no imports'
            raise program_error(call.place, f"'{name}' is not defined in this program", hint)
        element, home = names.scope.declared['element', name]
        self.written += 1
        if self.written > _MOST_ELEMENTS:
            text = f"'{name}' is element {self.written} when all is written out"
            raise program_error(call.place, text, 'write a smaller part of the program')
        if any(outer is element for outer in self.chain):
            through = ' and '.join(outer.name for outer in self.chain)
            raise program_error(call.place, f"'{name}' calls itself through {through}")
        passed = names.arguments(given)
        self.chain.append(element)
        try:
            inner = home.called(name, element.parameters, passed, call.place).entered()
            return self.inside(element, inner)
        except ProgramError as error:
            if home is names.scope:
                raise
            # A line of a module is of no use to whoever wrote the program.
            first = error.diagnostics[0]
            text = f"in '{name}', {first.text}"
            raise program_error(call.place, text, first.hint) from None
        finally:
            self.chain.pop()

    def inside(self, element: _Element, names: _Names) -> str:
        """Return an element with its parameters replaced."""
        for part in _NOT_IN_TRIPLES:
            if getattr(element, part, None):
                text = f"'{element.name}' has {part}, which the formal notation has not"
                raise program_error(element.place, text)
        # The timer of an element is read at its entry, that of a step when the step is entered.
        early = names.at_entry()
        if isinstance(element, Encapsulation):
            steps = element.steps * _count(element.loop)
            return self.steps(steps, element.guards, element.timeout, names, early)
        if element.control is None:
            raise program_error(element.place, f"atom '{element.name}' has no control")
        control = names.control(element.control)
        if element.space != space_of(control):
            text = f"'{element.name}' is on {element.space}, which the formal notation cannot tell"
            hint = f'it would be read as on {space_of(control)}'
            raise program_error(element.place, text, hint)
        end = _ending(element.guards, element.timeout, names, early)
        return f'({format_node(control)}, {end})'

    def steps(
        self,
        steps: Iterable[ast.Step],
        guards: tuple[ast.Guard, ...],
        timeout: ast.Timeout | None,
        names: _Names,
        early: _Names,
    ) -> str:
        """Return steps in a row, and what ends them."""
        inner = [self.step(single, names) for step in steps for single in _unfolded(step)]
        if timeout and timeout.action is None and timeout.duration != ast.Number(inf):
            hint = "write 'timeout ... => next' to go on at its end"
            raise program_error(timeout.place, 'this fails at its timeout', hint)
        listed = indent(',\n'.join(inner), '  ')
        return f'((\n{listed}\n), {_ending(guards, timeout, names, early)})'

    def step(self, step: ast.Step, names: _Names) -> str:
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
            return self.element(step.call, names)
        steps = (ast.Run(step.call, place=step.place),) if step.call else step.steps
        guards = (step.guard,) if step.guard else ()
        return self.steps(steps, guards, step.timeout, names, names)


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
    guards: tuple[ast.Guard, ...], timeout: ast.Timeout | None, names: _Names, early: _Names
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
