"""What the ending of an element leads to: cause x action x level (mdle.md §4.7, §4.8, §4.14).

One table, which the executor and the analysis both read. An ending is answered where the first of
these applies:

1. by the action written beside the guard or timer that caused it (`AnswerBy.BESIDE`): the
   container around the element acts. Only ``fail`` of a container's own guard or timer is seen by
   the handlers of that container first;
2. by a handler: of the container itself for its own guard or timer (`AnswerBy.OWN`), then of the
   container around for what ended in it (`AnswerBy.HANDLER`), see `handles`;
3. by the default of the cause (`consequence` without an action).

What ``run H then X`` leads to is, once H has ended, what X leads to in the same place.
"""

from collections.abc import Container, Mapping
from enum import Enum
from typing import Literal

from walking_robots.mdle.language.ast import Action, Cause

CauseKind = Literal['done', 'interrupt', 'timeout', 'fail', 'fault', 'canceled', 'preempted']
Level = Literal['atom', 'container']
"""A step with one element has the level of that element; all else that has steps is a container:
a group in parentheses, a behavior, a plan, ``par``, ``if``. A behavior and a plan differ in
nothing but the executor's own guard on contact (mdle.md §4.7)."""


class AnswerBy(Enum):
    """Where the action stands that answers an ending."""

    BESIDE = 'beside the guard or timer of the element that ended'
    HANDLER = 'in a handler of the container in which an element ended'
    OWN = 'in a handler of the container that ended by its own guard or timer'


class Consequence(Enum):
    """What follows an ending."""

    NEXT = 'the next step begins'
    WARN = 'the next step begins, after a warning'
    DONE = 'the container ends, done'
    RETRY = 'the element begins again, so many times; then it fails as by `exhausted`'
    RESTART = 'the container begins again with its first step'
    FAIL = 'a failure: the handlers of the container are asked, else it goes up'
    UP = 'the container fails: the handlers of the container around it are asked'
    RUN = 'an element runs first'
    ABORT = 'the program ends by a fault'
    STOP = 'the robot stops and the program ends; handlers of faults and `finally` may not drive'


_WRITTEN: Mapping[str, tuple[Consequence, Consequence, Consequence]] = {
    # action: beside it, in a handler for a child, in a handler for the container itself
    'next': (Consequence.NEXT, Consequence.NEXT, Consequence.DONE),
    'done': (Consequence.NEXT, Consequence.DONE, Consequence.DONE),
    'fail': (Consequence.FAIL, Consequence.UP, Consequence.UP),
    'retry': (Consequence.RETRY, Consequence.RETRY, Consequence.RETRY),
    'restart': (Consequence.RESTART, Consequence.RESTART, Consequence.RESTART),
    'abort': (Consequence.ABORT, Consequence.ABORT, Consequence.ABORT),
    'run': (Consequence.RUN, Consequence.RUN, Consequence.RUN),
}
_COLUMNS = {AnswerBy.BESIDE: 0, AnswerBy.HANDLER: 1, AnswerBy.OWN: 2}

_DEFAULT: Mapping[CauseKind, tuple[Consequence, Consequence]] = {
    # cause: of an atom, of a container
    'done': (Consequence.NEXT, Consequence.NEXT),
    'interrupt': (Consequence.NEXT, Consequence.NEXT),
    'timeout': (Consequence.WARN, Consequence.FAIL),
    'fail': (Consequence.FAIL, Consequence.FAIL),
    'fault': (Consequence.STOP, Consequence.STOP),
    'canceled': (Consequence.STOP, Consequence.STOP),
    'preempted': (Consequence.STOP, Consequence.STOP),
}


def consequence(
    cause: CauseKind,
    action: Action | None = None,
    level: Level = 'container',
    answer: AnswerBy = AnswerBy.BESIDE,
) -> Consequence:
    """Return what follows an ending by a cause, with the action that answers it, if any.

    level: of the element that ended; it matters only where no action is written.
    """
    if action is None:
        return _DEFAULT[cause][level == 'container']
    return _WRITTEN[action.kind][_COLUMNS[answer]]


def exhausted(answer: AnswerBy) -> Consequence:
    """Return what follows where all tries of ``retry`` are used up: the same as of ``fail``.

    The failure keeps its name, see `failure_name`.
    """
    return _WRITTEN['fail'][_COLUMNS[answer]]


def failure_name(cause: CauseKind, name: str, text: str, action: Action | None = None) -> str:
    """Return the text of the failure that an ending becomes, which ``on fail("text")`` matches.

    name: of the guard; text: that the ending has already; action: ``fail`` or ``retry``, None
    where a container's timer fails by default.
    """
    if action and action.kind == 'fail':
        return action.text or text or name
    return text or name or ('' if cause == 'fail' else cause)


def is_handled(cause: CauseKind, level: Level) -> bool:
    """Return whether handlers are asked about an ending for which no action is written.

    The timer of an atom is gentle: no handler hears of it (mdle.md §4.14).
    """
    return cause in ('interrupt', 'fail') or (cause == 'timeout' and level == 'container')


def handles(handled: Cause, cause: CauseKind, names: Container[str]) -> bool:
    """Return whether a handler of one cause answers an ending.

    names: the text of a failure, or all names of the interrupt. A timeout that no handler of
    timeouts answers is asked about again, as the failure 'timeout'.
    """
    return handled.kind == cause and (not handled.name or handled.name in names)
