"""Measure what demos cost in real time: ``python -m benchmarks.demos [demo ...]``.

A demo is a system, or one with options such as 'mdle --plan explore'. Prints CPU time in percent
of a core and how often the executor wakes, without a page and with an open one.
A benchmark, not a test; the exit code is 1 above the limits.
"""

import sys
import time

from benchmarks.soak import demo_nodes
from walking_robots.systems import SYSTEMS

START, TIME = 10.0, 20.0
"""Wall time, s, that is left out, and of the measurement."""
PORT = 8790
MOST = {False: 0.15, True: 0.25}
"""Share of a core without a page, and with one."""


def measure(system: str, visited: bool) -> tuple[float, float]:
    """Run a demo in real time; give its share of a core and the spins of its executor a second."""
    spins, at = 0, list[tuple[float, float, int]]()
    with demo_nodes(system, PORT) as (graph, present, visitor):
        presenter = present()
        if visited:
            visitor.start()
        begun = time.monotonic()

        def over() -> bool:
            nonlocal spins
            spins += 1
            graph.restart(presenter.changes())
            now = time.monotonic()
            if now - begun > START + len(at) * TIME:
                at.append((now, time.process_time(), spins))
            return len(at) == 2

        graph.spin(over)
    (t0, cpu0, spins0), (t1, cpu1, spins1) = at
    return (cpu1 - cpu0) / (t1 - t0), (spins1 - spins0) / (t1 - t0)


def main() -> int:
    """Print a line for each demo."""
    failed = False
    print(f'Shares of a core, start-up of {START:g} s left out, spins a second')
    for system in sys.argv[1:] or (*SYSTEMS, 'mdle --plan explore'):
        line = f'{system:10}'
        for visited, name in ((False, 'no page'), (True, 'a page')):
            share, spins = measure(system, visited)
            line += f'  {name} {share:5.1%} {spins:6.0f}/s'
            failed |= share > MOST[visited]
        print(line, flush=True)
    return int(failed)


if __name__ == '__main__':
    sys.exit(main())
