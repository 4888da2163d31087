"""Hosts of a network on this machine: network namespaces, joined by a switch of the test's.

The kernel removes a namespace, its interface and its addresses with the last process in it, so
nothing remains of a test that is killed.
"""

import ctypes
import fcntl
import heapq
import os
import random
import select
import struct
import subprocess
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any

CLONE_NEWNET = 0x40000000
TUNSETIFF = 0x400454CA
IFF_TAP, IFF_NO_PI = 0x0002, 0x1000
NETWORK = '198.18.7'
"""Addresses that RFC 2544 reserves for tests of networks, seen in the namespaces only."""


class Host:
    """A network namespace with one interface, and a thread in it that starts its processes."""

    def __init__(self, number: int) -> None:
        """Make the namespace; raises OSError or CalledProcessError where that is not allowed."""
        self.address = f'{NETWORK}.{number}'
        self._thread = ThreadPoolExecutor(1)
        self.interface: int = self.run(self._enter)

    def run(self, function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        """Call a function in the namespace and return its result."""
        return self._thread.submit(function, *arguments, **options).result()

    def _enter(self) -> int:
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.unshare(CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        interface = os.open('/dev/net/tun', os.O_RDWR | os.O_NONBLOCK)
        request = struct.pack('16sH22x', b'lan', IFF_TAP | IFF_NO_PI)
        fcntl.ioctl(interface, TUNSETIFF, request)
        for words in (
            'addr add 127.0.0.1/8 dev lo',
            'link set lo up',
            f'addr add {self.address}/24 dev lan',
            'link set lan up',
            'route add 224.0.0.0/4 dev lan',
        ):
            subprocess.run(['ip', *words.split()], check=True, capture_output=True)
        return interface

    def close(self) -> None:
        """Remove the interface, and the namespace with the last of its processes."""
        os.close(self.interface)
        self._thread.shutdown()


class Switch:
    """Carries frames between hosts; ``loss`` is a share, ``delay`` a time, s, ``cut`` no host."""

    def __init__(self, hosts: list[Host]) -> None:
        """Begin to carry frames."""
        self.loss = self.delay = 0.0
        self.cut: set[Host] = set()
        self.carried = self.lost = 0
        self._hosts = {host.interface: host for host in hosts}
        self._random = random.Random(7)
        self._ending = False
        self._thread = threading.Thread(target=self._carry, daemon=True)
        self._thread.start()

    def _carry(self) -> None:
        waiting = select.poll()
        for interface in self._hosts:
            waiting.register(interface, select.POLLIN)
        due: list[tuple[float, int, int, bytes]] = []
        order = count()
        while not self._ending:
            wait = min(due[0][0] - time.monotonic(), 0.05) if due else 0.05
            for source, _ in waiting.poll(max(wait, 0.0) * 1000.0):
                frame = os.read(source, 65536)
                at = time.monotonic() + self.delay
                for target in self._hosts.keys() - {source}:
                    if self._passes(source, target):
                        heapq.heappush(due, (at, next(order), target, frame))
            while due and due[0][0] <= time.monotonic():
                _, _, target, frame = heapq.heappop(due)
                os.write(target, frame)
                self.carried += 1

    def _passes(self, source: int, target: int) -> bool:
        is_cut = self._hosts[source] in self.cut or self._hosts[target] in self.cut
        if is_cut or self._random.random() < self.loss:
            self.lost += 1
            return False
        return True

    def close(self) -> None:
        """End the thread."""
        self._ending = True
        self._thread.join()
