"""What is certainly written along the ways through the steps of an element (mdle.md §4.12).

An atom of the language gives its outputs however it ends, but where a timer certainly leaves it no
time, so that it is passed over (mdle.md §4.8). What else is ended from outside gives none, nor
does anything that a guard around it ends before it was entered.
"""

from collections.abc import Iterable, Sequence

from walking_robots.mdle.analysis.arguments import arguments_of
from walking_robots.mdle.analysis.courses import passes
from walking_robots.mdle.analysis.facts import Facts
from walking_robots.mdle.analysis.failing import may_fail
from walking_robots.mdle.analysis.ledger import Site
from walking_robots.mdle.analysis.parts import outputs_of, outputs_of_run, parts_of
from walking_robots.mdle.analysis.ranges import bind, value_of
from walking_robots.mdle.analysis.scopes import Bound, Scope, number
from walking_robots.mdle.knowledge.names import Names, spelled
from walking_robots.mdle.language.ast import (
    Action,
    Atom,
    Call,
    Condition,
    Encapsulation,
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

__all__ = ['Flow']

Written = frozenset[str]
NOTHING: Written = frozenset()


class Flow:
    """The ways through the steps of one element."""

    def __init__(self, element: Encapsulation, facts: Facts, names: Names, site: Site) -> None:
        """Look at one element of these names."""
        self.element, self.facts, self.names, self.site = element, facts, names, site
        parameters = {parameter.name for parameter in element.parameters}
        outputs = {name for name, _ in outputs_of(element.steps, names)}
        self.possible = outputs - parameters
        self.scope = Scope(names, facts.robot, dict.fromkeys(parameters | outputs, Bound()))
        self.still = False
        answers = [h.action for h in element.handlers if h.cause.kind != 'fault']
        answers = [action for action in answers if passes(action)]
        self.goes_on = any(_last(action) == 'next' for action in answers)
        ends = [guard.action for guard in element.guards]
        ends.append(element.timeout.action if element.timeout else Action('next'))
        own = any(action is None or not passes(action) for action in ends)
        self.cut = any(own or _last(action) == 'done' for action in answers)

    def whole(self) -> Written:
        """Follow all steps; gives what is written however the element ends, but by a failure."""
        element = self.element
        after = self.block(element.steps, NOTHING, element.name)
        if _leaves_no_time(element.timeout, self.scope):
            return NOTHING
        if self.cut or _may_pass(element.guards) or _may_skip(element.loop):
            return NOTHING
        if element.timeout and element.timeout.action and passes(element.timeout.action):
            return self._at_once(element.steps[0])
        return after

    def read(self, expression: Expression, known: Written, path: str) -> None:
        """Check the names in an expression against what is certainly written."""
        for part in parts_of(expression):
            name = spelled(part)[:1] if not isinstance(part, Call) else ()
            if name and name[0] in self.possible - known:
                text = f"'{name[0]}' may be unset here (path {path})"
                hint = "run the step that gives it before, on every way; an 'until' that ends it"
                hint += " may do so before it begins: write '=> fail'"
                self.facts.ledger.add(self.site, 'E204', part.place, text, hint)

    def block(self, steps: Sequence[Step], known: Written, path: str) -> Written:
        """Follow steps in order; gives what is written after the last."""
        for step in steps:
            after = self._step(step, known, path)
            if self.goes_on and after != known and may_fail(step, self.names):
                # A handler answers the failure, and the next step follows.
                after = known | self._at_once(step)
            known = after
        return known

    def _step(self, step: Step, known: Written, path: str) -> Written:
        if isinstance(step, Run):
            return self._run(step, known, path)
        if isinstance(step, Parallel):
            inside = f'{path} -> par {step.mode}'
            ends = [self._step(child, known, inside) for child in step.steps]
            return known.union(*ends) if step.mode == 'all' else frozenset.intersection(*ends)
        if isinstance(step, Condition):
            self.read(step.condition, known, path)
            then = self.block(step.then, known, f'{path} -> if')
            return then & self.block(step.otherwise, known, f'{path} -> else')
        if isinstance(step, Reverse) and step.target:
            self._arguments(step.target, known, path)
        return known

    def _run(self, step: Run, known: Written, path: str) -> Written:
        conditions = [step.guard.condition] if step.guard else []
        conditions += [step.timeout.duration] if step.timeout else []
        if step.scale:
            conditions += [*step.scale.alpha, *([step.scale.beta] if step.scale.beta else [])]
        for expression in conditions:
            self.read(expression, known, path)
        around = self.still
        # The time of a scale is that of the timers of all atoms in it.
        self.still = around or self._stands_still(step.scale)
        if step.call:
            self._arguments(step.call, known, path)
            after = known | self._given(step)
        else:
            after = self.block(step.steps, known, path)
        self.still = around
        if _leaves_no_time(step.timeout, self.scope):
            return known
        if (step.guard and passes(step.guard.action)) or _may_skip(step.times):
            return known
        if self._goes_on_late(step.timeout, step):
            return known | self._at_once(step)
        return after

    def _goes_on_late(self, timeout: Timeout | None, step: Run) -> bool:
        """Tell whether the next step follows when the timer of a step is up."""
        if timeout is None:
            return False
        if timeout.action:
            return passes(timeout.action)
        found = self.names.called(step.call) if step.call else None
        return found is not None and not isinstance(found.element, Encapsulation)

    def _arguments(self, call: Expression, known: Written, path: str) -> None:
        if isinstance(call, Call):
            for argument in call.arguments:
                self.read(argument.value, known, path)

    def _called(self, step: Run) -> Atom | None:
        """Give the atom of the language that a step runs."""
        found = self.names.called(step.call) if step.call else None
        return found.element if found and isinstance(found.element, Atom) else None

    def _given(self, step: Run) -> Written:
        """Give what an element writes that is run to its end."""
        found = self.names.called(step.call) if step.call else None
        if step.call and found and isinstance(found.element, Atom | Encapsulation):
            timeout, given = found.element.timeout, arguments_of(step.call)
            still = self.still or self._stands_still(step.scale)
            if timeout and still and isinstance(found.element, Atom):
                return NOTHING
            variables = bind(found.element.parameters, given, self.scope, found.names)
            if _leaves_no_time(timeout, Scope(found.names, self.facts.robot, variables)):
                return NOTHING
        return frozenset(name for name, _ in outputs_of_run(step, self.names))

    def _stands_still(self, scale: Scale | None) -> bool:
        """Tell whether a scale certainly leaves no time."""
        beta = scale.beta if scale else None
        return beta is not None and _is_none(beta, self.scope)

    def _at_once(self, step: Step) -> Written:
        """Give what is written even if a step is left as soon as it was entered."""
        if not isinstance(step, Run) or (step.guard and passes(step.guard.action)):
            return NOTHING
        if step.steps:
            first = step.steps[0]
            bare = isinstance(first, Run) and not (first.guard or first.timeout or first.times)
            return self._at_once(first) if bare else NOTHING
        return self._given(step) if self._called(step) else NOTHING


def _leaves_no_time(timeout: Timeout | None, scope: Scope) -> bool:
    """Tell whether a timer is certainly up at once, whatever it does then."""
    return timeout is not None and _is_none(timeout.duration, scope)


def _is_none(expression: Expression, scope: Scope) -> bool:
    return number(value_of(expression, scope)).high <= 0.0


def _may_pass(guards: Iterable[Guard]) -> bool:
    return any(passes(guard.action) for guard in guards)


def _may_skip(loop: Loop | None) -> bool:
    """Tell whether there may be no round at all."""
    return loop is not None and loop.kind == 'while'


def _last(action: Action) -> str:
    """Give what is done at the end of an action; '' after what it runs is to go on."""
    *_, last = action.parts()
    kind = last.kind
    return 'next' if kind == 'run' else kind
