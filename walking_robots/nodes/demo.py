"""Run the demo of a system: its nodes in one process, a page, and lines for the terminal."""

import os
import signal
import sys
import threading
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from walking_robots.documents.sentences import one_line
from walking_robots.nodes.common.composition import Composition
from walking_robots.nodes.common.demo import Show
from walking_robots.nodes.common.network import free_domain, stay_on_this_machine
from walking_robots.nodes.common.node import ConfigurationError
from walking_robots.nodes.common.running import Stop
from walking_robots.nodes.recorder import page_of_overrides, record_composition
from walking_robots.systems import SYSTEMS, load

ONCE_SPEED = 10.0
"""Real-time factor of a demo that ends by itself."""


def run_demo(
    system: str = 'asv',
    *,
    once: bool = False,
    port: int | None = None,
    open_to_network: bool = False,
    speed: float | None = None,
    record: Path | None = None,
    options: Mapping[str, Any] | None = None,
) -> int:
    """Show a system in the browser until Ctrl-C and return the exit code.

    The show begins with the first visitor of the page, which can have it shown again.
    The nodes are in a ROS domain that nothing else on this machine uses, whatever the environment
    says, so that no other robot moves. once: begin at once and end after the show, with 0 when
    the robot has done it and 1 when it has not; open_to_network: serve the page to other
    machines, too; speed: the real-time factor, by default 10 with ``once`` and 1 without; record:
    an MCAP file to write; options: those that the demo of the system takes. Raises ValueError
    for a wrong option.
    """
    stay_on_this_machine()
    speed = speed if speed is not None else ONCE_SPEED if once else 1.0

    stop = Stop()

    def say(line: str) -> None:
        try:
            print(line, flush=True)
        except BrokenPipeError:
            # Who read the lines has gone, as `head` does.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            stop(signal.SIGPIPE, None)

    graph: Composition | None = None
    demo = SYSTEMS[system].demo
    show: Show = load(f'nodes.{demo.show}')(**demo.arguments() | dict(options or {}))
    try:
        values = {name: dict(found) for name, found in show.overrides(float(speed)).items()}
        if port is not None:
            values.setdefault('viewer', {})['port'] = port
        if open_to_network:
            values.setdefault('viewer', {})['host'] = '0.0.0.0'
        with free_domain() as domain:
            graph = Composition(
                show.system or system, values, without=show.without, also=show.also, domain=domain
            )
            viewer: Any = graph.nodes['viewer']
            if record is not None:
                page = page_of_overrides(show.system or system, values)
                record_composition(graph, record, page)
            if viewer.page.detour:
                say(f'Note: {viewer.page.detour}.')
            say(demo.summary)
            begins = ': the show begins when the page is open, and Replay shows it again.'
            how = '; it ends by itself.' if once else begins
            say(f'Open {viewer.page.url} in a browser{how} Ctrl-C ends.')
            if viewer.page.warning:
                say(f'Note: {viewer.page.warning}')
            say(
                'Tools join with: '
                f'export ROS_DOMAIN_ID={domain} ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST'
            )
            replay = threading.Event()
            viewer.page.offer_replay(replay.set)
            running = graph

            def over() -> bool:
                presenter: Any = running.nodes.get('presenter')
                if presenter is None:
                    if once or viewer.page.is_visited():
                        running.add('presenter', partial(show.make, say))
                elif replay.is_set():
                    replay.clear()
                    running.restart({**presenter.rewind(), 'presenter': {}})
                else:
                    running.restart(presenter.changes())
                return stop.requested or (once and presenter is not None and presenter.ended)

            graph.spin(over)
            shown: Any = graph.nodes.get('presenter')
            return 0 if stop.requested or shown.succeeded else 1
    except ConfigurationError as error:
        print(one_line(str(error)), file=sys.stderr)
        return 2
    finally:
        if graph is not None:
            graph.close()
        stop.release()
