"""Controls that the robot does not take, and ways back that cannot be driven.

E401, E403, E405, E406, W409 and E705 of atoms, ``par`` and scales; E701-E704 of ``reverse``.
"""

import math
from collections.abc import Iterator
from typing import Any

from walking_robots.mdle.analysis.check_context import DiagnosticSite, figure
from walking_robots.mdle.analysis.motion import control_parts, space_of
from walking_robots.mdle.analysis.program_node import ONE, ProgramNode, leaves
from walking_robots.mdle.analysis.values import ValueInterval, number, product
from walking_robots.mdle.analysis.visits import Finding, Visit, visit_check
from walking_robots.mdle.language.ast import Place, Reverse, Segments
from walking_robots.mdle.robot import Channel, RobotSpec, SpaceSpec

LAST = "drive it, then write 'reverse last'"
BY_STEPS = 'drive the way back by steps'
WAYS = {'choice': 'a choice', 'parallel': 'steps at the same time', 'reverse': 'a way back'}
"""Kinds of steps of which it is known only afterwards how they were driven."""


def _scale_finding(visit: Visit, text: str, hint: str) -> Finding:
    """Return a finding at the innermost scale around an element."""
    place, outside = visit.node.scaling.place, visit.site.outside
    site = DiagnosticSite(visit.site.element, None if place.line else outside)
    return Finding(place, text, hint, site)


@visit_check('E406', 'atom')
def check_segment_durations(visit: Visit) -> Iterator[Finding]:
    """Yield segments that take no time, or all of it."""
    node = visit.node
    for part in control_parts(node):
        if part.duration is None or part.written is None:
            continue
        low, high = part.duration
        # A call such as drive(0 m) has nothing to do, and does nothing: that is no error.
        if high < 0.0 or (high == 0.0 and node.own) or low == math.inf:
            text = f'a segment of {figure(high, "s")}: a duration must be positive and finite'
            hint = 'write a positive number of seconds'
            if not node.own:
                hint = 'change an argument: no way, or no speed, makes no duration'
            yield Finding(part.written.place, text, hint)
        elif node.scaling.beta.low == math.inf:
            text = f"the factor of time makes a segment of '{node.name}' endless"
            yield _scale_finding(visit, text, 'write a finite factor behind time')


def _excesses(visit: Visit) -> Iterator[tuple[Place, str, str, bool]]:
    """Yield inputs certainly beyond a limit: place, input, limit, whether unscaled too."""
    node, robot = visit.node, visit.context.robot
    space, alpha = space_of(node.source.space, robot) if robot else None, node.scaling.alpha
    for part in control_parts(node) if space else ():
        control, channels = part.control or (), space.channels if space else ()
        factors = alpha if alpha and len(alpha) == len(channels) else (ONE,) * len(channels)
        inputs = (
            zip(control, factors, channels, strict=True) if len(control) == len(channels) else ()
        )
        for index, (value, factor, channel) in enumerate(inputs):
            wrong = _beyond(product(factor, value), channel)
            if wrong is not None:
                place = part.values[index].place if part.values else part.place
                limit = figure(channel.high if wrong > 0.0 else channel.low, channel.unit)
                written = f'{channel.name} = {figure(wrong, channel.unit)}'
                yield place, written, limit, _beyond(value, channel) is not None


@visit_check('E403', 'atom')
def check_limits(visit: Visit) -> Iterator[Finding]:
    """Yield constant inputs beyond what the robot can do, scaled or not."""
    for place, written, limit, unscaled in _excesses(visit):
        if unscaled:
            yield Finding(place, f'{written} exceeds {limit}', 'add scale or reduce')


@visit_check('W409', 'atom')
def check_saturation(visit: Visit) -> Iterator[Finding]:
    """Yield scales that lead inputs of open-loop atoms beyond what the robot can do."""
    if isinstance(visit.node.source.control, Segments):
        for _, written, limit, unscaled in _excesses(visit):
            if not unscaled:
                text = f'scaled input will saturate; path shape changes: {written} of {limit}'
                yield _scale_finding(visit, text, 'scale it by less')


def _beyond(value: ValueInterval, channel: Channel) -> float | None:
    """Return the value that is nearest to a limit where all of them are beyond it."""
    slack = 1e-9 * max(abs(channel.low), abs(channel.high), 1.0)
    if math.isfinite(channel.high) and value.low > channel.high + slack:
        return value.low
    if math.isfinite(channel.low) and value.high < channel.low - slack:
        return value.high
    return None


@visit_check('E405', 'parallel')
def check_resources(visit: Visit) -> Iterator[Finding]:
    """Yield children of ``par`` that hold the same part of the robot."""
    robot = visit.context.robot
    held: dict[str, str] = {}
    for child in visit.node.children:
        claims: dict[str, str] = {}
        for leaf in leaves(child):
            space = space_of(leaf.source.space, robot) if robot else None
            for resource in sorted(space.resources) if space else ():
                claims.setdefault(resource, leaf.name)
        for resource, name in claims.items():
            if resource in held:
                text = f"'{held[resource]}' and '{name}' both claim {resource}"
                yield Finding(child.place, text, 'run them one after the other')
        held = claims | held


def _scaled_leaves(
    node: ProgramNode, robot: RobotSpec | None
) -> Iterator[tuple[ProgramNode, SpaceSpec]]:
    """Yield the atoms in a step on spaces of the robot, each with its space."""
    for leaf in leaves(node) if robot else ():
        space = space_of(leaf.source.space, robot) if robot else None
        if leaf.source.space != 'none' and space:
            yield leaf, space


@visit_check('E401', 'run')
def check_scale_size(visit: Visit) -> Iterator[Finding]:
    """Yield scales with another number of factors than what they scale has channels."""
    scale: Any = getattr(visit.node.source, 'scale', None)
    for leaf, space in _scaled_leaves(visit.node, visit.context.robot) if scale else ():
        if len(space.channels) != len(scale.alpha):
            text = f"'{leaf.name}' on {leaf.source.space} needs {len(space.channels)} "
            text += f'channels, found {len(scale.alpha)}'
            yield Finding(scale.place, text, 'give one factor for each channel')


@visit_check('E705', 'run')
def check_scale_signs(visit: Visit) -> Iterator[Finding]:
    """Yield negative factors of time, and of what cannot be driven backwards."""
    scope = visit.node.scope
    scale: Any = getattr(visit.node.source, 'scale', None)
    high = number(scale.beta, scope).high if scale and scale.beta else 1.0
    if high < 0.0:
        text = f'the factor of time is {figure(high)}, and time cannot run backwards'
        yield Finding(scale.beta.place, text, 'use reverse to drive back')
    negative = [number(factor, scope).high < 0.0 for factor in scale.alpha] if scale else []
    for leaf, space in _scaled_leaves(visit.node, visit.context.robot) if any(negative) else ():
        fits = len(space.channels) == len(scale.alpha)
        for index, channel in enumerate(space.channels if fits else ()):
            irreversible = getattr(leaf.source, 'irreversible', False)
            mirrored = space.symmetric and channel.low == -channel.high
            if negative[index] and (irreversible or not mirrored):
                why = 'is irreversible' if irreversible else f'cannot negate {channel.name}'
                text = f"a negative factor, and '{leaf.name}' {why}"
                yield Finding(scale.alpha[index].place, text, 'use a factor of 0 or more')


# Ways back.


def _target_place(step: Reverse) -> Place:
    return step.target.place if step.target else step.place


@visit_check('E702', 'reverse')
def check_recorded(visit: Visit) -> Iterator[Finding]:
    """Yield ``reverse last`` with no step before it."""
    if not visit.node.children:
        text = "'reverse last' with nothing recorded before it in this block"
        yield Finding(visit.node.source.place, text, 'put the step to take back before it')


def _not_driven_back(visit: Visit, text: str, hint: str) -> Iterator[Finding]:
    """Yield the finding about the ``reverse`` that drives something back, if there is one."""
    if visit.back:
        yield Finding(_target_place(visit.back.node.source), text, hint, visit.back.site)


@visit_check('E704', 'external')
def check_inverse_actions(visit: Visit) -> Iterator[Finding]:
    """Yield actions outside the program that have no inverse."""
    if not visit.node.source.reversible:
        text = f"'{visit.node.name}' is an action outside the program that has no inverse"
        yield from _not_driven_back(visit, text, 'take it out of what is reversed')


@visit_check('E703', 'encapsulation')
def check_reversed_containers(visit: Visit) -> Iterator[Finding]:
    """Yield handlers in what is reversed."""
    if visit.node.handlers and visit.back and visit.back.node.source.target:
        text = f"'{visit.node.name}' has handlers, which cannot be reversed"
        yield from _not_driven_back(visit, text, LAST)


@visit_check('E701', 'atom', 'external', 'parallel', 'choice', 'reverse', 'looped')
def check_reversible(visit: Visit) -> Iterator[Finding]:
    """Yield atoms that cannot be driven backwards, and steps driven in a way not known before."""
    if visit.back:
        recorded = visit.back.node.source.target is None
        why, hint = _irreversible(visit.node, recorded, visit.context.robot)
        if why:
            yield from _not_driven_back(visit, f'cannot reverse {why}', hint)


def _irreversible(node: ProgramNode, recorded: bool, robot: RobotSpec | None) -> tuple[str, str]:
    """Return what cannot be driven backwards, '' where it can, and the remedy."""
    atom, name = node.source, f"'{node.name}', which"
    if node.kind == 'atom':
        space = space_of(atom.space, robot) if robot else None
        if atom.irreversible:
            return f'{name} is irreversible', BY_STEPS
        if space and space.channels and not (space.symmetric and space.driftless):
            return f'{name} is on {space.name}, which cannot be negated', BY_STEPS
        listed = recorded or atom.control is None or isinstance(atom.control, Segments)
        return ('', '') if listed else (f'{name} is feedback', LAST)
    if recorded:
        return '', ''
    if node.kind == 'external':
        return (f'{name} is no list of segments', LAST) if atom.reversible else ('', '')
    endless = node.loop and node.loop.kind != 'count'
    return 'a loop without a count' if endless else WAYS.get(node.kind, ''), LAST
