"""A program unfolded from an element: what it runs, with what values (mdle.md §4.5).

A node is shared where an element is run again with the same values, so that the tree of a program
is no larger than the program, unless its values differ.
"""

from collections.abc import Hashable, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, Literal

from walking_robots.mdle.analysis.arguments import arguments_of
from walking_robots.mdle.analysis.facts import Facts
from walking_robots.mdle.analysis.intervals import Interval
from walking_robots.mdle.analysis.nodes import ONE, Aside, Node, Watch
from walking_robots.mdle.analysis.parts import outputs_of
from walking_robots.mdle.analysis.ranges import bind, value_of
from walking_robots.mdle.analysis.scopes import Bound, Scope, number
from walking_robots.mdle.execution.shape import names_of
from walking_robots.mdle.knowledge.elements import PythonAtom
from walking_robots.mdle.knowledge.names import Found, Names, spelled
from walking_robots.mdle.language.ast import (
    Action,
    Argument,
    Atom,
    Condition,
    Encapsulation,
    Expression,
    Parallel,
    Place,
    Reverse,
    Run,
    Step,
    Timeout,
)

__all__ = ['Tree']

DEEPEST = 120
"""Levels of steps and elements within each other that are followed."""

ASIDE = 2
"""Levels that what runs because of a cause counts for, besides those of what it runs."""

MOST_NODES = 20_000
"""Nodes that differ by their values; from there on values count as unknown."""


class Tree:
    """Unfolds elements; nodes are made once and kept."""

    def __init__(self, facts: Facts) -> None:
        """Begin with nothing unfolded."""
        self.facts = facts
        self._made: dict[Hashable, Node] = {}
        self._memory: dict[Hashable, Any] = {}
        self._frames = count(1)
        self._open: list[int] = []
        self.unfolded: set[int] = set()
        self._depth = 0

    def of(self, found: Found, arguments: Sequence[Argument] = ()) -> Node:
        """Unfold an element, with arguments in the program's words, else defaults."""
        element, names = found
        scope = Scope(names, self.facts.robot, {}, memory=self._memory)
        parameters = getattr(element, 'parameters', ())
        outer = replace(scope, names=self.facts.names) if arguments else scope
        return self._element(element, names, bind(parameters, arguments, outer, names))

    def called_by(self, elements: Sequence[Encapsulation | Atom]) -> set[int]:
        """Give the elements of the program that others of it run, by identity."""
        names = self.facts.names
        called = set()
        for element in elements:
            for call in self.facts.calls(element, names):
                found = names.called(call)
                if found and found.element is not element:
                    called.add(id(found.element))
        return called

    def _element(self, element: Any, names: Names, variables: dict[str, Bound]) -> Node:
        if len(self._made) > MOST_NODES:
            variables = dict.fromkeys(variables, Bound())
        key = (id(element), tuple(variables.items()))
        if key in self._made:
            return self._made[key]
        # Outputs of steps are not known, and hide parameters and constants of the same name.
        for name, _ in outputs_of(getattr(element, 'steps', ()), names):
            variables[name] = Bound()
        scope = self._scope(names, variables)
        own = self.facts.is_own(names)
        if id(element) in self._open:
            return Node('unknown', getattr(element, 'place', Place()), own, scope, element)
        if self._depth >= DEEPEST:
            return Node('unknown', getattr(element, 'place', Place()), own, scope)
        self._open.append(id(element))
        self.unfolded.add(id(element))
        self._depth += 1
        node = self._unfold(element, scope, own)
        self._depth -= 1
        self._open.pop()
        self._made[key] = node
        return node

    def _scope(self, names: Names, variables: dict[str, Bound]) -> Scope:
        return Scope(
            names, self.facts.robot, variables, frame=next(self._frames), memory=self._memory
        )

    def _unfold(self, element: Any, scope: Scope, own: bool) -> Node:
        if isinstance(element, PythonAtom):
            return Node('external', Place(), own, scope, element, element.name)
        watches = tuple(Watch(guard, scope, own) for guard in element.guards)
        if isinstance(element, Atom):
            return Node(
                'atom',
                element.place,
                own,
                scope,
                element,
                element.name,
                (),
                watches,
                self._timer(element.timeout, scope),
                element.timeout,
                asides=self._asides(watches, element.timeout, scope, own),
            )
        asides = [*self._asides(watches, element.timeout, scope, own)]
        for handler in element.handlers:
            about = handler.cause.name or handler.cause.kind
            asides += self._actions(handler.action, 'handler', about, scope, own)
        for call in element.cleanup:
            asides.append(Aside(self._call(call, scope, own), 'finally', 'finally'))
        return Node(
            'encapsulation',
            element.place,
            own,
            scope,
            element,
            element.name,
            self._block(element.steps, scope, own),
            watches,
            self._timer(element.timeout, scope),
            element.timeout,
            element.loop,
            asides=tuple(asides),
        )

    def _timer(self, timeout: Timeout | None, scope: Scope) -> Interval | None:
        return number(value_of(timeout.duration, scope)) if timeout else None

    def _asides(
        self, watches: tuple[Watch, ...], timeout: Timeout | None, scope: Scope, own: bool
    ) -> tuple[Aside, ...]:
        found: list[Aside] = []
        for watch in watches:
            found += self._actions(watch.guard.action, 'action', watch, scope, own)
        if timeout:
            found += self._actions(timeout.action, 'action', 'timeout', scope, own)
        return tuple(found)

    def _actions(
        self,
        action: Action | None,
        kind: Literal['handler', 'action'],
        about: Watch | str,
        scope: Scope,
        own: bool,
    ) -> list[Aside]:
        found = []
        for part in action.parts() if action else ():
            if part.call:
                found.append(
                    Aside(self._call(part.call, scope, own, part.place), kind, about, action)
                )
        return found

    def _call(self, call: Expression, scope: Scope, own: bool, place: Place | None = None) -> Node:
        """Give the step that a call is."""
        name = '.'.join(spelled(call))
        self._depth += ASIDE
        node = self._run(Run(call, place=call.place), name, scope, own)
        self._depth -= ASIDE
        return node

    def _callee(self, call: Expression, scope: Scope, own: bool) -> Node:
        parts = spelled(call)
        found = scope.names.find(*parts) if parts else None
        if found is None or not isinstance(found.element, Atom | Encapsulation | PythonAtom):
            return Node('unknown', call.place, own, scope)
        variables = bind(found.element.parameters, arguments_of(call), scope, found.names)
        return self._element(found.element, found.names, variables)

    def _block(self, steps: tuple[Step, ...], scope: Scope, own: bool) -> tuple[Node, ...]:
        nodes: list[Node] = []
        if self._depth >= DEEPEST:
            return (Node('unknown', steps[0].place, own, scope),) if steps else ()
        self._depth += 1
        for step, name in zip(steps, names_of(steps), strict=True):
            nodes.append(self._step(step, name, scope, own, nodes))
        self._depth -= 1
        return tuple(nodes)

    def _step(self, step: Step, name: str, scope: Scope, own: bool, block: list[Node]) -> Node:
        """Unfold a step; block: those before it, to which it and those behind it are added."""
        if isinstance(step, Run):
            return self._run(step, name, scope, own)
        if isinstance(step, Parallel):
            children = self._block(step.steps, scope, own)
            return Node('parallel', step.place, own, scope, step, name, children)
        if isinstance(step, Condition):
            branches = tuple(
                Node('run', step.place, own, scope, None, '', self._block(steps, scope, own))
                for steps in (step.then, step.otherwise)
            )
            return Node('choice', step.place, own, scope, step, name, branches)
        assert isinstance(step, Reverse)
        children = (self._callee(step.target, scope, own),) if step.target else tuple(block[-1:])
        return Node('reverse', step.place, own, scope, step, name, children, block=block)

    def _run(self, step: Run, name: str, scope: Scope, own: bool) -> Node:
        children = (
            (self._callee(step.call, scope, own),)
            if step.call
            else self._block(step.steps, scope, own)
        )
        # A step counts its own time: its ``t`` is not that of the element around it.
        timed = replace(scope, frame=next(self._frames)) if step.guard else scope
        watches = (Watch(step.guard, timed, own),) if step.guard else ()
        scale = step.scale
        return Node(
            'run',
            step.place,
            own,
            scope,
            step,
            name,
            children,
            watches,
            self._timer(step.timeout, scope),
            step.timeout,
            step.times,
            tuple(number(value_of(e, scope)) for e in scale.alpha) if scale else None,
            number(value_of(scale.beta, scope)) if scale and scale.beta else ONE,
            self._asides(watches, step.timeout, scope, own),
        )
