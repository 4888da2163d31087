"""Measure the driver of 18 servos at 1 Mbaud and 50 Hz: ``python -m benchmarks.servos``.

The node runs as a process on an emulated bus; commands come at all phases of its period. Prints
the share of a core and the latency from a published command to its packet on the bus; the exit
code is 1 beyond the limits, which hold on an idle machine.
"""

import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import psutil
import rclpy
from rclpy.node import Node
from walking_robots_interfaces.msg import JointCommand

from walking_robots.nodes.common.network import free_domain, stay_on_this_machine
from walking_robots.nodes.common.qos import LOOP
from walking_robots.robots.hexapod_files import find_hexapod
from walking_robots.simulation.servos.bus import EmulatedBus, emulated_robot
from walking_robots.simulation.terminal import PseudoTerminal

ROBOT = 'insect18'
CORE, LATENCY = 0.12, 0.004
"""Most share of a core, and most time, s, from a command to the bus in the median."""
PERIOD = 0.0203
"""Time, s, between two commands, not that of the bus."""
WARM_UP, TIME = 5.0, 20.0


class TimedBus:
    """Notes when each goal of the first servo arrives, by the steady clock."""

    def __init__(self, bus: EmulatedBus) -> None:
        """Begin to note."""
        self.seen: dict[int, float] = {}
        self._write = bus._write
        self._goal = bus.servos[0].model['goal']
        self._first = bus.servos[0].number
        bus._write = self._note  # type: ignore[method-assign]

    def _note(self, number: int, address: bytes, data: bytes) -> None:
        if number == self._first and len(data) == self._goal.size:
            self.seen.setdefault(int.from_bytes(data, 'little'), time.monotonic())
        self._write(number, address, data)


def measure() -> tuple[float, list[float]]:
    """Return the share of a core, and the latencies, s."""
    names = list(find_hexapod(ROBOT).joint_names())
    bus = emulated_robot(ROBOT)
    # Postures that have not been commanded yet, each a count of the first servo apart.
    start = bus.servos[0].angle + 0.05
    step = bus.servos[0].model['goal'].unit
    timed = TimedBus(bus)
    with TemporaryDirectory() as folder, free_domain() as domain:
        terminal = PseudoTerminal(bus, Path(folder) / 'servos')
        terminal.start()
        words = [f'robot:={ROBOT}', f'port:={terminal.path}', 'soft_start:=0.1']
        command = [sys.executable, '-m', 'walking_robots.nodes', 'servo_bus', '--ros-args']
        process = subprocess.Popen(
            [*command, *(word for value in words for word in ('-p', value))],
            env=os.environ | {'ROS_DOMAIN_ID': str(domain)},
        )
        rclpy.init(domain_id=domain)
        node = Node('command')
        publisher = node.create_publisher(JointCommand, 'joint_command', LOOP)
        sent: dict[int, float] = {}
        cpu: Any = None
        try:
            begin, turn = time.monotonic(), 0
            while (now := time.monotonic()) < begin + WARM_UP + TIME:
                if cpu is None and now > begin + WARM_UP:
                    cpu = (now, _cpu_of(process.pid))
                    sent.clear()
                goal = start + turn * step
                turn += 1
                count = round(goal / step) + bus.servos[0].model['goal'].zero
                sent[count] = time.monotonic()
                publisher.publish(JointCommand(name=names, position=[goal] * len(names)))
                time.sleep(max(begin + turn * PERIOD - time.monotonic(), 0.0))
            share = (_cpu_of(process.pid) - cpu[1]) / (time.monotonic() - cpu[0])
        finally:
            process.terminate()
            process.wait(10.0)
            terminal.close()
            node.destroy_node()
            rclpy.shutdown()
    return share, [timed.seen[count] - at for count, at in sent.items() if count in timed.seen]


def _cpu_of(pid: int) -> float:
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


def main() -> int:
    """Print the figures with their limits."""
    stay_on_this_machine()
    share, latencies = measure()
    middle = median(latencies)
    print(f'share of a core: {share:.3f} (at most {CORE})')
    print(
        f'command to bus: median {1e3 * middle:.2f} ms (at most {1e3 * LATENCY:g} ms), '
        f'greatest of {len(latencies)} {1e3 * max(latencies):.2f} ms'
    )
    return int(share > CORE or middle > LATENCY)


if __name__ == '__main__':
    sys.exit(main())
