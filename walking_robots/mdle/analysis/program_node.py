"""What a program is unfolded into: its elements and steps, each with its values (mdle.md §4.5)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeVar

from walking_robots.mdle.analysis.check_context import CheckContext
from walking_robots.mdle.analysis.implication import normal
from walking_robots.mdle.analysis.inlining import Scope, reads
from walking_robots.mdle.analysis.values import ValueInterval, point, product, truth, value_of
from walking_robots.mdle.language import ast
from walking_robots.mdle.language.expression_printer import format_expression

Kind = Literal[
    'atom', 'external', 'encapsulation', 'run', 'parallel', 'choice', 'reverse', 'unknown'
]

ONE = point(1.0)


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
    scope: Scope
    own: bool
    default: bool = False

    @cached_property
    def condition(self) -> Any:
        """The condition with its names replaced."""
        return self.scope.inlined(self.guard.condition)

    @cached_property
    def state(self) -> ValueInterval:
        """Whether it is true, as far as the ranges of the channels decide that."""
        return truth(value_of(self.condition, self.scope.robot))

    @cached_property
    def reads(self) -> frozenset[str]:
        """What it reads that changes."""
        return reads(self.condition, self.scope.robot)

    @cached_property
    def interrupt(self) -> ast.Interrupt | None:
        """The interrupt that it consists of."""
        found = self.scope.called(self.guard.condition)
        return found.element if found and isinstance(found.element, ast.Interrupt) else None

    @cached_property
    def normal(self) -> Any:
        """The condition as comparisons joined by ``and`` and ``or``."""
        return normal(self.condition, self.scope.robot, self.scope.frame)

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

    node: Any
    kind: Literal['handler', 'action', 'finally']
    about: ScopedGuard | ast.Cause | None
    action: ast.Action | None = None


@dataclass(eq=False)
class ProgramNode:
    """Something that runs.

    kind: 'run' is a step with what it calls, or its steps, as children; name: its part of the
    path; own: whether it stands in the program itself; guards: in the order tested; timer: its
    timer in s, scaled, None without one; loop: how often its children run; scaling: of what is in
    it; reactions: what handlers, actions and ``finally`` run; control: what
    `motion.control_parts` found.
    """

    kind: Kind
    place: ast.Place
    own: bool
    scope: Scope
    context: CheckContext
    source: Any = None
    name: str = ''
    children: tuple['ProgramNode', ...] = ()
    guards: tuple[ScopedGuard, ...] = ()
    timer: ValueInterval | None = None
    timeout: ast.Timeout | None = None
    loop: ast.Loop | None = None
    scaling: Scaling = UNSCALED
    reactions: tuple[Reaction, ...] = ()
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

    def steps(self) -> Iterator[Any]:
        """Yield what it consists of, reactions included."""
        yield from self.children
        yield from (reaction.node for reaction in self.reactions)


AnyNode = TypeVar('AnyNode', bound=ProgramNode)


def all_nodes(root: AnyNode) -> Iterator[AnyNode]:
    """Yield an element and all children in it, each once, in the order written."""
    waiting: list[Any] = [root]
    seen = set[int]()
    while waiting:
        node = waiting.pop()
        if id(node) not in seen:
            seen.add(id(node))
            yield node
            waiting += reversed(node.children)


def leaves(root: AnyNode) -> Iterator[AnyNode]:
    """Yield the atoms in an element, each once."""
    return (node for node in all_nodes(root) if node.kind in ('atom', 'external'))
