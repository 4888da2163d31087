"""Unfold a program into the elements that run, each with its values (mdle.md §4.5).

A node is shared where an element runs again with the same values, so that the tree of a program
is no larger than the program, unless its values differ.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from itertools import count
from typing import Any, Literal, NamedTuple, ParamSpec, TypeVar, cast

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
from walking_robots.mdle.knowledge.names import Found, Names, spelled
from walking_robots.mdle.language.ast import (
    NOWHERE,
    Action,
    Atom,
    Cause,
    Condition,
    Encapsulation,
    Expression,
    Guard,
    Handler,
    Interrupt,
    Loop,
    Parallel,
    Place,
    Reverse,
    Run,
    Scale,
    Step,
    Timeout,
)
from walking_robots.mdle.language.expression_printer import format_expression
from walking_robots.mdle.runtime.shape import names_of

P = ParamSpec('P')
T = TypeVar('T')

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
    place: Place = NOWHERE

    def times(
        self, alpha: Sequence[ValueInterval], beta: ValueInterval, place: Place
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

    guard: Guard
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
    def interrupt(self) -> Interrupt | None:
        """The interrupt that it consists of."""
        found = self.scope.called(self.guard.condition)
        return found.element if found and isinstance(found.element, Interrupt) else None

    @cached_property
    def clauses(self) -> Clauses:
        """The condition as alternatives of comparisons."""
        return clauses_of(self.guard.condition, self.scope)

    @property
    def place(self) -> Place:
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
    about: ScopedGuard | Cause | None
    action: Action | None = None


@dataclass(eq=False)
class ProgramNode:
    """Something that runs.

    kind: 'run' is a step with what it calls, or its steps, as children; name: its part of the
    path; own: whether it stands in the program itself; guards: in the order tested; timer: its
    timer in s, scaled, None without one; loop: how often its children run; scaling: of what is in
    it; reactions: what handlers, actions and ``finally`` run; block: the steps it stands among, of
    ``reverse``; found: results of checks.
    """

    kind: Literal[
        'atom', 'external', 'encapsulation', 'run', 'parallel', 'choice', 'reverse', 'unknown'
    ]
    place: Place
    own: bool
    scope: ValueScope
    source: Any = None
    name: str = ''
    children: tuple['ProgramNode', ...] = ()
    guards: tuple[ScopedGuard, ...] = ()
    timer: ValueInterval | None = None
    timeout: Timeout | None = None
    loop: Loop | None = None
    scaling: Scaling = UNSCALED
    reactions: tuple[Reaction, ...] = ()
    block: Sequence['ProgramNode'] = ()
    found: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def calls_one(self) -> bool:
        """Whether it is a step that runs an element, not a group of steps."""
        return isinstance(self.source, Run) and self.source.call is not None

    @cached_property
    def is_bare(self) -> bool:
        """Whether it is a step without modifiers; its container answers for its element."""
        step = self.source
        return self.calls_one and not (step.guard or step.timeout or step.times)

    @property
    def handlers(self) -> tuple[Handler, ...]:
        """The handlers of a behavior or a plan."""
        return self.source.handlers if isinstance(self.source, Encapsulation) else ()

    @cached_property
    def actions(self) -> list[Action]:
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


def once_per_node(function: Callable[P, T]) -> Callable[P, T]:
    """Make a function whose last argument is a node compute its result once for each node."""
    name = function.__qualname__

    @wraps(function)
    def kept(*args: P.args, **kwargs: P.kwargs) -> T:
        found = cast(ProgramNode, args[-1]).found
        if name not in found:
            found[name] = function(*args, **kwargs)
        result: T = found[name]
        return result

    return kept


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

    def entry(self, found: Found, call: Expression | None = None) -> ProgramNode:
        """Return an element with the arguments of a call, written in the program, or defaults."""
        element, names = found
        scope = self._scope(self.context.names if call else names, {}, 0)
        arguments = arguments_of(call) if call else ()
        parameters = getattr(element, 'parameters', ())
        return self._element(element, names, bind(parameters, arguments, scope, names))

    def generic(self, found: Found) -> ProgramNode:
        """Return an element with parameters of which nothing is known."""
        parameters = getattr(found.element, 'parameters', ())
        unknown = {parameter.name: VariableValue() for parameter in parameters}
        return self._element(found.element, found.names, unknown)

    def _scope(
        self, names: Names, variables: dict[str, VariableValue], frame: int | None = None
    ) -> ValueScope:
        frame = next(self._frames) if frame is None else frame
        return ValueScope(names, self.context.robot, variables, frame=frame, memory=self._memory)

    def _element(
        self,
        element: Any,
        names: Names,
        variables: dict[str, VariableValue],
        scaling: Scaling = UNSCALED,
        outer: Scaling = UNSCALED,
        beta: ValueInterval = ONE,
    ) -> ProgramNode:
        """Return an element.

        scaling: the scales around it; outer: those around what answers its actions; beta: the
        factor of time written on it directly, which alone stretches the timer of a container.
        """
        if len(self._made) > MOST_NODES:
            variables = dict.fromkeys(variables, VariableValue())
        key = (id(element), tuple(variables.items()), scaling, outer, beta)
        made = self._made.get(key)
        if made and self._depth + made.height <= DEEPEST:
            return made
        # Outputs of steps are not known, and hide parameters and constants of the same name.
        for name, _ in outputs_of(getattr(element, 'steps', ()), names):
            variables[name] = VariableValue()
        scope, own = self._scope(names, variables), self.context.is_own(names)
        place = getattr(element, 'place', NOWHERE)
        if id(element) in self._open:
            return ProgramNode('unknown', place, own, scope, element)
        if made or self._depth >= DEEPEST:
            return ProgramNode('unknown', place, own, scope)
        self._open.append(id(element))
        self._depth += 1
        node = ProgramNode('external', place, own, scope, element, element.name, scaling=scaling)
        if not isinstance(element, PythonAtom):
            self._fill(node, element, outer, beta)
        self._depth -= 1
        self._open.pop()
        self._made[key] = node
        self.new.append(node)
        return node

    def _fill(
        self, node: ProgramNode, element: Atom | Encapsulation, outer: Scaling, beta: ValueInterval
    ) -> None:
        """Add what an atom or a container consists of."""
        scope, own = node.scope, node.own
        node.kind = 'atom' if isinstance(element, Atom) else 'encapsulation'
        node.guards = tuple(ScopedGuard(guard, scope, own) for guard in element.guards)
        node.timeout = element.timeout
        node.timer = _timer(
            element.timeout, scope, node.scaling.beta if isinstance(element, Atom) else beta
        )
        reactions = self._beside(node, outer)
        if isinstance(element, Encapsulation):
            node.loop = element.loop
            node.children = self._block(element.steps, scope, own, node.scaling)
            for handler in element.handlers:
                reactions += self._reactions(
                    handler.action, 'handler', handler.cause, node, node.scaling
                )
            for call in element.cleanup:
                cleanup = self._called(call, call.place, scope, own, UNSCALED)
                reactions.append(Reaction(cleanup, 'finally', None))
        node.reactions = tuple(reactions)

    def _beside(self, node: ProgramNode, outer: Scaling) -> list[Reaction]:
        """Return what the actions beside guards and timer run."""
        found: list[Reaction] = []
        for scoped in node.guards:
            found += self._reactions(scoped.guard.action, 'action', scoped, node, outer)
        if node.timeout:
            found += self._reactions(node.timeout.action, 'action', Cause('timeout'), node, outer)
        return found

    def _reactions(
        self,
        action: Action | None,
        kind: Literal['handler', 'action'],
        about: ScopedGuard | Cause,
        node: ProgramNode,
        scaling: Scaling,
    ) -> list[Reaction]:
        return [
            Reaction(
                self._called(part.call, part.place, node.scope, node.own, scaling),
                kind,
                about,
                action,
            )
            for part in (action.parts() if action else ())
            if part.call
        ]

    def _called(
        self, call: Expression, place: Place, scope: ValueScope, own: bool, scaling: Scaling
    ) -> ProgramNode:
        """Return the step that a call in a handler, action or ``finally`` is."""
        self._depth += REACTION
        step = Run(call, place=call.place)
        node = self._run(step, '.'.join(spelled(call)), scope, own, scaling)
        self._depth -= REACTION
        return node

    def _callee(
        self,
        call: Expression,
        scope: ValueScope,
        own: bool,
        scaling: Scaling,
        outer: Scaling,
        beta: ValueInterval = ONE,
    ) -> ProgramNode:
        found = scope.names.called(call)
        if found is None or not isinstance(found.element, Atom | Encapsulation | PythonAtom):
            return ProgramNode('unknown', call.place, own, scope)
        variables = bind(found.element.parameters, arguments_of(call), scope, found.names)
        return self._element(found.element, found.names, variables, scaling, outer, beta)

    def _block(
        self, steps: tuple[Step, ...], scope: ValueScope, own: bool, scaling: Scaling
    ) -> tuple[ProgramNode, ...]:
        if self._depth >= DEEPEST:
            return (ProgramNode('unknown', steps[0].place, own, scope),) if steps else ()
        self._depth += 1
        nodes: list[ProgramNode] = []
        for step, name in zip(steps, names_of(steps), strict=True):
            nodes.append(self._step(step, name, scope, own, scaling, nodes))
        self._depth -= 1
        return tuple(nodes)

    def _step(
        self,
        step: Step,
        name: str,
        scope: ValueScope,
        own: bool,
        scaling: Scaling,
        block: list[ProgramNode],
    ) -> ProgramNode:
        """Return a step; block: the steps before it, to which those behind it are added later."""
        if isinstance(step, Run):
            return self._run(step, name, scope, own, scaling)
        if isinstance(step, Parallel):
            children = self._block(step.steps, scope, own, scaling)
            return ProgramNode('parallel', step.place, own, scope, step, name, children)
        if isinstance(step, Condition):
            children = tuple(
                ProgramNode(
                    'run',
                    step.place,
                    own,
                    scope,
                    children=self._block(steps, scope, own, scaling),
                    scaling=scaling,
                )
                for steps in (step.then, step.otherwise)
            )
            return ProgramNode('choice', step.place, own, scope, step, name, children)
        assert isinstance(step, Reverse)
        children = tuple(block[-1:])
        if step.target:
            children = (self._callee(step.target, scope, own, scaling, scaling),)
        return ProgramNode('reverse', step.place, own, scope, step, name, children, block=block)

    def _run(
        self, step: Run, name: str, scope: ValueScope, own: bool, around: Scaling
    ) -> ProgramNode:
        # A step counts its own time: its ``t`` is not that of the element around it.
        timed = replace(scope, frame=next(self._frames)) if step.guard else scope
        scaling, beta = self._scaled(step.scale, scope, own, around)
        node = ProgramNode(
            'run',
            step.place,
            own,
            scope,
            step,
            name,
            guards=(ScopedGuard(step.guard, timed, own),) if step.guard else (),
            timer=_timer(step.timeout, scope, beta),
            timeout=step.timeout,
            loop=step.times,
            scaling=scaling,
        )
        if step.call:
            outer = around if node.is_bare else scaling
            node.children = (self._callee(step.call, scope, own, scaling, outer, beta),)
        else:
            node.children = self._block(step.steps, scope, own, scaling)
        node.reactions = tuple(self._beside(node, around))
        return node

    def _scaled(
        self, scale: Scale | None, scope: ValueScope, own: bool, around: Scaling
    ) -> tuple[Scaling, ValueInterval]:
        """Return the scales around the content of a step, and its own factor of time."""
        if scale is None:
            return around, ONE
        alpha = tuple(number(value_of(factor, scope)) for factor in scale.alpha)
        low, high = number(value_of(scale.beta, scope)) if scale.beta else ONE
        beta = ValueInterval(max(0.0, low), max(0.0, high))
        return around.times(alpha, beta, scale.place if own else NOWHERE), beta


def _timer(
    timeout: Timeout | None, scope: ValueScope, beta: ValueInterval
) -> ValueInterval | None:
    return product(number(value_of(timeout.duration, scope)), beta) if timeout else None
