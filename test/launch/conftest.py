"""Run launch files as `ros2 launch` does."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchmarks.own_clock import wait_until

FOLDER = Path(__file__).parents[2] / 'launch'
SCRIPT = """
import sys
from launch import LaunchService
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource

service = LaunchService()
arguments = [text.split(':=') for text in sys.argv[2:]]
source = PythonLaunchDescriptionSource(sys.argv[1])
service.include_launch_description(
    IncludeLaunchDescription(source, launch_arguments=arguments))
sys.exit(service.run())
"""


class Launch:
    """A launch file that runs in a process group of its own, as below a terminal."""

    def __init__(self, system: str, *arguments: str) -> None:
        """Launch a system with arguments such as 'viewer:=false'."""
        self._lines: list[str] = []
        self.process = subprocess.Popen(
            [sys.executable, '-c', SCRIPT, str(FOLDER / f'{system}.launch.py'), *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=os.environ | {'PYTHONUNBUFFERED': '1'},
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        self._lines.extend(iter(self.process.stdout.readline, ''))

    @property
    def output(self) -> str:
        """Return what was written so far."""
        return ''.join(self._lines)

    def until(self, words: str) -> None:
        """Wait until the output contains some words."""
        wait_until(lambda: words in self.output, lambda: f'{words}; {self.output}')

    def until_nodes(self, *names: str) -> None:
        """Wait until nodes are on the graph."""
        import rclpy
        from rclpy.context import Context

        context = Context()
        rclpy.init(context=context)
        node = rclpy.create_node('watcher', context=context)
        wait_until(
            lambda: set(names) <= set(node.get_node_names()),
            lambda: f'all of {names}: {self.output}',
        )
        node.destroy_node()
        context.try_shutdown()

    def until_signals_are_handled(self, count: int) -> None:
        """Wait until so many processes handle SIGTERM; the interpreter itself does not."""
        wait_until(
            lambda: sum(map(_handles_sigterm, self._children())) >= count, lambda: self.output
        )

    def _children(self) -> list[str]:
        launch = self.process.pid
        return Path(f'/proc/{launch}/task/{launch}/children').read_text().split()

    def interrupt(self) -> None:
        """Send SIGINT to launch and all nodes, as Ctrl-C does; launch sends the nodes another."""
        os.killpg(self.process.pid, signal.SIGINT)

    def end(self) -> str:
        """Wait for the end of launch and all nodes, and return the output."""
        # The nodes write to the same pipe.
        wait_until(
            lambda: self.process.poll() is not None and not self._reader.is_alive(),
            lambda: f'the end of launch and all nodes: {self.output}',
        )
        return self.output

    def ended_cleanly(self, *nodes: str) -> bool:
        """Return whether each of the nodes ended with exit code 0."""
        clean = [line for line in self.output.splitlines() if 'finished cleanly' in line]
        return all(any(f'[{node}-' in line for line in clean) for node in nodes)

    def close(self) -> None:
        """Kill what is left."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return
        finally:
            self.process.wait()


def _handles_sigterm(process: str) -> bool:
    status = Path(f'/proc/{process}/status').read_text()
    fields = dict(line.split(':', 1) for line in status.splitlines())
    return bool(int(fields['SigCgt'], 16) >> (signal.SIGTERM - 1) & 1)


@pytest.fixture
def start() -> Iterator[Callable[..., Launch]]:
    """Return a function that launches a system."""
    started: list[Launch] = []

    def launch(system: str, *arguments: str) -> Launch:
        started.append(Launch(system, *arguments))
        return started[-1]

    yield launch
    for each in started:
        each.close()
