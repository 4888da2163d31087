"""Measure how much faster two workers sweep than one: ``python -m benchmarks.sweeps``.

Prints the wall times, which mean something on an idle machine only, and the time that as many free
processors would take by the CPU times: of the busiest worker, or of all processes together shared
out evenly, whichever is longer. The exit code is 1 where two workers are less than 1.8 times as
fast by CPU times. These grow with the load of other processes, too: more than 2 times as fast
means that it fell between the two sweeps, so take the figure of an idle machine.
"""

import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

WORDS = ('asv', '--ditch', '7ft', '--forbidden', '0.2,0.3', '--seed', '770003', '--repeat', '24')
LIMIT = 1.8
PERIOD = 0.1
"""Wall time, s, between two looks at the processes."""


def measure(workers: int) -> tuple[float, float]:
    """Return wall time, and the time by CPU times, s, of a sweep by so many workers."""
    used: dict[int, float] = {}
    computing: set[int] = set()
    with TemporaryDirectory() as folder:
        words = [sys.executable, '-m', 'walking_robots', 'sweep', *WORDS, '--jobs', str(workers)]
        begun = time.monotonic()
        sweep = psutil.Popen(
            [*words, '--out', str(Path(folder, 'runs.csv'))], stdout=subprocess.DEVNULL
        )
        while sweep.poll() is None:
            with suppress(psutil.Error):
                for process in (sweep, *sweep.children(recursive=True)):
                    with suppress(psutil.Error):
                        used[process.pid] = sum(process.cpu_times()[:2])
                        if 'spawn_main' in ' '.join(process.cmdline()):
                            computing.add(process.pid)
            time.sleep(PERIOD)
        wall = time.monotonic() - begun
        assert sweep.returncode == 0
    busiest = max(used[worker] for worker in computing)
    return wall, max(busiest, sum(used.values()) / max(workers, 1))


def main() -> int:
    """Print both and their ratio."""
    (wall, one), (wall_of_two, two) = measure(1), measure(2)
    print(f'sweep, one worker: {wall:.1f} s, by CPU times {one:.1f} s')
    print(f'sweep, two workers: {wall_of_two:.1f} s, by CPU times {two:.1f} s')
    load = os.getloadavg()[0]
    print(
        f'two workers are {one / two:.2f} times as fast by CPU times, '
        f'{wall / wall_of_two:.2f} by wall time; load {load:.1f} on {os.cpu_count()} processors'
    )
    return int(one / two < LIMIT)


if __name__ == '__main__':
    sys.exit(main())
