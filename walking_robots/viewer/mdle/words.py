"""Put what a program does into words, short enough for a line of the page."""

import math
import re

from walking_robots.viewer.mdle.state import Element, PlanView, Transition

LONGEST = 300
"""Characters of a foreign text at most; more of it is nothing for a line."""

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


def clipped(text: str) -> str:
    """Return the beginning of a text."""
    return text if len(text) <= LONGEST else f'{text[:LONGEST]}…'


def heading_words(view: PlanView) -> str:
    """Return what the executor does."""
    words = _PHASES.get(view.phase, view.phase.lower())
    return clipped(words.replace('{}', view.entry or 'the program'))


def timer_words(element: Element) -> str:
    """Return for how long an element has run, and how long it may."""
    passes = f'pass {element.iteration + 1} · ' if element.iteration else ''
    limit = '' if math.isinf(element.limit) else f' / {_seconds(element.limit)}'
    return f'{passes}{element.time:.1f}{limit} s'


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


def _seconds(value: float) -> str:
    """Return a limit, s, without digits that say nothing."""
    return f'{value:.0f}' if value >= 100.0 else f'{value:.4g}'
