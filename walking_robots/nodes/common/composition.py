"""A whole system in one process: its nodes on one executor, with the system's parameter file."""

import gc
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import rclpy
from rclpy.parameter import Parameter
from rclpy.signals import SignalHandlerOptions

from walking_robots.documents.shared import shared_path
from walking_robots.nodes.common.intra_process import IntraProcess, IntraProcessContext
from walking_robots.nodes.common.node import GraphNode
from walking_robots.nodes.common.running import (
    end_executor,
    freeze_gc,
    make_executor,
    one_sentence,
    shut_down,
    spin,
)
from walking_robots.systems import NAMESPACED_TOPICS, SYSTEMS

REMAPPED = [word for name, own in NAMESPACED_TOPICS.items() for word in ('-r', f'{name}:={own}')]

Overrides = Mapping[str, Mapping[str, Any]]
"""Parameters that replace those of the file, by executable."""


def merged(*all_overrides: Overrides) -> Overrides:
    """Return overrides in one; of two values of a parameter the later one holds."""
    found: dict[str, dict[str, Any]] = {}
    for overrides in all_overrides:
        for name, values in overrides.items():
            found.setdefault(name, {}).update(values)
    return found


def parameter_file(system: str) -> Path:
    """Find the parameter file of a system, installed or in the source tree."""
    return shared_path(SYSTEMS[system].parameters)


class Composition:
    """The nodes of a system in this process, in a context of their own.

    ``domain`` is the ROS domain, None the one of the environment; ``namespace`` begins with a
    slash; ``also`` names nodes that run only where they are asked for. More can be added.
    """

    def __init__(
        self,
        system: str,
        overrides: Overrides | None = None,
        *,
        without: Iterable[str] = (),
        also: Iterable[str] = (),
        domain: int | None = None,
        namespace: str = '/',
    ) -> None:
        """Start the nodes of a system; raise ConfigurationError for a wrong parameter."""
        self.context = IntraProcessContext()
        with one_sentence():
            rclpy.init(
                args=[],
                context=self.context,
                domain_id=domain,
                signal_handler_options=SignalHandlerOptions.NO,
            )
        self._namespace = namespace
        self.executor = make_executor(self.context)
        self.context.intra_process = IntraProcess(self.executor)
        self.nodes: dict[str, GraphNode] = {}
        self._made: dict[str, tuple[Callable[..., Any], Sequence[str], dict[str, Any]]] = {}
        path = str(parameter_file(system))
        try:
            for name in (*SYSTEMS[system].nodes, *also):
                if name not in without:
                    make = SYSTEMS[system].node_class(name)
                    values = (overrides or {}).get(name, {})
                    with one_sentence():
                        self.add(name, make, ['--params-file', path], values)
        except BaseException:
            self.close()
            raise
        freeze_gc()

    def add(
        self,
        name: str,
        make: Callable[..., Any],
        arguments: Sequence[str] = (),
        values: Mapping[str, Any] | None = None,
    ) -> Any:
        """Start one more node and give it."""
        node = make(
            context=self.context,
            cli_args=['--ros-args', '-r', f'__ns:={self._namespace}', *REMAPPED, *arguments],
            use_global_arguments=False,
            parameter_overrides=[
                Parameter(key, value=value) for key, value in (values or {}).items()
            ],
        )
        if isinstance(node, GraphNode):
            node.warn_of_unknown_parameters()
        self.nodes[name] = node
        self._made.setdefault(name, (make, arguments, dict(values or {})))
        self.executor.add_node(node)
        return node

    def restart(self, changes: Overrides) -> None:
        """End some nodes and start them anew, with these parameters in place of their first.

        All nodes get a new executor: one that runs can lose no node safely; see `end_executor`.
        """
        if not changes:
            return
        ending = [self.nodes.pop(name) for name in changes]
        for node in ending:
            self._end(node)
        self.context.intra_process.attach(None)
        end_executor(self.executor)
        for node in ending:
            node.destroy_node()
        self.executor = make_executor(self.context)
        for node in self.nodes.values():
            self.executor.add_node(node)
        self.context.intra_process.attach(self.executor)
        for name, values in changes.items():
            make, arguments, before = self._made[name]
            # The old one keeps its place on /rosout for a while.
            self.add(name, partial(make, enable_rosout=False), arguments, {**before, **values})

    def spin(self, done: Callable[[], bool]) -> None:
        """Run all nodes until ``done``; raise what a callback of theirs raises."""
        over = False

        def pause() -> bool:
            nonlocal over
            if self.context.intra_process.error is not None:
                raise self.context.intra_process.error
            over = done()
            return over or self.executor is not executor

        while not over:
            executor = self.executor
            spin(executor, pause)

    def close(self) -> None:
        """End all nodes, the robot at rest."""
        for node in self.nodes.values():
            self._end(node)
        self.context.intra_process.close()
        shut_down(self.executor)
        self.nodes.clear()
        self.context.try_shutdown()
        # The participants of the middleware last until their nodes are collected.
        gc.unfreeze()
        gc.collect()

    def _end(self, node: GraphNode) -> None:
        """Halt the robot of a node for good."""
        if isinstance(node, GraphNode):
            try:
                node.end()
            except Exception as error:
                # The others have robots to stop, too.
                node.get_logger().error(f'could not end in peace: {error}')
