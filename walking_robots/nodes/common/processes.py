"""A whole system as processes of its own, started and ended by their ids."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

import yaml

from walking_robots.nodes.common.composition import Overrides, parameter_file
from walking_robots.systems import SYSTEMS

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
        domain: int | None = None,
        namespace: str = '/',
    ) -> None:
        """Start the nodes of a system, in a namespace that begins with a slash."""
        self._namespace = namespace
        self._system = SYSTEMS[system]
        self._folder = tempfile.TemporaryDirectory(prefix='walking_robots_')
        self._overrides = Path(self._folder.name) / 'overrides.yaml'
        values = {
            f'/**/{name}': {'ros__parameters': dict(found)}
            for name, found in (overrides or {}).items()
        }
        self._overrides.write_text(yaml.safe_dump(values or {'/**': {'ros__parameters': {}}}))
        self._parameters = parameter_file(system)
        self._environment = dict(os.environ)
        if domain is not None:
            self._environment['ROS_DOMAIN_ID'] = str(domain)
        self.running: dict[str, subprocess.Popen[str]] = {}
        for name in self._system.nodes:
            if name not in without:
                self.start(name)

    def start(self, name: str) -> 'subprocess.Popen[str]':
        """Start one node, also once more after it has ended."""
        module = self._system.nodes[name].split(':')[0]
        command = [sys.executable, '-m', f'walking_robots.nodes.{module}', '--ros-args']
        command += ['-r', f'__ns:={self._namespace}']
        for path in (self._parameters, self._overrides):
            command += ['--params-file', str(path)]
        # A pipe that nobody reads would stop a node that complains a lot.
        with self._words(name).open('w') as stream:
            self.running[name] = subprocess.Popen(
                command, env=self._environment, text=True, stderr=stream
            )
        return self.running[name]

    def log(self, name: str) -> str:
        """Return what a node has written to its log since it was started last."""
        return self._words(name).read_text(errors='replace')

    def _words(self, name: str) -> Path:
        return Path(self._folder.name) / f'{name}.log'

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
        self._folder.cleanup()
