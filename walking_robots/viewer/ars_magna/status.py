"""Write what a robot is, holds, sees and knows, and what there is to say (ars_magna.md §5.2)."""

import math
from collections.abc import Iterable

from walking_robots.geometry.se2 import wrap
from walking_robots.viewer.ars_magna import colours
from walking_robots.viewer.ars_magna.frame import REACH
from walking_robots.viewer.ars_magna.state import (
    ArsView,
    DesignatorView,
    MessageView,
    PartView,
    RobotView,
    RunView,
    ThingView,
)
from walking_robots.viewer.common.colours import Colour, Grade, css
from walking_robots.viewer.common.markup import (
    EMPTY,
    FAINT,
    NUMERIC,
    ONE_LINE,
    and_more,
    dot,
    faint,
    heading,
    legend,
    notice,
    safe,
    section,
    table,
    title,
)

MOST_DESIGNATORS = 12
MOST_MESSAGES = 14
MOST_THINGS = 60

_PHASES = {'runs': '{} runs', 'done': '{} is done', 'failed': '{} failed', 'stopped': '{} stopped'}
_GRADES = {'done': Grade.GOOD, 'failed': Grade.BAD}


def heading_html(view: ArsView) -> str:
    """Return what the program is at, and what to be warned of."""
    run, picture = view.run, view.picture
    tick = 'No news of the world' if picture is None else f'tick {picture.tick}'
    since = f' · {run.ticks} ticks since it began' if run.phase else ''
    body = (
        f'{heading(safe(_phase(run)), ONE_LINE)}<div style="{FAINT}{NUMERIC}">{tick}{since}</div>'
        f'{notice(run.words, _GRADES.get(run.phase, Grade.UNKNOWN))}'
        f'{notice(view.warning, Grade.TIGHT)}'
    )
    return section('heading', body, 'min-height:84px')


def _phase(run: RunView) -> str:
    """Return what a program does in a few words."""
    words = _PHASES.get(run.phase, 'No program runs').replace('{}', run.program)
    return words[:1].upper() + words[1:]


def robot_html(robot: RobotView) -> str:
    """Return where a robot truly is."""
    turned = f'{_degrees(robot.heading)} ({robot.heading:.2f} rad)'
    cells = [('x', f'{robot.x:.2f}'), ('y', f'{robot.y:.2f}'), ('heading', turned)]
    return title(safe(robot.name), 'y downwards, angles clockwise') + table('place', cells)


def cameras_html(robot: RobotView) -> str:
    """Return each camera: its dial, its view, what it tracks, and what it is in."""
    estimates = {found.number: found.angle for found in robot.designators}
    rows = ''.join(
        _camera(number, camera, estimates.get(camera.tracked))
        for number, camera in enumerate(robot.cameras)
    )
    return title('Cameras') + section('cameras', rows or faint('none'))


def _camera(number: int, camera: PartView, estimate: float | None) -> str:
    """Return a camera's dial and its three lines."""
    colour = colours.camera_colour(number)
    view = '  '.join(f'{pixel:.0f}' for pixel in camera.view) or 'no view was taken'
    tracked = faint('tracks nothing')
    if camera.tracked >= 0:
        far = '' if math.isnan(camera.distance) else f', about {camera.distance:.1f} away'
        how = faint(f', {safe(camera.tracked_type)}{far}')
        tracked = f'tracks {_meaning(camera.denotation)}{how}'
    inside = f'in {safe(camera.inside)}' if camera.inside else faint('on the robot')
    degrees = f'at {_degrees(camera.angle)}, {math.degrees(camera.field_of_view):.0f}° wide'
    return (
        f'<div class="camera" style="display:flex;gap:10px;align-items:center;margin-bottom:4px">'
        f'{dial_svg(camera, estimate, colour)}<div style="min-width:0;flex:1">'
        f'<div><b style="color:{css(colour)}">camera {number}</b> <span style="{FAINT}">'
        f'{degrees}</span></div><div style="{ONE_LINE}{NUMERIC}">'
        f'{view}</div><div>{tracked}</div><div>{inside}</div></div></div>'
    )


def parts_html(robot: RobotView) -> str:
    """Return what is in hands and bins."""
    rows = [_hand(number, hand) for number, hand in enumerate(robot.hands)]
    rows += [_bin(number, found) for number, found in enumerate(robot.bins)]
    grid = 'display:grid;grid-template-columns:64px 1fr;column-gap:8px;'
    return title('Hands and bins') + section('parts', ''.join(rows) or faint('none'), grid)


def _hand(number: int, hand: PartView) -> str:
    """Return a hand as a row."""
    holds = ' '.join(map(_chip, hand.contents))
    holds = f'holds {holds}' if holds else faint('empty')
    inside = f' {faint(f"in {safe(hand.inside)}")}' if hand.inside else ''
    return f'{faint(f"hand {number}")}<span>{holds}{inside}</span>'


def _bin(number: int, found: PartView) -> str:
    """Return a bin as a row."""
    lid = 'closed,' if found.closed else 'open,'
    contents = ' '.join(map(_chip, found.contents)) or faint('empty')
    return f'{faint(f"bin {number}")}<span>{faint(lid)} {contents}</span>'


def designators_html(robot: RobotView) -> str:
    """Return what the robot knows, each with what it truly is."""
    found = robot.designators[-MOST_DESIGNATORS:][::-1]
    rows = ''.join(map(_designator, found)) or faint('none')
    rest = and_more(len(robot.designators) - len(found), 'older ones')
    head = title('Designators', 'what the robot perceives → what it truly is')
    return head + section('designators', rows + rest)


def _designator(found: DesignatorView) -> str:
    """Return a designator in as many lines as it needs."""
    about = ', '.join(f'{name} {value}' for name, value in found.about)
    return (
        f'<div style="display:flex;gap:6px;align-items:flex-start;{NUMERIC}">'
        f'{faint(str(found.number), "flex:none")}<span style="flex:none">{safe(found.type)}</span>'
        f'{faint(_degrees(found.angle), "flex:none")}{faint(safe(about), "min-width:0;flex:1")}'
        f'<span style="flex:none">{_meaning(found.denotation)}</span></div>'
    )


def messages_html(messages: Iterable[MessageView]) -> str:
    """Return the last messages, the newest first."""
    rows = ''.join(map(_message, tuple(messages)[-MOST_MESSAGES:][::-1]))
    return title('Messages') + section('messages', rows or faint('none'))


def _message(message: MessageView) -> str:
    """Return a message, with a mark that says how grave it is."""
    grade = colours.SEVERITIES.get(message.severity)
    mark = 'transparent' if grade is None else css(grade.value)
    named = not message.robot or message.text.startswith(message.robot)
    who = '' if named else f'{safe(message.robot)}: '
    return (
        f'<div style="display:flex;gap:8px;border-left:3px solid {mark};padding-left:5px;'
        f'font-size:12px">{faint(str(message.tick), f"flex:none;{NUMERIC}")}'
        f'<span>{who}{safe(message.text)}</span></div>'
    )


def things_html(things: tuple[ThingView, ...]) -> str:
    """Return what lies on the ground, and where."""
    rows = ''.join(
        f'<div style="display:flex;gap:8px;{NUMERIC}">'
        f'<span style="flex:1;{ONE_LINE}">{_dot(thing.color)} {safe(thing.label.lower())}</span>'
        f'<span style="{FAINT}">size {thing.size:g}</span><span style="min-width:88px;'
        f'text-align:right">{thing.x:.1f}, {thing.y:.1f}</span></div>'
        for thing in things[:MOST_THINGS]
    )
    rest = and_more(len(things) - MOST_THINGS)
    return title('On the ground') + section('things', (rows or faint('nothing')) + rest)


def legend_html() -> str:
    """Return the meaning of the colours of places."""
    entries = [(colour, f'{name} place') for name, colour in colours.PLACES.items()]
    return legend(
        [*entries, (colours.wall_colour(0.4), 'wall, the brighter the larger its parameter')],
        'A thing is as wide as it is large, solid if it keeps robots out, and crossed out if it '
        'hides what is behind it. A ring marks what a camera tracks. A field of view is drawn '
        f'up to the next wall, and {REACH:g} cells far at most.',
    )


def _degrees(angle: float) -> str:
    """Return an angle, rad, in whole degrees."""
    return f'{round(math.degrees(wrap(angle)))}°'


def _meaning(denotation: str) -> str:
    """Return what a designator truly is; one that is false stands out."""
    if denotation == 'FALSE':
        return f'<b style="color:{css(Grade.BAD.value)}">false</b>'
    return _chip(denotation)


def _chip(label: str) -> str:
    """Return the name of a thing or place in a box."""
    return (
        f'<span style="background:{EMPTY};border-radius:4px;padding:0 5px;font-weight:600">'
        f'{safe(label.lower())}</span>'
    )


def _dot(color: str) -> str:
    """Return a dot in the colour of a thing."""
    return dot(colours.thing_colour(color), 'width:10px;height:10px;border-radius:3px')


_RIM, _BODY = 26.0, 6.0


def dial_svg(camera: PartView, estimate: float | None, colour: Colour) -> str:
    """Return the dial: field of view, and a tick for `estimate`, rad, of what is tracked."""
    half = 0.5 * min(camera.field_of_view, 1.999 * math.pi)
    (x1, y1), (x2, y2) = (_point(camera.angle + side * half, _RIM) for side in (-1.0, 1.0))
    large = int(half > 0.5 * math.pi)
    wedge = f'M 0 0 L {x1:.1f} {y1:.1f} A {_RIM} {_RIM} 0 {large} 1 {x2:.1f} {y2:.1f} Z'
    tick = ''
    if estimate is not None:
        (x3, y3), (x4, y4) = (_point(estimate, radius) for radius in (_RIM - 7.0, _RIM + 3.0))
        tick = (
            f'<path class="tick" d="M {x3:.1f} {y3:.1f} L {x4:.1f} {y4:.1f}" '
            'stroke="currentColor" stroke-width="3"/>'
        )
    faded = 0.15 if camera.inside else 0.6
    return (
        f'<svg class="dial" viewBox="-31 -31 62 62" style="width:62px;height:62px;flex:none">'
        f'<circle r="{_RIM}" fill="none" stroke="{EMPTY}"/>'
        f'<path d="{wedge}" fill="{css(colour)}" fill-opacity="{faded}"/>'
        f'<circle r="{_BODY}" fill="{css(colours.ROBOT)}"/>'
        f'<path d="M 0 -5 L 3.5 3 L -3.5 3 Z" fill="{css(colours.ARROW)}"/>{tick}</svg>'
    )


def _point(angle: float, radius: float) -> tuple[float, float]:
    """Return a point of the dial, x to the right and y downwards, as the manual's axes lie."""
    return radius * math.sin(angle), -radius * math.cos(angle)
