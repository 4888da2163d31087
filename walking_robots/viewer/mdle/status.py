"""Write what a program does, how it went on, what it keeps, and what is wrong with a text."""

from collections.abc import Iterable

from walking_robots.viewer.common.colours import Colour, Grade, css
from walking_robots.viewer.common.markup import FAINT, TEXT, notice, safe
from walking_robots.viewer.mdle import colours
from walking_robots.viewer.mdle.state import PlanView, Remark, Transition
from walking_robots.viewer.mdle.words import clipped, heading_words, transition_words

MOST_SHOWN = 12
"""Transitions, values of the blackboard and remarks that are shown."""

_ONE_LINE = 'overflow:hidden;text-overflow:ellipsis;white-space:nowrap;'
_SEVERITIES = {'error': Grade.BAD, 'warning': Grade.TIGHT}


def heading_html(view: PlanView) -> str:
    """Return what the executor does, how the last program ended, and what to be warned of."""
    clock = f'{view.time:.1f} s of program time' if view.phase not in ('', 'NOTRUN') else '&nbsp;'
    waiting = f' · {view.waiting} waiting' if view.waiting else ''
    outcome = ''
    if view.outcome and not view.runs:
        grade = colours.outcome_grade(view.outcome)
        outcome = f' · <b style="color:{css(grade.value)}">{safe(clipped(view.outcome))}</b>'
    shown = Grade.UNKNOWN if view.runs else colours.outcome_grade(view.outcome)
    return (
        f'<div id="phase" style="{TEXT}"><div style="font-size:17px;font-weight:600;{_ONE_LINE}">'
        f'{safe(heading_words(view))}</div><div style="font-variant-numeric:tabular-nums">'
        f'<span style="{FAINT}">{clock}{waiting}</span>{outcome}</div>'
        f'{notice(clipped(view.message), shown)}{notice(clipped(view.warning), Grade.TIGHT)}</div>'
    )


def log_html(log: tuple[Transition, ...]) -> str:
    """Return the last transitions, the newest first."""
    rows = ''.join(map(_transition, reversed(log[-MOST_SHOWN:])))
    return (
        f'<div id="log" style="{TEXT}"><b>Transitions</b><div style="font-size:12px">'
        f'{rows or _faint("none yet")}</div></div>'
    )


def _transition(transition: Transition) -> str:
    """Return a transition as a line that says more where the mouse rests on it."""
    words = safe(transition_words(transition))
    whole = f'{safe(clipped(transition.path))} {words}'
    ended = transition.kind in ('exit', 'end') and transition.cause not in (
        '',
        'done',
        'interrupt',
    )
    grade = colours.outcome_grade(transition.cause) if ended else Grade.UNKNOWN
    if transition.kind == 'warning':
        grade = Grade.TIGHT
    colour = 'transparent' if grade is Grade.UNKNOWN else css(grade.value)
    look = FAINT if transition.kind == 'enter' else ''
    return (
        f'<div title="{whole}" style="display:flex;gap:8px;border-left:3px solid {colour};'
        f'padding-left:4px"><span style="flex:none;width:40px;text-align:right;{FAINT}'
        f'font-variant-numeric:tabular-nums">{transition.time:.2f}</span>'
        f'<span style="{_ONE_LINE}{look}">{words}</span></div>'
    )


def memory_html(view: PlanView) -> str:
    """Return what is driven, and what the program keeps."""
    control = ', '.join(f'{value:.3g}' for value in view.control[:MOST_SHOWN]) or 'nothing'
    cells = [(clipped(view.space) if view.space else 'control', control)]
    cells += [(clipped(name), clipped(value)) for name, value in view.board[:MOST_SHOWN]]
    more = len(view.board) - MOST_SHOWN
    rows = ''.join(
        f'<span style="{FAINT}{_ONE_LINE}" title="{safe(name)}">{safe(name)}</span>'
        f'<b style="{_ONE_LINE}" title="{safe(value)}">{safe(value)}</b>'
        for name, value in cells
    )
    return (
        f'<div id="memory" style="{TEXT}"><b>Control and memory</b><div style="display:grid;'
        f'grid-template-columns:110px 1fr;column-gap:8px;font-variant-numeric:tabular-nums">'
        f'{rows}</div>{_faint(f"and {more} more") if more > 0 else ""}</div>'
    )


def remarks_html(remarks: Iterable[Remark]) -> str:
    """Return what was said of a text that was checked, a remark below the other."""
    shown = tuple(remarks)
    if not shown:
        return ''
    more = len(shown) - MOST_SHOWN
    rows = ''.join(map(_remark, shown[:MOST_SHOWN]))
    rest = _faint(f'and {more} more') if more > 0 else ''
    look = f'{TEXT}font-size:12px;overflow-wrap:anywhere'
    return f'<div class="remarks" style="{look}">{rows}{rest}</div>'


def _remark(remark: Remark) -> str:
    """Return a remark: where, what, and what helps."""
    colour: Colour = _SEVERITIES.get(remark.severity, Grade.GOOD).value
    place = f'line {remark.line}, column {remark.column}' if remark.line > 0 else ''
    where = safe(clipped(' '.join(filter(None, (remark.code, place)))))
    head = f'<b>{where}</b> ' if where else ''
    hint = f'<div style="{FAINT}">{safe(clipped(remark.hint))}</div>' if remark.hint else ''
    return (
        f'<div style="margin-top:3px;padding-left:7px;border-left:4px solid {css(colour)}">'
        f'{head}{safe(clipped(remark.text))}{hint}</div>'
    )


def _faint(words: str) -> str:
    """Return words that do not stand out."""
    return f'<div style="{FAINT}">{words}</div>'
