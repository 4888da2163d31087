"""Run the executor of MDLe programs for long, and see whether anything is left behind.

``python -m benchmarks.soak_mdle`` does the million ticks and thousand cancels of
mdle.md §8, AC-44, and prints what they leave.
"""

import gc
import sys
import threading
import tracemalloc
from typing import NamedTuple

from walking_robots.mdle.knowledge.library import standard_library
from walking_robots.mdle.language.parser import parse_text
from walking_robots.mdle.runtime.executor import Executor, RunPhase
from walking_robots.mdle.runtime.job import Job
from walking_robots.mdle.runtime.settings import OperatorRequest
from walking_robots.simulation.planar.kinematic import KinematicRobot
from walking_robots.virtual_robots.scout import scout_spec

__all__ = ['Soak', 'soak']

PROGRAM = """mdle 1; import std.body2;
behavior side { do { ahead(0.1 m/s) until travelled(0.3 m) timeout 5 s; spin(90 deg); } }
plan round {
  timeout inf;
  loop forever;
  on fail => restart;
  finally stop();
  do { side(); reverse last; par any { wait(0.2 s); hold() timeout 1 s; }; }
}
"""

FULL = 12_500
"""Ticks, a little more than ten minutes: older ones are not recorded."""


class Soak(NamedTuple):
    """What is left: bytes that the heap grew by, objects and threads that are new."""

    ticks: int
    cancels: int
    grown: int
    objects: int
    threads: int


def soak(ticks: int, cancels: int) -> Soak:
    """Run so many ticks of one program, then begin and cancel it so many times.

    The heap is measured from the moment on at which the recording of what was driven is full.
    """
    executor = Executor(KinematicRobot(scout_spec()))
    job = Job(parse_text(PROGRAM), standard_library(), 'round')
    now = 1_000_000_000
    executor.start(job, now)
    now = _tick(executor, now, FULL)
    gc.collect()
    tracemalloc.start()
    try:
        now = _tick(executor, now, 200)
        gc.collect()
        threads = threading.active_count()
        before = tracemalloc.get_traced_memory()[0]
        now = _end(executor, _tick(executor, now, ticks))
        objects = 0
        for cancel in range(5 + cancels):
            executor.start(job, now)
            now = _end(executor, _tick(executor, now, 3))
            if cancel == 4:
                gc.collect()
                objects = len(gc.get_objects())
        gc.collect()
        grown = tracemalloc.get_traced_memory()[0] - before
        left = len(gc.get_objects()) - objects
        return Soak(ticks, cancels, grown, left, threading.active_count() - threads)
    finally:
        tracemalloc.stop()


def _tick(executor: Executor, now: int, ticks: int) -> int:
    for _ in range(ticks):
        executor.tick(now)
        executor.take_events()
        now += executor.settings.period
    return now


def _end(executor: Executor, now: int) -> int:
    executor.ask(OperatorRequest('cancel'))
    while executor.tick(now) is not RunPhase.TERMINATED:
        now += executor.settings.period
    executor.take_events()
    return now + executor.settings.period


if __name__ == '__main__':
    print(soak(1_000_000, 1_000))
    sys.exit(0)
