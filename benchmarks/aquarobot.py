"""Measure Aquarobot's literal simulation: CPU time of a move of all 24 degrees of freedom.

With the lines of the stick figure as its camera sees them, but without putting them on a screen.
The thesis took 160 ms in C++ and 310 ms in Lisp, display included (aquarobot.md C1, C2).
"""

import statistics
import time
from collections.abc import Callable

import numpy as np

from walking_robots.simulation.aquarobot.moves import move_of
from walking_robots.simulation.aquarobot.robot import moved, reset_state
from walking_robots.simulation.aquarobot.views import VIEWS, Viewpoint
from walking_robots.simulation.aquarobot.wire_frame import vertices

__all__ = ['measure']

ROUNDS = 7
MOVES = 1000
MOST_MS = 0.1
"""Most CPU time a move with its figure may take in the median, ms."""
THESIS_MS = {'C++': 160.0, 'Lisp': 310.0}


def _round(view: Viewpoint | None) -> float:
    """Return the CPU time of a move, s, with what a view sees of it."""
    generator = np.random.default_rng(1993)
    moves = [
        move_of(generator.normal(0.0, 0.01, 6), generator.normal(0.0, 0.02, (6, 3)))
        for _ in range(MOVES)
    ]
    state = reset_state()
    begin = time.process_time_ns()
    for move in moves:
        state = moved(state, move)
        if view is not None:
            view.lines(vertices(state.pose, state.points))
    return (time.process_time_ns() - begin) * 1e-9 / MOVES


def measure(write: Callable[[str], object]) -> bool:
    """Print least, median and most of the rounds; return whether a move is fast enough."""
    works: dict[str, Viewpoint | None] = {'move': None, 'with figure': VIEWS['clos']}
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS):
        for name, view in works.items():
            times[name].append(1e3 * _round(view))
    write(
        f'Aquarobot, moves of 24 degrees of freedom: CPU time of a move, ms '
        f'(least, median, most of {ROUNDS} rounds of {MOVES})'
    )
    for name, found in times.items():
        write(f'  {name:12} {min(found):7.3f} {statistics.median(found):7.3f} {max(found):7.3f}')
    median = statistics.median(times['with figure'])
    ratios = ', '.join(f'{ms / median:.0f} in {name}' for name, ms in THESIS_MS.items())
    write(f'  as often in the time of one move of the thesis: {ratios}')
    return median <= MOST_MS
