"""Write the status part of a biped's page: state, reasons, legs, friction, what it feels."""

import math
from collections.abc import Iterable

from walking_robots.robots.kwalk import KWALKS
from walking_robots.robots.kwalk_spatial import SPATIAL_KWALKS
from walking_robots.viewer.biped import colours
from walking_robots.viewer.biped.colours import OF_PHASES, LegAction, actions
from walking_robots.viewer.biped.state import BipedSettings, BipedView, Left
from walking_robots.viewer.biped.words import PHASES, phase_number, purpose, reason, state_words
from walking_robots.viewer.common.colours import Colour, Grade, css
from walking_robots.viewer.common.markup import (
    EMPTY,
    FAINT,
    NUMERIC,
    bar,
    card,
    cards,
    event,
    faint,
    heading,
    legend,
    notice,
    number,
    safe,
    section,
)

SLIPS = 1.0
"""Friction of the ground, above which a foot would slip."""
MOST_FRICTION = 1.25
"""At the end of a bar."""


def state_html(state: BipedView) -> str:
    """Return what the robot does, in words and by colour, and what to be warned of."""
    right, left = actions(state.state)
    shown = left if right is LegAction.CARRIES else right
    fall = '' if not state.fallen else f'The robot {state.fallen}. Set it up again.'
    edge = f'border-left:8px solid {css(shown.colour)};padding-left:8px'
    body = (
        f'{heading(state_words(state.state), edge)}<div style="{FAINT}min-height:38px;'
        f'margin-top:2px">{purpose(state.state)}</div>{_fall(fall) or _cycle(state.state)}'
        f'{notice(state.diagnostic, Grade.TIGHT)}'
    )
    return section('state', body, 'min-height:118px')


def _cycle(state: int | None) -> str:
    """Return the phases of both half cycles, with the present one in its colour."""
    now = phase_number(state)
    cells = []
    for half, side in enumerate(('left', 'right')):
        cells.append(faint(f'{side} steps'))
        for phase, name in enumerate(PHASES):
            paint = f'background:{EMPTY};'
            if now == (half, phase):
                paint = f'background:{css(OF_PHASES[phase].colour)};color:#fff;'
            cells.append(
                f'<span style="{paint}border-radius:3px;text-align:center;padding:0 2px">'
                f'{name}</span>'
            )
    return (
        '<div style="display:grid;gap:2px;font-size:11px;'
        'grid-template-columns:62px 1.3fr .7fr .8fr .8fr 1.1fr 1.2fr;margin-top:5px">'
        f'{"".join(cells)}</div>'
    )


def _fall(words: str) -> str:
    """Return in red that the robot has fallen; nothing for no words."""
    if not words:
        return ''
    return (
        f'<div id="fallen" style="margin-top:6px;padding:4px 8px;border-radius:4px;color:#fff;'
        f'font-weight:600;background:{css(Grade.BAD.value)}">{safe(words)}</div>'
    )


def reasons_html(entries: tuple[Left, ...]) -> str:
    """Return why the last states were left, the newest first."""
    rows = ''.join(
        event(
            f'{entry.time:.2f} s',
            f'{state_words(entry.state)}, until {safe(reason(entry.why))}',
            age,
        )
        for age, entry in enumerate(entries)
    )
    head = '<b style="font-size:13px">Why the last states were left</b>'
    return section('reasons', f'{head}{rows or "<div>–</div>"}', 'font-size:12px')


def legs_html(state: BipedView, most: tuple[float, float]) -> str:
    """Return what each leg does, its virtual leg, and the friction that its foot needs.

    most: friction that was needed lately, right and left.
    """
    cells = []
    for side, name in ((1, 'Left leg'), (0, 'Right leg')):
        action = actions(state.state)[side]
        length, angle = state.lengths[side], math.degrees(state.angles[side])
        virtual = '–' if math.isnan(length) else f'{length:.3f} m, {number(angle, 1, "+")}°'
        foot = 'on the ground' if state.contacts[side] else 'in the air'
        body = (
            f'<div style="{FAINT}">{action.words}</div><div style="{NUMERIC}">{virtual}</div>'
            f'{_friction(state.friction[side], most[side])}'
        )
        cells.append(card(action.colour, name, foot, body))
    remark = (
        'Length and angle to the rear of virtual legs; friction that a foot needs not to slip, '
        'with a mark at 1'
    )
    return section('legs', f'{faint(remark)}{cards(cells)}')


def _friction(now: float, most: float) -> str:
    """Return the bar of the friction that a foot needs, and the most of the last seconds."""
    # The less a foot needs the better.
    grade = Grade.of(SLIPS - now, 0.0, 0.3)
    line = bar('friction', now / MOST_FRICTION, grade, f'{now:.2f}', (SLIPS / MOST_FRICTION,))
    return f'{line}<div style="font-size:12px;{FAINT}">at most {number(most, 2)} in 3 s</div>'


def feelings_html(state: BipedView, slips: Iterable[float]) -> str:
    """Return height and speed as they are and as the robot feels them, and where it is.

    slips: of the feet, that were felt lately, m.
    """
    rows = (
        ('height', state.height, state.felt_height, 3, 'm'),
        ('speed', state.speed, state.felt_speed, 2, 'm/s'),
    )
    cells = ''.join(
        f'{faint(name)}<b>{number(true, digits)} {unit}</b><b>{number(felt, digits)} {unit}</b>'
        f'<span>{number(felt - true, digits, "+")}</span>'
        for name, true, felt, digits, unit in rows
    )
    most = 1e3 * max(slips, default=math.nan)
    look = f' style="color:{css(Grade.BAD.value)}"' if most > 0.0 else ''
    cells += (
        f'{faint("slip")}<b></b><b{look}>{number(1e3 * state.felt_slip, 0)} mm</b>'
        f'{faint(f"at most {number(most, 0)} mm in 3 s")}'
    )
    last = ''.join(
        f'<span>{faint(name)} <b{mark}>{words}</b></span>'
        for name, mark, words in (
            ('asked', '', f'{number(state.desired_speed, 2)} m/s'),
            ('x', ' id="x"', f'{state.x:.2f} m'),
            ('pitch', '', f'{number(math.degrees(state.pitch), 1, "+")}°'),
            ('time', '', f'{state.time:.1f} s'),
        )
    )
    head = ''.join(map(faint, ('', 'true', 'felt', 'felt - true')))
    body = (
        f'<div style="display:grid;grid-template-columns:56px 1fr 1fr 1.4fr">{head}{cells}</div>'
        f'<div style="margin-top:3px;display:flex;justify-content:space-between">{last}</div>'
    )
    return section('feelings', body, NUMERIC)


def settings_html(settings: BipedSettings) -> str:
    """Return which robot walks by which numbers, as far as known."""
    robot, space = KWALKS.get(settings.robot), SPATIAL_KWALKS.get(settings.robot)
    words = '–' if robot is None else f'<b>{robot.name.upper()}</b>, {robot.knee} knees'
    if space is not None:
        words = f'<b>{space.name.upper()}</b>, {space.planar.knee} knees, in space'
    if settings.params:
        words += f'; numbers: {safe(settings.params)}'
    if settings.ground:
        words += f', for ground of the kind {safe(settings.ground.replace("_", " "))}'
    return section('settings', words, FAINT)


def legend_html() -> str:
    """Return the meaning of every colour on the page."""
    entries: list[tuple[Colour, str]] = [
        (action.colour, f'virtual leg that {action.words}') for action in LegAction
    ]
    entries += [
        (colours.FORCE, 'force of the ground on a foot'),
        (colours.PUSH, 'push at the hips, while it acts'),
        (colours.RIGHT_CURVE, 'curve of the right leg, or what is true'),
        (colours.LEFT_CURVE, 'curve of the left leg, or what is felt'),
        (colours.GROUND, 'ground, which the robot does not see'),
    ]
    remark = 'The light leg is the right one, the dark leg the left one. Signs on the ground: m.'
    return legend(entries, remark)
