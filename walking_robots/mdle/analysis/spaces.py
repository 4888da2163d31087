"""Controls that the robot does not take: spaces, limits, durations (E403-E406, W409, E705)."""

import math
from collections.abc import Iterator

from walking_robots.mdle.analysis.facts import Facts
from walking_robots.mdle.analysis.intervals import Interval, product
from walking_robots.mdle.analysis.ledger import Site
from walking_robots.mdle.analysis.motion import Stretch, space_of, stretches
from walking_robots.mdle.analysis.nodes import Node
from walking_robots.mdle.analysis.visits import Visit
from walking_robots.mdle.analysis.wording import figure
from walking_robots.mdle.language.ast import Place
from walking_robots.mdle.language.ast import Segments
from walking_robots.mdle.robot import Channel

__all__ = ['check_scale', 'check_spaces', 'leaves']


def check_spaces(visit: Visit, facts: Facts) -> None:
    """Check what one element drives where it runs."""
    node = visit.node
    if node.kind == 'atom':
        for stretch in stretches(node):
            _check_duration(stretch, visit, facts)
            _check_limits(stretch, visit, facts)
    elif node.kind == 'parallel':
        _check_resources(visit, facts)
    elif node.kind == 'run' and node.source and node.source.scale:
        check_scale(visit, facts)


def leaves(node: Node) -> Iterator[Node]:
    """Give the atoms in an element, each once."""
    waiting, seen = [node], set[int]()
    while waiting:
        here = waiting.pop()
        if id(here) in seen:
            continue
        seen.add(id(here))
        if here.kind in ('atom', 'external'):
            yield here
        waiting += reversed(here.children)


def _check_duration(stretch: Stretch, visit: Visit, facts: Facts) -> None:
    """E406: a segment that takes no time, or all of it."""
    if stretch.duration is None or stretch.written is None:
        return
    low, high = stretch.duration
    # A call such as drive(0 m) has nothing to do, and does nothing: that is no error.
    nothing = high < 0.0 or (high == 0.0 and visit.node.own)
    if nothing or low == math.inf:
        text = f'a segment of {figure(high, "s")}: a duration must be positive and finite'
        hint = 'write a positive number of seconds'
        if not visit.node.own:
            hint = 'change an argument: no way, or no speed, makes no duration'
        facts.ledger.add(visit.site, 'E406', stretch.written.place, text, hint, once=True)
    elif visit.beta == math.inf and visit.scale:
        text = f"the factor of time makes a segment of '{visit.node.name}' endless"
        hint = 'write a finite factor behind time'
        facts.ledger.add(Site(visit.site.element), 'E406', visit.scale, text, hint, once=True)


def _check_limits(stretch: Stretch, visit: Visit, facts: Facts) -> None:
    """E403 and W409: a constant input beyond what the robot can."""
    space = space_of(visit.node.source.space, facts.robot) if facts.robot else None
    control = stretch.control
    if space is None or control is None or len(control) != len(space.channels):
        return
    open_loop = isinstance(visit.node.source.control, Segments)
    alpha = visit.alpha if visit.alpha and len(visit.alpha) == len(control) else None
    for index, (u, channel) in enumerate(zip(control, space.channels, strict=True)):
        place = stretch.values[index].place if stretch.values else stretch.place
        scaled = product(alpha[index], u) if alpha else u
        wrong = _beyond(scaled, channel)
        if wrong is None:
            continue
        limit = figure(channel.high if wrong > 0.0 else channel.low, channel.unit)
        if _beyond(u, channel) is not None:
            text = f'{channel.name} = {figure(wrong, channel.unit)} exceeds {limit}'
            facts.ledger.add(visit.site, 'E403', place, text, 'add scale or reduce')
        elif open_loop and visit.scale:
            text = 'scaled input will saturate; path shape changes: '
            text += f'{channel.name} = {figure(wrong, channel.unit)} of {limit}'
            facts.ledger.add(
                Site(visit.site.element), 'W409', visit.scale, text, 'scale it by less'
            )


def _beyond(value: Interval, channel: Channel) -> float | None:
    """Give the value that is nearest to a limit where all of them are beyond it."""
    slack = 1e-9 * max(abs(channel.low), abs(channel.high), 1.0)
    if math.isfinite(channel.high) and value.low > channel.high + slack:
        return value.low
    if math.isfinite(channel.low) and value.high < channel.low - slack:
        return value.high
    return None


def _check_resources(visit: Visit, facts: Facts) -> None:
    """E405: children of ``par`` that hold the same part of the robot."""
    if facts.robot is None:
        return
    held: dict[str, str] = {}
    for child in visit.node.children:
        claims: dict[str, str] = {}
        for leaf in leaves(child):
            space = space_of(leaf.source.space, facts.robot)
            for resource in sorted(space.resources) if space else ():
                claims.setdefault(resource, leaf.name)
        for resource, name in claims.items():
            if resource in held:
                text = f"'{held[resource]}' and '{name}' both claim {resource}"
                hint = 'run them one after the other'
                facts.ledger.add(visit.site, 'E405', child.place, text, hint)
        held |= {resource: name for resource, name in claims.items() if resource not in held}


def check_scale(visit: Visit, facts: Facts) -> None:
    """E401 and E705: factors that do not fit what is scaled."""
    node, scale = visit.node, visit.node.source.scale
    if node.beta.high < 0.0:
        text = f'the factor of time is {figure(node.beta.high)}, and time cannot run backwards'
        place = scale.beta.place if scale.beta else scale.place
        facts.ledger.add(visit.site, 'E705', place, text, 'use reverse to drive back')
    alpha = node.alpha or ()
    for leaf in leaves(node):
        space = leaf.source.space
        offered = space_of(space, facts.robot) if facts.robot else None
        if space == 'none' or offered is None:
            continue
        size = len(offered.channels)
        if size != len(alpha):
            text = f"'{leaf.name}' on {space} needs {size} channels, found {len(alpha)}"
            hint = 'give one factor for each channel'
            facts.ledger.add(visit.site, 'E401', scale.place, text, hint, once=True)
            continue
        for factor, channel, written in zip(alpha, offered.channels, scale.alpha, strict=True):
            if factor.high < 0.0:
                _check_sign(leaf, offered.symmetric, channel, written.place, visit, facts)


def _check_sign(
    leaf: Node, symmetric: bool, channel: Channel, place: Place, visit: Visit, facts: Facts
) -> None:
    irreversible = getattr(leaf.source, 'irreversible', False)
    if irreversible or not symmetric or channel.low != -channel.high:
        why = 'is irreversible' if irreversible else f'cannot negate {channel.name}'
        text = f"a negative factor, and '{leaf.name}' {why}"
        facts.ledger.add(visit.site, 'E705', place, text, 'use a factor of 0 or more', once=True)
