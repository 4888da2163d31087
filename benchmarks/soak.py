"""Run each system for long as its demo does, and see what it leaves behind.

``make soak`` runs all systems, one after the other, ten minutes each; ``SYSTEM=scout MINUTES=60``
runs one for an hour. The nodes of a system are in one process, in real time, the robot moves all
the time, and a visitor has its page open. The exit code is 1 where resident memory grows by more
than 1 MB an hour after the first minute, or descriptors or threads become more.
"""

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from walking_robots.systems import SYSTEMS, load
from walking_robots.trials.common.parent_death import end_with_parent

__all__ = ['SoakResult', 'demo_nodes', 'growth_per_hour', 'soak', 'verdict']

WARM_UP = 60.0
"""Wall time, s, after which growth counts; a third of a shorter run."""
MOST_GROWTH = 1.0
"""MB an hour."""
SAMPLES = 600
"""Of a run; a list that grew with its length would count as growth."""
POINTS = 200
"""Of which the growth is computed."""
PORT = 8700
CAMERA = {
    'type': 'ViewerCameraMessage',
    'wxyz': (1.0, 0.0, 0.0, 0.0),
    'position': (3.0, 3.0, 3.0),
    'fov': 0.8,
    'near': 0.01,
    'far': 1000.0,
    'image_height': 900,
    'image_width': 1600,
    'look_at': (0.0, 0.0, 0.0),
    'up_direction': (0.0, 0.0, 1.0),
}
"""What a page says first."""


class SoakResult(NamedTuple):
    """What a system left behind.

    memory: resident, MB, after the first minute and at the end; growth: MB an hour; descriptors,
    threads: after the first minute and at the end; missed: ticks; cpu: share of a core.
    """

    system: str
    minutes: float
    memory: tuple[float, float]
    growth: float
    descriptors: tuple[int, int]
    threads: tuple[int, int]
    missed: int
    cpu: float


class _Usage(NamedTuple):
    """Resources of this process at a time, s: MB, numbers, and s of CPU."""

    at: float
    memory: float
    descriptors: int
    threads: int
    cpu: float


def growth_per_hour(times: Sequence[float], values: Sequence[float]) -> float:
    """Return the growth of values an hour, by the median slope between two points (Theil, Sen).

    times: s, ascending.
    """
    parts = np.array_split(np.arange(len(times)), min(POINTS, len(times)))
    t = np.array([np.median(np.take(times, part)) for part in parts])
    v = np.array([np.median(np.take(values, part)) for part in parts])
    later, earlier = np.tril_indices(len(t), -1)
    if not len(later):
        return 0.0
    return 3600.0 * float(np.median((v[later] - v[earlier]) / (t[later] - t[earlier])))


def verdict(found: SoakResult) -> list[str]:
    """Return what grew, empty where nothing did."""
    wrong = []
    if found.growth > MOST_GROWTH:
        wrong.append(f'memory grows by {found.growth:.1f} MB an hour')
    for name in ('descriptors', 'threads'):
        before, after = getattr(found, name)
        if after > before:
            wrong.append(f'{name} grew from {before} to {after}')
    return wrong


def _usage() -> _Usage:
    pages = int(Path('/proc/self/statm').read_text().split()[1])
    return _Usage(
        time.monotonic(),
        pages * os.sysconf('SC_PAGE_SIZE') / 1e6,
        len(os.listdir('/proc/self/fd')),
        len(os.listdir('/proc/self/task')),
        time.process_time(),
    )


@contextmanager
def demo_nodes(demonstration: str, port: int, *, paused: bool = True) -> Iterator[tuple[Any, ...]]:
    """Run the nodes of a demo in this process: of a system, which options may follow.

    Yields the composition, a function that adds the presenter, and a visitor of the page, which
    has a port, to be started. paused: whether a simulation may wait for the presenter.
    """
    from walking_robots.nodes.common.composition import Composition
    from walking_robots.nodes.common.network import free_domain, stay_on_this_machine

    stay_on_this_machine()
    system, *words = demonstration.replace('--', '').split()
    demo = SYSTEMS[system].demo
    options = dict(zip(words[::2], words[1::2], strict=True))
    show = load(f'nodes.{demo.show}')(**demo.arguments() | options)
    values = {name: dict(found) for name, found in show.overrides(1.0).items()}
    values.setdefault('viewer', {})['port'] = port
    if not paused:
        for node in values.values():
            node.pop('start_paused', None)
    with free_domain() as domain:
        graph = Composition(
            show.system or system, values, without=show.without, also=show.also, domain=domain
        )
        viewer: Any = graph.nodes['viewer']
        visitor = get_context('spawn').Process(target=visit, args=(viewer.page.url,), daemon=True)
        try:
            make = partial(show.make, lambda line: None)
            yield graph, partial(graph.add, 'presenter', make), visitor
        finally:
            if visitor.is_alive():
                visitor.terminate()
            graph.close()


def soak(system: str, minutes: float, port: int) -> SoakResult:
    """Run a system in this process for some minutes of wall time; its page has a port."""
    from benchmarks.soak_mover import Mover

    walks = Mover.walks(system)
    with demo_nodes(system, port, paused=not walks) as (graph, present, visitor):
        if not walks:
            present()
        mover = graph.add('mover', partial(Mover, system))
        visitor.start()
        begun, taken = time.monotonic(), list[_Usage]()

        def over() -> bool:
            if time.monotonic() - begun >= len(taken) * 60.0 * minutes / SAMPLES:
                taken.append(_usage())
            return time.monotonic() - begun > 60.0 * minutes

        graph.spin(over)
        if not visitor.is_alive():
            raise RuntimeError(f'{system}: the page has closed its connection')
        return _result(system, minutes, taken, mover.missed)


def visit(page: str) -> None:
    """Keep a page open and read all that it sends."""
    import msgspec
    from viser import __version__
    from websockets import Subprotocol
    from websockets.sync.client import connect

    end_with_parent(os.getppid())
    with connect(
        page.replace('http', 'ws', 1),
        subprotocols=[Subprotocol(f'viser-v{__version__}')],
        max_size=None,
    ) as connection:
        # Until it has placed its camera, a page gets no pictures.
        connection.send(msgspec.msgpack.encode(CAMERA))
        for _ in connection:
            pass


def _result(system: str, minutes: float, taken: list[_Usage], missed: int) -> SoakResult:
    first = taken[0].at + min(WARM_UP, 20.0 * minutes)
    late = [usage for usage in taken if usage.at >= first]
    start, end = late[0], late[-1]
    return SoakResult(
        system,
        minutes,
        (start.memory, end.memory),
        growth_per_hour([usage.at for usage in late], [usage.memory for usage in late]),
        (start.descriptors, end.descriptors),
        (start.threads, end.threads),
        missed,
        (end.cpu - start.cpu) / (end.at - start.at),
    )


def main() -> int:
    """Run the systems and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('systems', nargs='*', help=f'of {", ".join(SYSTEMS)}; all by default')
    parser.add_argument('--minutes', type=float, default=10.0, help='of each system')
    parser.add_argument('--jobs', type=int, default=1, help='systems side by side')
    options = parser.parse_args()
    systems = options.systems or list(SYSTEMS)
    print('system       min   MB first   MB end  MB/hour  descriptors  threads  missed   CPU')
    failed = False
    with ProcessPoolExecutor(
        options.jobs,
        mp_context=get_context('spawn'),
        initializer=end_with_parent,
        initargs=(os.getpid(),),
        max_tasks_per_child=1,
    ) as pool:
        ports = [PORT + number for number in range(len(systems))]
        found: Any
        for found in pool.map(soak, systems, [options.minutes] * len(systems), ports):
            descriptors, threads = ('{}→{}'.format(*pair) for pair in (found[4], found[5]))
            print(
                f'{found.system:10} {found.minutes:5.1f} {found.memory[0]:10.1f} '
                f'{found.memory[1]:8.1f} {found.growth:8.2f} {descriptors:>12} {threads:>8} '
                f'{found.missed:7} {found.cpu:5.0%}',
                flush=True,
            )
            for sentence in verdict(found):
                failed = True
                print(f'{found.system}: {sentence}', flush=True)
    return int(failed)


if __name__ == '__main__':
    sys.exit(main())
