"""Measure how fast the graph walks: ``python -m benchmarks.graph [steps]``.

Prints, for the composed and the distributed graph in lock-step, simulated time per wall time
and the wall time of a step. Starting up is left out. A benchmark, not a test.
"""

import platform
import statistics
import sys
import time
from typing import Literal

from walking_robots.gaits.gait_step import GaitStep
from walking_robots.nodes.hexapod.trial_free import run_in_graph
from walking_robots.robots.asv import ASV, ft
from walking_robots.trials.hexapod.asv import AsvTrial

WAYS: tuple[Literal['composed', 'distributed'], ...] = ('composed', 'distributed')
WARM_UP = 20
"""Steps left out at the beginning."""


def measure(how: Literal['composed', 'distributed'], steps: int) -> tuple[list[float], float]:
    """Walk on flat ground at 0.4 ft/s.

    Give the wall time of every step and the CPU time of this process for a step, s.
    """
    at: list[float] = []
    cpu: list[float] = []

    def note(step: GaitStep) -> None:
        at.append(time.perf_counter())
        cpu.append(time.process_time())

    trial = AsvTrial(speed=ft(0.4), max_time=steps * ASV.timing.dt, goal=1e9)
    run_in_graph(trial, how, watch=note)
    walls = [b - a for a, b in zip(at[WARM_UP:], at[WARM_UP + 1 :], strict=False)]
    return walls, (cpu[-1] - cpu[WARM_UP]) / len(walls)


def main() -> int:
    """Print the figures."""
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 700
    print(f'Python {platform.python_version()}, {steps} steps of {ASV.timing.dt} s')
    for how in WAYS:
        walls, cpu = measure(how, steps)
        mean, median = statistics.fmean(walls), statistics.median(walls)
        # Where nodes are processes of their own, this one only watches.
        spent = f', {cpu * 1e3:.2f} ms of CPU' if how == 'composed' else ''
        print(
            f'{how:12} {ASV.timing.dt / mean:6.1f} times real time; '
            f'a step takes {median * 1e3:.2f} ms (median), {mean * 1e3:.2f} ms (mean)'
            f'{spent}'
        )
    return 0


if __name__ == '__main__':
    sys.exit(main())
