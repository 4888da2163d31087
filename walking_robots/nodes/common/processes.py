"""A whole system as processes of its own, started and ended by their ids.

They end with this process, however it ends, and leave no files.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from functools import partial
from typing import IO

import yaml

from walking_robots.nodes.common.composition import REMAPPED, Overrides, parameter_file
from walking_robots.nodes.common.unnamed_file import path_of, unnamed_file
from walking_robots.systems import SYSTEMS
from walking_robots.trials.common.parent_death import end_with_parent

PATIENCE = 5.0
"""Wall time, s, that a process gets to end in peace."""


class Processes:
    """The nodes of a system, one process each, for ``with``."""

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
        """Start the nodes of a system, in a namespace that begins with a slash."""
        self._namespace = namespace
        values = {
            f'/**/{name}': {'ros__parameters': dict(found)}
            for name, found in (overrides or {}).items()
        }
        self._overrides = unnamed_file(yaml.safe_dump(values or {'/**': {'ros__parameters': {}}}))
        self._parameters = (parameter_file(system), path_of(self._overrides))
        self._logs: dict[str, IO[str]] = {}
        self._environment = dict(os.environ)
        if domain is not None:
            self._environment['ROS_DOMAIN_ID'] = str(domain)
        self.running: dict[str, subprocess.Popen[str]] = {}
        for name in (*SYSTEMS[system].nodes, *also):
            if name not in without:
                self.start(name)

    def start(self, name: str) -> 'subprocess.Popen[str]':
        """Start one node, also once more after it has ended."""
        command = [sys.executable, '-m', 'walking_robots.nodes', name, '--ros-args']
        command += ['-r', f'__ns:={self._namespace}', *REMAPPED]
        for path in self._parameters:
            command += ['--params-file', str(path)]
        # A pipe that nobody reads would stop a node that complains a lot.
        self._logs[name] = unnamed_file()
        self.running[name] = subprocess.Popen(
            command,
            env=self._environment,
            text=True,
            stderr=self._logs[name],
            preexec_fn=partial(end_with_parent, os.getpid()),
        )
        return self.running[name]

    def log(self, name: str) -> str:
        """Return what a node has written to its log since it was started last."""
        return path_of(self._logs[name]).read_text(errors='replace')

    def kill(self, name: str) -> None:
        """Kill one node where it stands."""
        process = self.running.pop(name)
        process.send_signal(signal.SIGKILL)
        process.wait()

    def fallen(self) -> str:
        """Say which node has ended by itself, and its last words; empty when all run."""
        for name, process in self.running.items():
            if process.poll() is not None:
                words = self.log(name).strip().splitlines()
                return f'{name} ended with code {process.returncode}: {"".join(words[-1:])}'
        return ''

    def __enter__(self) -> 'Processes':
        return self

    def __exit__(self, *error: object) -> None:
        """End all processes, in peace where they can."""
        for process in self.running.values():
            if process.poll() is None:
                process.terminate()
        deadline = time.monotonic() + PATIENCE
        for process in self.running.values():
            try:
                process.wait(timeout=max(deadline - time.monotonic(), 0.1))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.running.clear()
        for file in (self._overrides, *self._logs.values()):
            file.close()
