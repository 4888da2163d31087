"""Write the structure of a plan: a line an element, what runs standing out, with its guards."""

import math
from collections.abc import Collection, Mapping

from walking_robots.viewer.common.colours import Colour, Grade, css
from walking_robots.viewer.common.markup import (
    EMPTY,
    FAINT,
    NUMERIC,
    ONE_LINE,
    dot,
    faint,
    safe,
    section,
)
from walking_robots.viewer.mdle.state import Element, GuardReading, PlanLine, PlanView
from walking_robots.viewer.mdle.status import clipped, rounded

ACTIVE: Colour = (41, 121, 214)
READINGS = {'true': Grade.GOOD, 'masked': Grade.TIGHT, 'unknown': Grade.BAD}
"""Grades of what guards say; one that says false is nothing to look at."""
MOST_LINES = 22
"""Lines that are shown around what runs; a longer plan has gaps."""
MOST_GUARDS = 8
"""Guards of one element that are shown."""
DEEPEST = 9
"""Depth from which on lines are not indented any more."""
INDENT = 13
"""Pixels of a step to the right."""

_TINT = 'rgba(41,121,214,0.10)'
_DOT = 'width:8px;height:8px;border-radius:4px;margin-right:4px'
_CODE = 'font-family:ui-monospace,monospace;font-size:12px;'


def visible_lines(lines: Collection[PlanLine], active: Collection[str]) -> list[int]:
    """Return which lines to show, rising: those that run, and those around the innermost.

    At most MOST_LINES; a short plan is shown as it is.
    """
    if len(lines) <= MOST_LINES:
        return list(range(len(lines)))
    running = [number for number, line in enumerate(lines) if line.path in active]
    chosen = set(running[: MOST_LINES // 2])
    centre = running[-1] if running else 0
    by_nearness = sorted(range(len(lines)), key=lambda number: (abs(number - centre), number))
    for number in by_nearness:
        if len(chosen) >= MOST_LINES:
            break
        chosen.add(number)
    return sorted(chosen)


def tree_html(view: PlanView) -> str:
    """Return the lines of a plan, and what runs that stands in none of them."""
    active = {element.path: element for element in view.active}
    innermost = _innermost(active)
    rows = []
    before = -1
    for number in visible_lines(view.tree, active):
        rows.append(_gap(number - before - 1))
        line = view.tree[number]
        rows.append(_row(line, active.get(line.path), line.path in innermost))
        before = number
    rows.append(_gap(len(view.tree) - before - 1))
    known = {line.path for line in view.tree}
    others = [element for element in view.active if element.path not in known][:MOST_LINES]
    rows += [
        _row(PlanLine(element.path, '', element.path, 0), element, element.path in innermost)
        for element in others
    ]
    empty = f'<div style="{FAINT}padding-left:6px">Choose a plan and run it.</div>'
    return section('tree', ''.join(rows) or empty, 'padding-left:6px;padding-right:6px')


def _innermost(active: Mapping[str, Element]) -> set[str]:
    """Return the paths of what runs with nothing running inside."""
    around = set()
    for path in active:
        parts = path.split('.')
        around |= {'.'.join(parts[:count]) for count in range(1, len(parts))}
    return set(active) - around


def _gap(count: int) -> str:
    """Return a row that stands for lines that are not shown."""
    if count <= 0:
        return ''
    return f'<div style="{FAINT}padding-left:9px">⋯ {count} more</div>'


def _row(line: PlanLine, element: Element | None, innermost: bool) -> str:
    """Return a line of the plan, with timer and guards where it runs."""
    indent = 6 + INDENT * min(max(line.depth, 0), DEEPEST)
    text, shown = safe(clipped(line.text)), safe(rounded(line.text))
    mark = safe(line.kind) if line.kind in ('handler', 'finally') else ''
    kind = faint(mark, 'font-size:11px;flex:none') if mark else ''
    if element is None:
        return (
            f'<div style="display:flex;gap:6px;align-items:baseline;padding-left:{indent + 3}px">'
            f'<span title="{text}" style="{_CODE}{ONE_LINE}{FAINT}">{shown}</span>{kind}</div>'
        )
    blue = css(ACTIVE)
    look = f'color:#fff;background:{blue};border-radius:3px;padding:0 5px;' if innermost else ''
    return (
        f'<div class="active{" innermost" if innermost else ""}" style="border-left:3px solid '
        f'{blue};background:{_TINT};padding:1px 6px 2px {indent}px"><div style="display:flex;'
        f'gap:6px;align-items:baseline"><span title="{text}" style="{_CODE}{ONE_LINE}'
        f'font-weight:600;{look}">{shown}</span>{kind}<span style="flex:1"></span>'
        f'<span style="flex:none;font-size:12px;{NUMERIC}">'
        f'{timer_words(element)}</span></div>{_timer(element)}{_guards(element.guards)}</div>'
    )


def _timer(element: Element) -> str:
    """Return how much of an element's time has passed as a thin bar."""
    if not 0.0 < element.limit < float('inf'):
        return ''
    share = 100.0 * min(max(element.time / element.limit, 0.0), 1.0)
    return (
        f'<div style="height:3px;margin:1px 0;border-radius:2px;background:{EMPTY}"><div '
        f'style="width:{share:.1f}%;height:100%;border-radius:2px;'
        f'background:{css(ACTIVE)}"></div></div>'
    )


def _guards(guards: tuple[GuardReading, ...]) -> str:
    """Return what guards say, each with a dot."""
    if not guards:
        return ''
    shown = ''.join(
        f'<span style="white-space:nowrap">'
        f'{dot(READINGS.get(says, Grade.UNKNOWN).value, _DOT)}'
        f'{safe(clipped(guard))} {faint(safe(clipped(says)))}</span>'
        for guard, says in guards[:MOST_GUARDS]
    )
    more = len(guards) - MOST_GUARDS
    shown += faint(f'and {more} more') if more > 0 else ''
    return (
        f'<div class="guards" style="display:flex;flex-wrap:wrap;gap:0 12px;font-size:12px;'
        f'overflow:hidden">{shown}</div>'
    )


def timer_words(element: Element) -> str:
    """Return for how long an element has run, and how long it may."""
    passes = f'pass {element.iteration + 1} · ' if element.iteration else ''
    limit = '' if math.isinf(element.limit) else f' / {_seconds(element.limit)}'
    return f'{passes}{element.time:.1f}{limit} s'


def _seconds(value: float) -> str:
    """Return a limit, s, without digits that say nothing."""
    return f'{value:.0f}' if value >= 100.0 else f'{value:.4g}'
