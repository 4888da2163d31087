"""Unfold a program into the elements that run, each with its values (mdle.md §4.5).

A node is shared where an element runs again with the same values, so that the tree of a program
is no larger than the program, unless its values differ.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from typing import Any, Literal, NamedTuple

from walking_robots.mdle.analysis.check_context import CheckContext
from walking_robots.mdle.analysis.implication import Clauses, clauses_of
from walking_robots.mdle.analysis.intervals import ValueInterval, point, product
from walking_robots.mdle.analysis.references import arguments_of, outputs_of
from walking_robots.mdle.analysis.values import (
    ValueScope,
    VariableValue,
    bind,
    number,
    reads,
    truth,
    value_of,
)
from walking_robots.mdle.knowledge.elements import PythonAtom
from walking_robots.mdle.knowledge.names import Found, Names, names_of, spelled
from walking_robots.mdle.language import ast
from walking_robots.mdle.language.expression_printer import format_expression

Kind = Literal[
    'atom', 'external', 'encapsulation', 'run', 'parallel', 'choice', 'reverse', 'unknown'
]

ONE = point(1.0)

DEEPEST = 120
"""Levels of steps and elements within each other that are followed."""

REACTION = 2
"""Levels that what runs because of a cause counts for, besides those of what it runs."""

MOST_NODES = 20_000
"""Nodes that differ by their values; from there on values count as unknown."""


class Scaling(NamedTuple):
    """The product of the scales around an element (mdle.md §4.10).

    alpha: factors of the control, None without a scale; beta: of time; place: of the innermost
    scale, if that is written in the program itself.
    """

    alpha: tuple[ValueInterval, ...] | None = None
    beta: ValueInterval = ONE
    place: ast.Place = ast.NOWHERE

    def times(
        self, alpha: Sequence[ValueInterval], beta: ValueInterval, place: ast.Place
    ) -> 'Scaling':
        """Return this with one more scale inside; factors of another number do not fit anyway."""
        product_of = tuple(alpha)
        if self.alpha is not None and len(self.alpha) == len(product_of):
            product_of = tuple(map(product, self.alpha, product_of))
        return Scaling(product_of, product(self.beta, beta), place)


UNSCALED = Scaling()


@dataclass(eq=False)
class ScopedGuard:
    """A guard with what its names mean.

    own: whether it stands in the program itself; default: whether it is the executor's guard on
    contact, which leaves a contact to the guards inside that read it (mdle.md §4.7).
    """

    guard: ast.Guard
    scope: ValueScope
    own: bool
    default: bool = False

    @cached_property
    def state(self) -> ValueInterval:
        """Whether it is true, as far as the ranges of the channels decide that."""
        return truth(value_of(self.guard.condition, self.scope))

    @cached_property
    def reads(self) -> frozenset[str]:
        """What it reads that changes."""
        return reads(self.guard.condition, self.scope)

    @cached_property
    def interrupt(self) -> ast.Interrupt | None:
        """The interrupt that it consists of."""
        found = self.scope.called(self.guard.condition)
        return found.element if found and isinstance(found.element, ast.Interrupt) else None

    @cached_property
    def clauses(self) -> Clauses:
        """The condition as alternatives of comparisons."""
        return clauses_of(self.guard.condition, self.scope)

    @property
    def place(self) -> ast.Place:
        """Where its condition stands."""
        return self.guard.condition.place

    @property
    def text(self) -> str:
        """The condition as it is written."""
        return format_expression(self.guard.condition)


@dataclass(eq=False, slots=True)
class Reaction:
    """An element that runs because of a cause, or at the end.

    about: the guard, or the cause of a handler; action: that is written for it, None at the end.
    """

    node: 'ProgramNode'
    kind: Literal['handler', 'action', 'finally']
    about: ScopedGuard | ast.Cause | None
    action: ast.Action | None = None


@dataclass(eq=False)
class ProgramNode:
    """Something that runs.

    kind: 'run' is a step with what it calls, or its steps, as children; name: its part of the
    path; own: whether it stands in the program itself; guards: in the order tested; timer: its
    timer in s, scaled, None without one; loop: how often its children run; scaling: of what is in
    it; reactions: what handlers, actions and ``finally`` run; block: the steps it stands among, of
    ``reverse``; control: what `motion.control_parts` found.
    """

    kind: Kind
    place: ast.Place
    own: bool
    scope: ValueScope
    source: Any = None
    name: str = ''
    children: tuple['ProgramNode', ...] = ()
    guards: tuple[ScopedGuard, ...] = ()
    timer: ValueInterval | None = None
    timeout: ast.Timeout | None = None
    loop: ast.Loop | None = None
    scaling: Scaling = UNSCALED
    reactions: tuple[Reaction, ...] = ()
    block: Sequence['ProgramNode'] = ()
    control: Any = None

    @cached_property
    def calls_one(self) -> bool:
        """Whether it is a step that runs an element, not a group of steps."""
        return isinstance(self.source, ast.Run) and self.source.call is not None

    @cached_property
    def is_bare(self) -> bool:
        """Whether it is a step without modifiers; its container answers for its element."""
        step = self.source
        return self.calls_one and not (step.guard or step.timeout or step.times)

    @property
    def handlers(self) -> tuple[ast.Handler, ...]:
        """The handlers of a behavior or a plan."""
        return self.source.handlers if isinstance(self.source, ast.Encapsulation) else ()

    @cached_property
    def actions(self) -> list[ast.Action]:
        """The actions written beside its guards and its timer."""
        beside = [scoped.guard.action for scoped in self.guards]
        beside.append(self.timeout.action if self.timeout else None)
        return [action for action in beside if action]

    @cached_property
    def height(self) -> int:
        """The levels of elements and steps in it."""
        return 1 + max((step.height for step in self.steps()), default=0)

    def steps(self) -> Iterator['ProgramNode']:
        """Yield what it consists of, reactions included."""
        yield from self.children
        yield from (reaction.node for reaction in self.reactions)


def all_nodes(root: ProgramNode) -> Iterator[ProgramNode]:
    """Yield an element and all children in it, each once, in the order written."""
    waiting, seen = [root], set[int]()
    while waiting:
        node = waiting.pop()
        if id(node) not in seen:
            seen.add(id(node))
            yield node
            waiting += reversed(node.children)


def leaves(root: ProgramNode) -> Iterator[ProgramNode]:
    """Yield the atoms in an element, each once."""
    return (node for node in all_nodes(root) if node.kind in ('atom', 'external'))


class Around(NamedTuple):
    """What surrounds a step: what its names mean, whose they are, and the scales."""

    scope: ValueScope
    own: bool
    scaling: Scaling = UNSCALED

    def value(self, expression: ast.Expression) -> ValueInterval:
        """Return what a quantity can be."""
        return number(value_of(expression, self.scope))

    def timer(self, timeout: ast.Timeout | None, beta: ValueInterval) -> ValueInterval | None:
        """Return the time of a timer, s, scaled."""
        return product(self.value(timeout.duration), beta) if timeout else None

    def guards(self, guards: Sequence[ast.Guard]) -> tuple[ScopedGuard, ...]:
        """Return guards with what their names mean."""
        return tuple(ScopedGuard(guard, self.scope, self.own) for guard in guards)

    def scaled(self, scale: ast.Scale | None) -> tuple['Around', ValueInterval]:
        """Return what surrounds the content of a step with a scale, and its factor of time."""
        if scale is None:
            return self, ONE
        alpha = tuple(map(self.value, scale.alpha))
        low, high = self.value(scale.beta) if scale.beta else ONE
        beta = ValueInterval(max(0.0, low), max(0.0, high))
        place = scale.place if self.own else ast.NOWHERE
        return self._replace(scaling=self.scaling.times(alpha, beta, place)), beta


class Expander:
    """Unfolds elements; equal nodes are made once.

    new: elements that were unfolded, inner ones before those around them.
    """

    def __init__(self, context: CheckContext) -> None:
        self.context = context
        self.new: list[ProgramNode] = []
        self._made: dict[Hashable, ProgramNode] = {}
        self._memory: dict[Hashable, Any] = {}
        self._frames = count(1)
        self._open: list[int] = []
        self._depth = 0

    def entry(self, found: Found, arguments: Sequence[ast.Argument] = ()) -> ProgramNode:
        """Return an element with arguments in the program's words, else with its defaults."""
        scope = self._scope(self.context.names if arguments else found.names, {})
        parameters = getattr(found.element, 'parameters', ())
        return self._element(found, bind(parameters, arguments, scope, found.names))

    def generic(self, found: Found) -> ProgramNode:
        """Return an element with parameters of which nothing is known."""
        parameters = getattr(found.element, 'parameters', ())
        return self._element(found, {p.name: VariableValue() for p in parameters})

    def _scope(self, names: Names, variables: dict[str, VariableValue]) -> ValueScope:
        robot, frame = self.context.robot, next(self._frames)
        return ValueScope(names, robot, variables, frame=frame, memory=self._memory)

    def _element(
        self,
        found: Found,
        variables: dict[str, VariableValue],
        scaling: Scaling = UNSCALED,
        outer: Scaling = UNSCALED,
        beta: ValueInterval = ONE,
    ) -> ProgramNode:
        """Return an element.

        scaling: the scales around it; outer: those around what answers its actions; beta: the
        factor of time written on it directly, which alone stretches the timer of a container.
        """
        element, names = found
        if len(self._made) > MOST_NODES:
            variables = dict.fromkeys(variables, VariableValue())
        key = (id(element), tuple(variables.items()), scaling, outer, beta)
        made = self._made.get(key)
        if made and self._depth + made.height <= DEEPEST:
            return made
        # Outputs of steps are not known, and hide parameters and constants of the same name.
        hidden = outputs_of(getattr(element, 'steps', ()), names)
        variables |= {name: VariableValue() for name, _ in hidden}
        around = Around(self._scope(names, variables), self.context.is_own(names), scaling)
        place = getattr(element, 'place', ast.NOWHERE)
        too_deep = bool(made) or self._depth >= DEEPEST
        if id(element) in self._open or too_deep:
            return self._node('unknown', place, around, None if too_deep else element)
        self._open.append(id(element))
        self._depth += 1
        node = self._node('external', place, around, element, element.name)
        if isinstance(element, ast.Atom | ast.Encapsulation):
            self._fill(node, element, around, outer, beta)
        self._depth -= 1
        self._open.pop()
        self._made[key] = node
        self.new.append(node)
        return node

    def _node(
        self, kind: Kind, place: ast.Place, around: Around, source: Any = None, name: str = ''
    ) -> ProgramNode:
        return ProgramNode(
            kind, place, around.own, around.scope, source, name, scaling=around.scaling
        )

    def _fill(
        self,
        node: ProgramNode,
        element: ast.Atom | ast.Encapsulation,
        around: Around,
        outer: Scaling,
        beta: ValueInterval,
    ) -> None:
        """Add what an atom or a container consists of."""
        atom = isinstance(element, ast.Atom)
        node.kind = 'atom' if atom else 'encapsulation'
        node.guards, node.timeout = around.guards(element.guards), element.timeout
        node.timer = around.timer(element.timeout, around.scaling.beta if atom else beta)
        reactions = self._beside(node, around._replace(scaling=outer))
        if isinstance(element, ast.Encapsulation):
            node.loop = element.loop
            node.children = self._block(element.steps, around)
            for handler in element.handlers:
                reactions += self._reactions(handler.action, 'handler', handler.cause, around)
            for call in element.cleanup:
                cleanup = self._called(call, around._replace(scaling=UNSCALED))
                reactions.append(Reaction(cleanup, 'finally', None))
        node.reactions = tuple(reactions)

    def _beside(self, node: ProgramNode, around: Around) -> list[Reaction]:
        """Return what the actions beside guards and timer run."""
        found: list[Reaction] = []
        for scoped in node.guards:
            found += self._reactions(scoped.guard.action, 'action', scoped, around)
        if node.timeout:
            late = ast.Cause('timeout')
            found += self._reactions(node.timeout.action, 'action', late, around)
        return found

    def _reactions(
        self,
        action: ast.Action | None,
        kind: Literal['handler', 'action'],
        about: ScopedGuard | ast.Cause,
        around: Around,
    ) -> list[Reaction]:
        calls = (part.call for part in (action.parts() if action else ()))
        return [
            Reaction(self._called(call, around), kind, about, action) for call in calls if call
        ]

    def _called(self, call: ast.Expression, around: Around) -> ProgramNode:
        """Return the step that a call in a handler, action or ``finally`` is."""
        self._depth += REACTION
        node = self._run(ast.Run(call, place=call.place), '.'.join(spelled(call)), around)
        self._depth -= REACTION
        return node

    def _callee(
        self, call: ast.Expression, around: Around, outer: Scaling, beta: ValueInterval = ONE
    ) -> ProgramNode:
        found = around.scope.names.called(call)
        if found and isinstance(found.element, ast.Atom | ast.Encapsulation | PythonAtom):
            arguments, parameters = arguments_of(call), found.element.parameters
            variables = bind(parameters, arguments, around.scope, found.names)
            return self._element(found, variables, around.scaling, outer, beta)
        return self._node('unknown', call.place, around)

    def _block(self, steps: tuple[ast.Step, ...], around: Around) -> tuple[ProgramNode, ...]:
        if self._depth >= DEEPEST:
            return (self._node('unknown', steps[0].place, around),) if steps else ()
        self._depth += 1
        nodes: list[ProgramNode] = []
        for step, name in zip(steps, names_of(steps), strict=True):
            nodes.append(self._step(step, name, around, nodes))
        self._depth -= 1
        return tuple(nodes)

    def _step(
        self, step: ast.Step, name: str, around: Around, block: list[ProgramNode]
    ) -> ProgramNode:
        """Return a step; block: the steps before it, to which those behind it are added later."""
        match step:
            case ast.Run():
                return self._run(step, name, around)
            case ast.Parallel():
                node = self._node('parallel', step.place, around, step, name)
                node.children = self._block(step.steps, around)
            case ast.Condition():
                node = self._node('choice', step.place, around, step, name)
                then, otherwise = (self._node('run', step.place, around) for _ in range(2))
                then.children = self._block(step.then, around)
                otherwise.children = self._block(step.otherwise, around)
                node.children = then, otherwise
            case ast.Reverse():
                node = self._node('reverse', step.place, around, step, name)
                node.children, node.block = tuple(block[-1:]), block
                if step.target:
                    node.children = (self._callee(step.target, around, around.scaling),)
        return node

    def _run(self, step: ast.Run, name: str, around: Around) -> ProgramNode:
        inner, beta = around.scaled(step.scale)
        node = self._node('run', step.place, inner, step, name)
        if step.guard:
            # A step counts its own time: its ``t`` is not that of the element around it.
            timed = replace(around.scope, frame=next(self._frames))
            node.guards = around._replace(scope=timed).guards([step.guard])
        node.timer, node.timeout = around.timer(step.timeout, beta), step.timeout
        node.loop = step.times
        if step.call:
            outer = around if node.is_bare else inner
            node.children = (self._callee(step.call, inner, outer.scaling, beta),)
        else:
            node.children = self._block(step.steps, inner)
        node.reactions = tuple(self._beside(node, around))
        return node
