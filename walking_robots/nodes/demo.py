"""A demonstration: a system in one process, a page to watch it, and lines for the terminal."""

import os
import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple, Protocol, runtime_checkable

from walking_robots.nodes.ars_magna.demo import ArsDemo
from walking_robots.nodes.biped.demo import BipedDemo
from walking_robots.nodes.common.composition import Composition, Overrides
from walking_robots.nodes.common.node import RefusedError
from walking_robots.nodes.common.running import Stop
from walking_robots.nodes.hexapod.demo import HexapodDemo, hexapod_overrides, scenes
from walking_robots.nodes.hexapod.demo_asv import AsvDemo
from walking_robots.nodes.hexapod.robot import left_out
from walking_robots.nodes.mdle.demo import MdleDemo
from walking_robots.nodes.scout.demo import ScoutDemo
from walking_robots.robots.hexapod_files import find_hexapod

__all__ = ['run_demo']

FAST = 10.0
"""Speed of time where nobody stays to watch."""


class Demo(Protocol):
    """A node that shows a system: it makes the robot do something and says what that is."""

    ended: bool
    """There is nothing more to show."""

    @property
    def succeeded(self) -> bool:
        """Tell whether the robot did what was to be shown."""


class Show(NamedTuple):
    """How a system is demonstrated.

    ``make`` starts the node that shows it, given what to say lines with and the options of a
    node; ``overrides`` gives the parameters of the system's nodes for a speed of time;
    ``without`` are nodes that it does without.
    """

    make: Callable[..., Demo]
    overrides: Callable[[float], Overrides]
    without: tuple[str, ...] = ()


@runtime_checkable
class Changeable(Protocol):
    """A node that wants others to be started anew now and then."""

    def changes(self) -> Overrides:
        """Give new parameters of the nodes that are to be started anew; once for each wish."""


DEMOS: Mapping[str, Show] = {
    'asv': Show(AsvDemo, AsvDemo.overrides),
    'biped': Show(BipedDemo, BipedDemo.overrides, without=('joint_servo',)),
    'scout': Show(ScoutDemo, ScoutDemo.overrides),
    'mdle': Show(MdleDemo, MdleDemo.overrides),
    'ars_magna': Show(ArsDemo, ArsDemo.overrides),
}


def run_demo(
    system: str = 'asv',
    *,
    once: bool = False,
    port: int | None = None,
    speed: float | None = None,
    robot: str = '',
    gait: str = '',
) -> int:
    """Show a system in the browser until Ctrl-C, and give the exit code.

    With ``once`` it ends after what there is to show: 0 when the robot has done it, 1 when it has
    not. ``speed`` is simulated time per wall time, ten with ``once`` and one without it where none
    is given; ``robot`` and ``gait`` are those of a hexapod on articulated legs. Raise ValueError
    for one that is none.
    """
    os.environ.setdefault('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
    speed = speed if speed is not None else FAST if once else 1.0

    def say(line: str) -> None:
        print(line, flush=True)

    stop = Stop()
    graph: Composition | None = None
    show = DEMOS[system] if system in DEMOS else _hexapod(robot, gait)
    try:
        values = {name: dict(found) for name, found in show.overrides(float(speed)).items()}
        if port is not None:
            values.setdefault('viewer', {})['port'] = port
        graph = Composition(system, values, without=show.without)
        viewer: Any = graph.nodes['viewer']
        if viewer.page.detour:
            say(f'Note: {viewer.page.detour}.')
        end = 'it ends by itself, and with Ctrl-C' if once else 'Ctrl-C ends'
        say(f'Open {viewer.page.url} in a browser; {end}.')
        presenter: Demo = graph.add('presenter', partial(show.make, say))
        running = graph

        def over() -> bool:
            if isinstance(presenter, Changeable):
                running.restart(presenter.changes())
            return stop.requested or (once and presenter.ended)

        graph.spin(over)
        return 0 if stop.requested or presenter.succeeded else 1
    except RefusedError as error:
        print(error, file=sys.stderr)
        return 2
    finally:
        if graph is not None:
            graph.close()
        stop.release()


def _hexapod(robot: str, gait: str) -> Show:
    """Give how a hexapod, a shipped one or that of a file, is demonstrated in a gait."""
    found = find_hexapod(robot)
    return Show(
        partial(HexapodDemo, scenes=scenes(found, gait)),
        partial(hexapod_overrides, robot, gait),
        without=left_out(gait),
    )
