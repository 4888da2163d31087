"""Measure the ticks of the executor of MDLe programs: CPU time of a leaf, beside a peer's.

The peer is py_trees, where it is installed: a parallel of as many leaves, each of which reads one
number from the blackboard and compares it, under one tick of the tree.
"""

import statistics
import time
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from walking_robots.mdle.language.parser import parse_text
from walking_robots.mdle.robot import Observation, OutputSpec, RobotSpec, SpaceSpec, StopMode
from walking_robots.mdle.runtime.executor import Executor
from walking_robots.mdle.runtime.job import Job

__all__ = ['measure']

ROUNDS = 9
TICKS = 400
LEAVES, GUARDS = 100, 1000
LEAF_US, GUARDS_MS = 1.5, 1.5
"""Most CPU time in the median: of a leaf a tick, us; of a tick with 1000 guards, ms."""


class _Still:
    """A robot whose channels are numbers that change in every tick."""

    def __init__(self, size: int) -> None:
        self.spec = RobotSpec(
            'still',
            {'none': SpaceSpec('none', ())},
            {'range': OutputSpec('m', 0.0, 10.0, size=size)},
            contact='',
        )
        self._ranges = tuple(1.0 + 0.001 * index for index in range(size))

    def read(self, now: int) -> Observation:
        return Observation({'range': self._ranges}, {'range': now})

    def apply(self, space: str, control: tuple[float, ...], valid_for: float) -> None:
        raise AssertionError('nothing drives')

    def stop(self, mode: StopMode = 'brake') -> None:
        pass

    def stopped(self) -> bool:
        return True


def _program(leaves: int) -> str:
    """Return a plan of so many leaves side by side, each with a guard and a timer."""
    watch = 'atom watch(i: num) on none { until y.range[i] < 0.5 m; timeout 1000 s; }'
    lines = ''.join(f'watch({index});' for index in range(leaves))
    return f'mdle 1; {watch} plan p {{ do {{ par all {{ {lines} }}; }} }}'


def _executor(leaves: int) -> Callable[[], float]:
    """Return a function that ticks a parallel of leaves and gives the CPU time of a tick, s."""
    program = parse_text(_program(leaves))
    executor = Executor(_Still(leaves))
    now = 1_000_000_000
    executor.start(Job(program, {}, 'p'), now)

    def round_() -> float:
        nonlocal now
        begin = time.process_time_ns()
        for _ in range(TICKS):
            executor.tick(now)
            now += 1_000_000
        return (time.process_time_ns() - begin) * 1e-9 / TICKS

    return round_


def _peer(leaves: int) -> Callable[[], float] | None:
    """Return the same of py_trees, None where it is not installed."""
    try:
        trees: Any = import_module('py_trees')
    except ImportError:
        return None
    blackboard = trees.blackboard.Client(name='bench')
    children = []
    for index in range(leaves):
        key = f'range_{index}'
        blackboard.register_key(key=key, access=trees.common.Access.WRITE)
        blackboard.set(key, 1.0 + 0.001 * index)
        children.append(_leaf(trees, key))
    policy = trees.common.ParallelPolicy.SuccessOnAll(synchronise=False)
    root = trees.composites.Parallel('p', policy=policy, children=children)
    tree = trees.trees.BehaviourTree(root)

    def round_() -> float:
        begin = time.process_time_ns()
        for _ in range(TICKS // 4):
            tree.tick()
        return (time.process_time_ns() - begin) * 1e-9 / (TICKS // 4)

    return round_


def _leaf(trees: Any, key: str) -> Any:
    class Watch(trees.behaviour.Behaviour):  # type: ignore[misc,name-defined,unused-ignore]
        def __init__(self) -> None:
            super().__init__(key)
            self.board = self.attach_blackboard_client(name=key)
            self.board.register_key(key=key, access=trees.common.Access.READ)

        def update(self) -> Any:
            near = self.board.get(key) < 0.5
            return trees.common.Status.SUCCESS if near else trees.common.Status.RUNNING

    return Watch()


def _line(name: str, values: list[float], unit: float, text: str) -> str:
    low, middle, high = (f(values) * unit for f in (min, statistics.median, max))
    return f'  {name:22} {low:7.3f} {middle:7.3f} {high:7.3f}  {text}'


def measure(write: Callable[[str], object]) -> bool:
    """Print least, median and most of the rounds; return whether the ticks are fast enough."""
    ours, many, peer = _executor(LEAVES), _executor(GUARDS), _peer(LEAVES)
    times: dict[str, list[float]] = {'leaf': [], 'guards': [], 'peer': []}
    for _ in range(ROUNDS):
        times['leaf'].append(ours() / LEAVES)
        if peer:
            times['peer'].append(peer() / LEAVES)
        times['guards'].append(many())
    write(f'Ticks of MDLe programs: CPU time (least, median, most of {ROUNDS} rounds)')
    write(_line(f'a leaf of {LEAVES}', times['leaf'], 1e6, 'us a tick'))
    if peer:
        try:
            name = f'py_trees {version("py_trees")}'
        except PackageNotFoundError:
            name = 'py_trees'
        write(_line(f'{name}, the same', times['peer'], 1e6, 'us a tick'))
    else:
        write('  py_trees is not installed here: no comparison')
    write(_line(f'{GUARDS} guards', times['guards'], 1e3, 'ms a tick'))
    leaf, guards = (statistics.median(times[name]) for name in ('leaf', 'guards'))
    return leaf * 1e6 <= LEAF_US and guards * 1e3 <= GUARDS_MS
