"""What an unfolded program consists of: elements that run, guards, and what answers a cause."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from walking_robots.mdle.analysis.dependence import reads
from walking_robots.mdle.analysis.implication import Clauses, clauses_of
from walking_robots.mdle.analysis.intervals import Interval, point
from walking_robots.mdle.analysis.ranges import value_of
from walking_robots.mdle.analysis.scopes import Scope, truth
from walking_robots.mdle.knowledge.names import spelled
from walking_robots.mdle.language.ast import (
    Action,
    Filter,
    Guard,
    Interrupt,
    Loop,
    Place,
    Run,
    Timeout,
)
from walking_robots.mdle.language.expression_printer import format_expression

__all__ = ['ONE', 'Aside', 'Node', 'Watch', 'calls_one']

ONE = point(1.0)
"""The factor that changes nothing."""


@dataclass(eq=False)
class Watch:
    """A guard with what its names mean.

    own: whether it stands in the program itself; default: whether it is the executor's, and stands
    nowhere; found: what checks found of it before.
    """

    guard: Guard
    scope: Scope
    own: bool
    default: bool = False
    found: dict[str, Any] = field(default_factory=dict)

    @property
    def stands_back(self) -> bool:
        """Whether it leaves a contact to guards within that watch for one (mdle.md §4.7)."""
        return self.default and self.guard.action is not None

    @cached_property
    def state(self) -> Interval:
        """Whether it is true, as far as the ranges of the channels tell."""
        return truth(value_of(self.guard.condition, self.scope))

    @cached_property
    def reads(self) -> frozenset[str]:
        """What it reads that changes."""
        return reads(self.guard.condition, self.scope)

    @cached_property
    def interrupt(self) -> Interrupt | None:
        """The interrupt that it consists of."""
        parts = spelled(self.guard.condition)
        if not parts or parts[0] in self.scope.variables:
            return None
        found = self.scope.names.find(*parts)
        return found.element if found and isinstance(found.element, Interrupt) else None

    @property
    def filters(self) -> tuple[Filter, ...]:
        """The filters of that interrupt."""
        return self.interrupt.filters if self.interrupt else ()

    @cached_property
    def given(self) -> Clauses:
        """The condition as what implies others."""
        return clauses_of(self.guard.condition, self.scope, given=True)

    @cached_property
    def implied(self) -> Clauses:
        """The condition as what is implied by others."""
        return clauses_of(self.guard.condition, self.scope, given=False)

    @property
    def text(self) -> str:
        """The condition as it is written."""
        return format_expression(self.guard.condition)


@dataclass(eq=False, slots=True)
class Aside:
    """An element that runs because of a cause, or at the end.

    about: the guard, if one; action: that is written for the cause, None at the end.
    """

    node: 'Node'
    kind: Literal['handler', 'action', 'finally']
    about: 'Watch | str'
    action: Action | None = None


@dataclass(eq=False)
class Node:
    """Something that runs.

    kind: 'run' is a step with what it calls, or its steps, as children; name: its part of the
    path; own: whether it stands in the program itself; watches: guards, in the order tested;
    timer: what its timer is set to, None where there is none; alpha: factors of the control;
    beta: of time; asides: what handlers, actions and ``finally`` run; found: what checks found of
    it before.
    """

    kind: Literal[
        'atom', 'external', 'encapsulation', 'run', 'parallel', 'choice', 'reverse', 'unknown'
    ]
    place: Place
    own: bool
    scope: Scope
    source: Any = None
    name: str = ''
    children: tuple['Node', ...] = ()
    watches: tuple[Watch, ...] = ()
    timer: Interval | None = None
    timeout: Timeout | None = None
    loop: Loop | None = None
    alpha: tuple[Interval, ...] | None = None
    beta: Interval = ONE
    asides: tuple[Aside, ...] = ()
    block: Sequence['Node'] = ()
    found: dict[str, Any] = field(default_factory=dict)

    @property
    def limit(self) -> float:
        """The time after which its timer ends it at the latest, s."""
        return self.timer.high if self.timer else float('inf')

    def steps(self) -> Iterator['Node']:
        """Give what it consists of, asides included."""
        yield from self.children
        yield from (aside.node for aside in self.asides)


def calls_one(node: Node) -> bool:
    """Tell whether a node is a step that runs an element, not a group of steps."""
    return isinstance(node.source, Run) and node.source.call is not None
