"""Make steps, and what ends them, from their tokens; called by the parser, rule by rule."""

from dataclasses import replace

from lark import Token

from walking_robots.mdle.language.ast import (
    Action,
    Cause,
    Condition,
    Expression,
    Guard,
    Loop,
    Parallel,
    Reverse,
    Run,
    Scale,
    Step,
    Timeout,
)
from walking_robots.mdle.language.tokens import place_of
from walking_robots.mdle.language.values import Children, Values, count_of, text_of


class Steps(Values):
    """Steps, guards, timers, actions and causes, besides expressions."""

    def until(self, children: Children) -> Guard:
        """Take a guard."""
        return Guard(children[1], children[2], place=place_of(children[0]))

    def timeout(self, children: Children) -> Timeout:
        """Take a timer."""
        return Timeout(children[1], children[2], place=place_of(children[0]))

    def consequence(self, children: Children) -> Action | None:
        """Take an action, or none."""
        return children[1] if children else None

    def plain_cause(self, children: Children) -> Cause:
        """Take a cause that is one word."""
        return Cause(children[0].value)

    def fail_cause(self, children: Children) -> Cause:
        """Take a failure with its text."""
        return Cause('fail', text_of(children[2]))

    def interrupt_cause(self, children: Children) -> Cause:
        """Take a named interrupt."""
        return Cause('interrupt', children[2].value)

    def plain_action(self, children: Children) -> Action:
        """Take an action that is one word."""
        return Action(children[0].value, place=place_of(children[0]))

    def fail_action(self, children: Children) -> Action:
        """Take a failure with its text."""
        return Action('fail', text_of(children[1]), place=place_of(children[0]))

    def retry_action(self, children: Children) -> Action:
        """Take another try."""
        return Action('retry', count=count_of(children[1]), place=place_of(children[0]))

    def run_action(self, children: Children) -> Action:
        """Take an element to run, and what follows it."""
        then = children[3] if len(children) > 3 else None
        return Action('run', call=children[1], then=then, place=place_of(children[0]))

    def block(self, children: Children) -> tuple[Step, ...]:
        """Take steps in braces."""
        return tuple(children[1:-1:2])

    def assigned_step(self, children: Children) -> Run:
        """Take a step whose output gets a name."""
        run: Run = children[2]
        return replace(run, output=children[0].value, place=place_of(children[0]))

    def labelled_step(self, children: Children) -> Step:
        """Take a step with a label."""
        step: Step = children[2]
        return replace(step, label=children[0].value, place=place_of(children[0]))

    def run(self, children: Children) -> Run:
        """Take a step that runs something."""
        scale = children[0] if isinstance(children[0], Scale) else None
        (token, call, steps), guard, timeout, times = children[-4:]
        place = scale.place if scale else place_of(token) if token else call.place
        return Run(call, steps, '', '', scale, guard, timeout, times, place=place)

    def scale(self, children: Children) -> Scale:
        """Take the factors before a step."""
        beta = children[3] if len(children) > 3 else None
        return Scale(children[1], beta, place=place_of(children[0]))

    def element(self, children: Children) -> tuple[None, Expression, tuple[Step, ...]]:
        """Take the element that a step runs."""
        return None, children[0], ()

    def step_group(self, children: Children) -> tuple[Token, None, tuple[Step, ...]]:
        """Take steps in parentheses."""
        return children[0], None, tuple(children[1:-1:2])

    def until_modifier(self, children: Children) -> Guard | None:
        """Take the guard of a step, or none."""
        return children[0] if children else None

    def timeout_modifier(self, children: Children) -> Timeout | None:
        """Take the timer of a step, or none."""
        return children[0] if children else None

    def times_modifier(self, children: Children) -> Loop | None:
        """Take the repetitions of a step, or none."""
        return replace(children[1], place=place_of(children[0])) if children else None

    def forever(self, children: Children) -> Loop:
        """Take a loop without end."""
        return Loop('forever', place=place_of(children[0]))

    def counted(self, children: Children) -> Loop:
        """Take a loop that counts."""
        return Loop('count', count_of(children[0]), place=place_of(children[0]))

    def as_long(self, children: Children) -> Loop:
        """Take a loop with a condition."""
        return Loop('while', condition=children[1], place=place_of(children[0]))

    def parallel(self, children: Children) -> Parallel:
        """Take steps at the same time."""
        return Parallel(children[1].value, children[2], place=place_of(children[0]))

    def condition(self, children: Children) -> Condition:
        """Take a choice."""
        otherwise = children[4] if len(children) > 4 else ()
        return Condition(children[1], children[2], otherwise, place=place_of(children[0]))

    def reverse(self, children: Children) -> Reverse:
        """Take a way back."""
        target = None if isinstance(children[1], Token) else children[1]
        return Reverse(target, place=place_of(children[0]))
