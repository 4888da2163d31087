"""What is answered to the endings of elements: how often they run again, and what runs then."""

from collections.abc import Iterable
from typing import NamedTuple

from walking_robots.mdle.analysis.handlers import failures_of, names_in, watch_name
from walking_robots.mdle.analysis.nodes import Node, calls_one
from walking_robots.mdle.language.ast import Action, Cause, Handler

__all__ = ['Asked', 'OwnHandlers', 'asked_by', 'asked_of', 'is_bare', 'own_handlers']

CONTACT = Cause('fail', 'contact')
"""How the executor's own guard ends the entry (mdle.md §4.7)."""


class Asked(NamedTuple):
    """What actions ask of the container around: to enter the element again, or to begin anew."""

    retries: int = 0
    restart: bool = False


class OwnHandlers(NamedTuple):
    """What a container does about causes of its own that its handlers answer.

    guards: of its guards, which may fire again while what they called runs; timer: of its timer.
    """

    guards: tuple[Action, ...]
    timer: tuple[Action, ...]


def is_bare(node: Node) -> bool:
    """Tell whether a step runs an element as it is, so that its container answers for both."""
    step = node.source
    return calls_one(node) and not (step.guard or step.timeout or step.times)


def asked_of(node: Node) -> Asked:
    """Give what an element asks of the container that runs it, when it ends."""
    if 'asked' not in node.found:
        actions = [watch.guard.action for watch in node.watches]
        actions.append(node.timeout.action if node.timeout else None)
        asked = asked_by(actions)
        within = any(
            asked_of(aside.node).restart for aside in node.asides if aside.kind == 'action'
        )
        element = asked_of(node.children[0]) if calls_one(node) else Asked()
        # A step with a timer, guards or a count of its own enters its element again itself.
        retries = max(asked.retries, element.retries if is_bare(node) else 0)
        restart = asked.restart or within or element.restart
        node.found['asked'] = Asked(retries, restart)
    found: Asked = node.found['asked']
    return found


def asked_by(actions: Iterable[Action | None]) -> Asked:
    """Give what actions, and those that follow them, ask."""
    retries, restart = 0, False
    for action in actions:
        for part in action.parts() if action else ():
            retries = max(retries, part.count if part.kind == 'retry' else 0)
            restart = restart or part.kind == 'restart'
    return Asked(retries, restart)


def own_handlers(node: Node, entry: bool) -> OwnHandlers:
    """Give what a container does about its own causes; ``entry``: the executor guards it too."""
    handlers: tuple[Handler, ...] = getattr(node.source, 'handlers', ())
    causes = {CONTACT} if entry else set()
    for watch in node.watches:
        action = watch.guard.action
        if action is None:
            causes |= {Cause('interrupt', name) for name in names_in(watch)}
        elif action.kind == 'fail':
            causes |= set(failures_of(action, watch_name(watch)))
    by_guard = [handler.action for handler in handlers if _answers(handler.cause, causes)]
    late = set[Cause]()
    if node.timeout and node.timeout.action is None:
        late = {Cause('timeout'), Cause('fail', 'timeout')}
    elif node.timeout:
        late = set(failures_of(node.timeout.action, 'timeout'))
    by_timer = [handler.action for handler in handlers if _answers(handler.cause, late)]
    return OwnHandlers(tuple(by_guard), tuple(by_timer))


def _answers(cause: Cause, causes: set[Cause]) -> bool:
    if cause.kind == 'fail' and not cause.name:
        return any(known.kind == 'fail' for known in causes)
    return cause in causes
