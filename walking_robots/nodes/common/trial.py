"""Run a system for a trial, composed or distributed, until its observer has seen all."""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from itertools import count
from pathlib import Path
from typing import Any, Literal, Protocol

import rclpy
from rclpy.context import Context
from rclpy.signals import SignalHandlerOptions

from walking_robots.nodes.common.composition import Composition, Overrides
from walking_robots.nodes.common.network import free_domain, stay_on_this_machine
from walking_robots.nodes.common.processes import Processes
from walking_robots.nodes.common.running import make_executor, one_sentence, shut_down, spin
from walking_robots.nodes.common.walk_starter import WalkStarter
from walking_robots.nodes.recorder import page_of_overrides, record_composition

How = Literal['composed', 'distributed']
Spin = Callable[[Callable[[], bool]], None]
"""Runs the executor of a node until something holds."""

PATIENCE = 60.0
"""Wall time, s, without any step after which a trial is given up."""

UNUSED = ('viewer',)

_numbers = count(1)


class TrialError(RuntimeError):
    """Says in one sentence why a trial in the graph came to nothing."""


class TrialObserver(Protocol):
    """A node that starts a walk and measures it.

    ``heard``: when it heard of a step last, by the steady clock, s; ``ended``: it has seen all.
    """

    start: WalkStarter
    heard: float
    ended: bool


def run_graph(
    system: str,
    overrides: Overrides,
    make: Callable[..., Any],
    how: How,
    **options: Any,
) -> None:
    """Run the nodes of a system and an observer, made by ``make``, until it has ended.

    Arguments, options and errors are those of `graph_with`.
    """
    with graph_with(system, overrides, make, how, **options) as (observer, spin_until):
        spin_until(lambda: _ended(observer))


@contextmanager
def graph_with(
    system: str,
    overrides: Overrides,
    make: Callable[..., Any],
    how: How,
    *,
    without: Iterable[str] = (),
    also: Iterable[str] = (),
    domain: int | None = None,
    record: Path | None = None,
) -> Iterator[tuple[Any, Spin]]:
    """Run the nodes of a system and another, made by ``make``; yield that, and how to spin it.

    The nodes live in a ROS domain, ``domain`` or one that nothing else on this machine uses, and
    in a namespace of their own; both are printed on stderr. ``record`` is an MCAP file to write
    from before the first step on, of a composed graph. Raise TrialError when the graph does not
    get to the end.
    """
    stay_on_this_machine()
    with free_domain() if domain is None else nullcontext(domain) as own_domain:
        options = {
            'without': (*UNUSED, *without),
            'also': also,
            'domain': own_domain,
            'namespace': '/' if record else f'/trial_{os.getpid()}_{next(_numbers)}',
        }
        where = f'ROS domain {own_domain}, namespace {options["namespace"]}'
        print(f'The graph is in {where}.', file=sys.stderr)
        if how == 'composed':
            run = _composed(system, overrides, make, options, record)
        else:
            run = _distributed(system, overrides, make, options)
        with run as running:
            yield running


@contextmanager
def _composed(
    system: str,
    overrides: Overrides,
    make: Callable[..., Any],
    options: Mapping[str, Any],
    record: Path | None,
) -> Iterator[tuple[Any, Spin]]:
    graph = Composition(system, overrides, **options)
    try:
        if record is not None:
            page = page_of_overrides(system, overrides)
            record_composition(graph, record, page, simulated_time=True)
        yield graph.add('trial', make), graph.spin
    finally:
        graph.close()


@contextmanager
def _distributed(
    system: str, overrides: Overrides, make: Callable[..., Any], options: Mapping[str, Any]
) -> Iterator[tuple[Any, Spin]]:
    context = Context()
    with one_sentence():
        rclpy.init(
            args=[],
            context=context,
            domain_id=options['domain'],
            signal_handler_options=SignalHandlerOptions.NO,
        )
    try:
        with Processes(system, overrides, **options) as processes:
            node: Any = make(context=context, namespace=options['namespace'])
            executor = make_executor(context)
            executor.add_node(node)

            def over(done: Callable[[], bool]) -> bool:
                if fallen := processes.fallen():
                    raise TrialError(fallen)
                return done()

            yield node, lambda done: spin(executor, lambda: over(done))
            shut_down(executor)
    finally:
        context.try_shutdown()


def _ended(observer: TrialObserver) -> bool:
    if observer.start.refused:
        raise TrialError('the gait refuses to walk with this velocity')
    if time.monotonic() - observer.heard > PATIENCE:
        raise TrialError(f'the graph made no step for {PATIENCE:.0f} s')
    return observer.ended
