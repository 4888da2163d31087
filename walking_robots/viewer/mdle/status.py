"""Write what a program does, how it went on, what it keeps, and what is wrong with a text."""

import re
from collections.abc import Iterable

from walking_robots.viewer.common.colours import Colour, Grade, css
from walking_robots.viewer.common.markup import (
    FAINT,
    NUMERIC,
    ONE_LINE,
    TEXT,
    and_more,
    faint,
    heading,
    notice,
    safe,
    section,
)
from walking_robots.viewer.mdle.state import PlanView, Remark, Transition

LONGEST = 300
"""Characters of a foreign text at most; more of it is nothing for a line."""
MOST_SHOWN = 12
"""Transitions, values of the blackboard and remarks that are shown."""

_ORDINARY = ('', 'done', 'interrupt')
_OUTCOMES = {
    'done': Grade.GOOD,
    'interrupt': Grade.GOOD,
    'timeout': Grade.TIGHT,
    'canceled': Grade.TIGHT,
    'preempted': Grade.TIGHT,
}
_DECIMAL = re.compile(r'\b\d+\.\d+(?:e[-+]?\d+)?\b')
_PHASES = {
    '': 'No news of the executor',
    'NOTRUN': 'No program has run yet',
    'RUNNING': 'Runs {}',
    'PAUSED': '{} pauses',
    'STOPPING': '{} stops',
    'TERMINATED': '{} has ended',
}
_KINDS = {
    'enter': '▸ {}',
    'exit': '▪ {}',
    'handle': '↷ {}',
    'warning': '⚠ {}',
    'start': '▶ {} starts',
    'end': '■ {} ends',
    'pause': '‖ pauses',
    'resume': '▶ goes on',
    'stopping': '… stops',
}
_SEVERITIES = {'error': Grade.BAD, 'warning': Grade.TIGHT}


def heading_html(view: PlanView) -> str:
    """Return what the executor does, how the last program ended, and what to be warned of."""
    clock = f'{view.time:.1f} s of program time' if view.phase not in ('', 'NOTRUN') else '&nbsp;'
    waiting = f' · {view.waiting} waiting' if view.waiting else ''
    outcome = ''
    if view.outcome and not view.runs:
        grade = _outcome_grade(view.outcome)
        outcome = f' · <b style="color:{css(grade.value)}">{safe(clipped(view.outcome))}</b>'
    shown = Grade.UNKNOWN if view.runs else _outcome_grade(view.outcome)
    body = (
        f'{heading(safe(heading_words(view)), ONE_LINE)}<div style="{NUMERIC}">'
        f'{faint(clock + waiting)}{outcome}</div>'
        f'{notice(clipped(view.message), shown)}{notice(clipped(view.warning), Grade.TIGHT)}'
    )
    return section('phase', body)


def log_html(log: tuple[Transition, ...]) -> str:
    """Return the last transitions, the newest first."""
    rows = ''.join(map(_transition, reversed(log[-MOST_SHOWN:])))
    shown = f'<div style="font-size:12px">{rows or faint("none yet")}</div>'
    return section('log', f'<b>Transitions</b>{shown}')


def _transition(transition: Transition) -> str:
    """Return a transition as a line that says more where the mouse rests on it."""
    words = safe(transition_words(transition))
    whole = f'{safe(clipped(transition.path))} {words}'
    ended = transition.kind in ('exit', 'end') and transition.cause not in _ORDINARY
    grade = _outcome_grade(transition.cause) if ended else Grade.UNKNOWN
    if transition.kind == 'warning':
        grade = Grade.TIGHT
    colour = 'transparent' if grade is Grade.UNKNOWN else css(grade.value)
    look = FAINT if transition.kind == 'enter' else ''
    return (
        f'<div title="{whole}" style="display:flex;gap:8px;border-left:3px solid {colour};'
        f'padding-left:4px"><span style="flex:none;width:40px;text-align:right;{FAINT}'
        f'{NUMERIC}">{transition.time:.2f}</span>'
        f'<span style="{ONE_LINE}{look}">{words}</span></div>'
    )


def memory_html(view: PlanView) -> str:
    """Return what is driven, and what the program keeps."""
    control = ', '.join(f'{value:.3g}' for value in view.control[:MOST_SHOWN]) or 'nothing'
    cells = [(clipped(view.space) if view.space else 'control', control)]
    cells += [(clipped(name), clipped(value)) for name, value in view.board[:MOST_SHOWN]]
    rows = ''.join(
        f'<span style="{FAINT}{ONE_LINE}" title="{safe(name)}">{safe(name)}</span>'
        f'<b style="{ONE_LINE}" title="{safe(value)}">{safe(value)}</b>'
        for name, value in cells
    )
    body = (
        '<b>Control and memory</b><div style="display:grid;grid-template-columns:110px 1fr;'
        f'column-gap:8px;{NUMERIC}">{rows}</div>{and_more(len(view.board) - MOST_SHOWN)}'
    )
    return section('memory', body)


def remarks_html(remarks: Iterable[Remark]) -> str:
    """Return what was said of a text that was checked, a remark below the other."""
    shown = tuple(remarks)
    if not shown:
        return ''
    rows = ''.join(map(_remark, shown[:MOST_SHOWN]))
    rest = and_more(len(shown) - MOST_SHOWN)
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


def clipped(text: str) -> str:
    """Return the beginning of a text."""
    return text if len(text) <= LONGEST else f'{text[:LONGEST]}…'


def heading_words(view: PlanView) -> str:
    """Return what the executor does."""
    words = _PHASES.get(view.phase, view.phase.lower())
    return clipped(words.replace('{}', view.entry or 'the program'))


def transition_words(transition: Transition) -> str:
    """Return a transition as a clause: what it is about, why, and what the guard read."""
    path = transition.path.rsplit('.', 1)[-1] if '.' in transition.path else transition.path
    words = _KINDS.get(transition.kind, f'{transition.kind} {{}}').replace('{}', clipped(path))
    why = clipped(' '.join(filter(None, (transition.cause, transition.guard))))
    read = ', '.join(f'{name} {rounded(value)}' for name, value in transition.values)
    return clipped(
        words
        + (f': {why}' if why else '')
        + (f' ({read})' if read else '')
        + (f' – {transition.text}' if transition.text else '')
    )


def rounded(text: str) -> str:
    """Return a text whose decimal numbers have four digits that count at most."""
    return _DECIMAL.sub(lambda found: f'{float(found[0]):.4g}', clipped(text))


def _outcome_grade(outcome: str) -> Grade:
    """Return the grade of how something ended; what is neither success nor intended is bad."""
    return _OUTCOMES.get(outcome.lower(), Grade.BAD)
