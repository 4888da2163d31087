"""Unfold a program into the elements that run, each with its values (mdle.md §4.5).

A node is shared where an element runs again with the same values, so that the tree of a program
is no larger than the program, unless its values differ.
"""

from collections.abc import Hashable, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, Literal, NamedTuple

from walking_robots.mdle.analysis.check_context import CheckContext
from walking_robots.mdle.analysis.control_flow import FlowNode
from walking_robots.mdle.analysis.inlining import ANY_VALUE, Scope
from walking_robots.mdle.analysis.program_node import (
    ONE,
    UNSCALED,
    Kind,
    Reaction,
    Scaling,
    ScopedGuard,
)
from walking_robots.mdle.analysis.references import arguments_of, outputs_of
from walking_robots.mdle.analysis.values import ValueInterval, as_number, number, product, value_of
from walking_robots.mdle.knowledge.elements import PythonAtom
from walking_robots.mdle.knowledge.names import Found, Names, names_of, spelled
from walking_robots.mdle.language import ast

DEEPEST = 50
"""Levels of steps and elements within each other that are followed."""

MOST_NODES = 20_000
"""Nodes that differ by their values; from there on values count as unknown."""


class Around(NamedTuple):
    """What surrounds a step: what its names mean, whose they are, and the scales."""

    scope: Scope
    own: bool
    scaling: Scaling = UNSCALED

    def timer(self, timeout: ast.Timeout | None, beta: ValueInterval) -> ValueInterval | None:
        """Return the time of a timer, s, scaled."""
        return product(number(timeout.duration, self.scope), beta) if timeout else None

    def guards(self, guards: Sequence[ast.Guard]) -> tuple[ScopedGuard, ...]:
        """Return guards with what their names mean."""
        return tuple(ScopedGuard(guard, self.scope, self.own) for guard in guards)

    def scaled(self, scale: ast.Scale | None) -> tuple['Around', ValueInterval]:
        """Return what surrounds the content of a step with a scale, and its factor of time."""
        if scale is None:
            return self, ONE
        alpha = tuple(number(factor, self.scope) for factor in scale.alpha)
        low, high = number(scale.beta, self.scope) if scale.beta else ONE
        beta = ValueInterval(max(0.0, low), max(0.0, high))
        place = scale.place if self.own else ast.NOWHERE
        return self._replace(scaling=self.scaling.times(alpha, beta, place)), beta


class Expander:
    """Unfolds elements; equal nodes are made once.

    folds: whether arguments are computed where they are known.
    """

    def __init__(self, context: CheckContext, folds: bool = True) -> None:
        self.context, self.folds = context, folds
        self._made: dict[Hashable, FlowNode] = {}
        self._frames = count(1)
        self._open: list[int] = []
        self._depth = 0

    def entry(self, found: Found, arguments: Sequence[ast.Argument] = ()) -> FlowNode:
        """Return an element with arguments in the program's words, else with its defaults."""
        scope = self._scope(self.context.names if arguments else found.names, {})
        return self._element(found, scope.entered(found, arguments))

    def generic(self, found: Found) -> FlowNode:
        """Return an element with parameters of which nothing is known."""
        parameters = getattr(found.element, 'parameters', ())
        return self._element(found, {p.name: ANY_VALUE for p in parameters})

    def _scope(self, names: Names, variables: dict[str, Any]) -> Scope:
        return Scope(names, self.context.robot, variables, next(self._frames))

    def _element(
        self,
        found: Found,
        variables: dict[str, Any],
        scaling: Scaling = UNSCALED,
        outer: Scaling = UNSCALED,
        beta: ValueInterval = ONE,
    ) -> FlowNode:
        """Return an element.

        scaling: the scales around it; outer: those around what answers its actions; beta: the
        factor of time written on it directly, which alone stretches the timer of a container.
        """
        element, names = found
        if len(self._made) > MOST_NODES:
            variables = dict.fromkeys(variables, ANY_VALUE)
        if self.folds:
            variables = {name: self._folded(item) for name, item in variables.items()}
        key = (id(element), tuple(variables.items()), scaling, outer, beta)
        made = self._made.get(key)
        if made and self._depth + made.height <= DEEPEST:
            return made
        # Outputs of steps are not known, and hide parameters and constants of the same name.
        hidden = outputs_of(getattr(element, 'steps', ()), names)
        variables |= {name: ANY_VALUE for name, _ in hidden}
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
        return node

    def _folded(self, variable: Any) -> Any:
        """Return the number that a variable is; what is no known number as it is."""
        value = as_number(value_of(variable, self.context.robot))
        return ast.Number(value.low) if value.known else variable

    def _node(
        self, kind: Kind, place: ast.Place, around: Around, source: Any = None, name: str = ''
    ) -> FlowNode:
        own, scope, scaling = around.own, around.scope, around.scaling
        return FlowNode(kind, place, own, scope, self.context, source, name, scaling=scaling)

    def _fill(
        self,
        node: FlowNode,
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

    def _beside(self, node: FlowNode, around: Around) -> list[Reaction]:
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

    def _called(self, call: ast.Expression, around: Around) -> FlowNode:
        """Return the step that a call in a handler, action or ``finally`` is."""
        return self._run(ast.Run(call, place=call.place), '.'.join(spelled(call)), around)

    def _callee(
        self, call: ast.Expression, around: Around, outer: Scaling, beta: ValueInterval = ONE
    ) -> FlowNode:
        found = around.scope.names.called(call)
        if found and isinstance(found.element, ast.Atom | ast.Encapsulation | PythonAtom):
            variables = around.scope.entered(found, arguments_of(call))
            return self._element(found, variables, around.scaling, outer, beta)
        return self._node('unknown', call.place, around)

    def _block(self, steps: tuple[ast.Step, ...], around: Around) -> tuple[FlowNode, ...]:
        if self._depth >= DEEPEST:
            return (self._node('unknown', steps[0].place, around),) if steps else ()
        self._depth += 1
        nodes: list[FlowNode] = []
        for step, name in zip(steps, names_of(steps), strict=True):
            nodes.append(self._step(step, name, around, nodes))
        self._depth -= 1
        return tuple(nodes)

    def _step(
        self, step: ast.Step, name: str, around: Around, before: Sequence[FlowNode]
    ) -> FlowNode:
        """Return a step; before: the steps before it."""
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
                node.children = tuple(before[-1:])
                if step.target:
                    node.children = (self._callee(step.target, around, around.scaling),)
        return node

    def _run(self, step: ast.Run, name: str, around: Around) -> FlowNode:
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
