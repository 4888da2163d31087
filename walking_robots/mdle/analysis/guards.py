"""Guards that cannot fire, fire at once, or fire too late (E601, E602, W603, W604, W607)."""

from math import inf

from walking_robots.mdle.analysis.bounds import Bounds
from walking_robots.mdle.analysis.facts import Facts
from walking_robots.mdle.analysis.implication import implies
from walking_robots.mdle.analysis.intervals import FALSE, TRUE
from walking_robots.mdle.analysis.nodes import Watch
from walking_robots.mdle.analysis.ranges import inside, value_of
from walking_robots.mdle.analysis.scopes import Scope, number
from walking_robots.mdle.analysis.visits import Visit
from walking_robots.mdle.analysis.wording import figure, located
from walking_robots.mdle.knowledge.names import spelled
from walking_robots.mdle.language.expression_printer import format_expression
from walking_robots.mdle.profiles import REPORT_DEFAULTS

__all__ = ['check_guards']

SLOWEST = 10.0
"""Ticks that a channel may take to be fresh again without a remark (mdle.md §7)."""


def check_guards(visit: Visit, facts: Facts, bounds: Bounds) -> None:
    """Check the guards of one element where it runs."""
    for index, watch in enumerate(visit.node.watches):
        _check_state(watch, visit, facts)
        _check_filters(watch, visit, facts, bounds)
        _check_periods(watch, visit, facts)
        if watch.state not in (TRUE, FALSE):
            _check_shadow(watch, index, visit, facts)


def _check_state(watch: Watch, visit: Visit, facts: Facts) -> None:
    if watch.state not in (TRUE, FALSE):
        return
    place = watch.guard.condition.place
    why = _why(watch, facts)
    if watch.state == FALSE:
        text = f"'{watch.text}' can never fire{why}"
        facts.ledger.add(visit.site, 'E601', place, text, _remedy(watch), once=True)
    else:
        text = f"'{watch.text}' fires at once{why}"
        facts.ledger.add(visit.site, 'E602', place, text, _remedy(watch), once=True)


def _why(watch: Watch, facts: Facts) -> str:
    """Give the condition and the ranges that decide it."""
    ranges = []
    for name in sorted(watch.reads):
        output = facts.robot.outputs.get(name) if facts.robot else None
        if output and output.type != 'bool':
            ranges.append(f'{name} in [{figure(output.low)}, {figure(output.high)}]')
    written = format_expression(watch.interrupt.condition) if watch.interrupt else ''
    if not written and not ranges:
        return ''
    return f': {written}{" with " if written and ranges else ""}{", ".join(ranges)}'


def _remedy(watch: Watch) -> str:
    """Tell which values of parameters lead to it, where there are any."""
    known = []
    if watch.interrupt and watch.own:
        for name, bound in inside_of(watch).variables.items():
            value = number(bound.value)
            if value.known:
                known.append(f'{name} = {figure(value.low)}')
    return f'change the condition, here {", ".join(known)}' if known else 'change the condition'


def inside_of(watch: Watch) -> Scope:
    """Give the scope of the interrupt that a guard consists of."""
    found = watch.scope.names.find(*spelled(watch.guard.condition))
    assert found
    return inside(found, watch.guard.condition, watch.scope)


def _check_filters(watch: Watch, visit: Visit, facts: Facts, bounds: Bounds) -> None:
    """W604: a filter that waits longer than there is time."""
    waits = [item for item in watch.filters if item.duration]
    if not waits:
        return
    time = bounds.lasting(visit.node, visit.beta, visit.alpha, visit.written).time
    scope = inside_of(watch)
    for item in waits:
        assert item.duration
        wait, longest = number(value_of(item.duration, scope))
        if longest < 0.0 or wait == inf:
            text = f'a {item.kind} of {figure(wait, "s")}: it must be 0 or more, and finite'
            hint = 'write a positive number of seconds'
            facts.ledger.add(visit.site, 'E406', watch.guard.condition.place, text, hint)
        elif wait >= time:
            text = f"'{watch.text}' cannot fire in time: {item.kind} {figure(wait, 's')}"
            text += f' in an element of at most {figure(time, "s")}'
            hint = f'shorten the {item.kind} or give the element more time'
            facts.ledger.add(visit.site, 'W604', watch.guard.condition.place, text, hint)


def _check_periods(watch: Watch, visit: Visit, facts: Facts) -> None:
    """W607: a channel that is fresh too seldom."""
    for name in sorted(watch.reads):
        output = facts.robot.outputs.get(name) if facts.robot else None
        if output and output.period > SLOWEST * facts.tick * (1.0 + 1e-9):
            text = f"guard sees at most {figure(1.0 / output.period)} Hz of '{name}'"
            hint = f'a change is seen up to {figure(output.period, "s")} late: leave room for it'
            # What holds for every guard of a channel is told at the first of them.
            if facts.told_slow.setdefault(name, watch.guard) is watch.guard:
                facts.ledger.add(visit.site, 'W607', watch.guard.condition.place, text, hint)


def _check_shadow(watch: Watch, index: int, visit: Visit, facts: Facts) -> None:
    """W603: an outer guard, or one written before, fires whenever this one would."""
    before = (*(() if visit.masked else visit.outers), *visit.node.watches[:index])
    for outer in before:
        # What reads something else cannot be implied; that is quickly seen.
        related = outer.state != FALSE and outer.reads <= watch.reads and not outer.stands_back
        # The guards that an element has by a profile come after those written there.
        if outer.default and visit.top:
            continue
        if related and implies(watch.given, outer.implied):
            where = f'at {located(outer.guard.condition.place)}'
            if outer.default:
                where = f"of the profile '{REPORT_DEFAULTS}'"
            hint = 'the outermost guard wins, and of equals the first: remove one of them'
            text = f"'{watch.text}' is unreachable, shadowed by '{outer.text}' {where}"
            facts.ledger.add(
                visit.site, 'W603', watch.guard.condition.place, text, hint, once=True
            )
            return
