"""A demonstration waits for its first visitor, and is shown again by a click."""

import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from benchmarks.own_clock import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.graph]


class Demo:
    """A demonstration in another process, and what it prints."""

    def __init__(self, process: 'subprocess.Popen[str]') -> None:
        self.lines: list[str] = []
        self._process = process
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        self.lines.extend(iter(self._process.stdout.readline, ''))

    def line(self, pattern: str, after: int = 0) -> 're.Match[str]':
        """Wait for a line after the first ones that a pattern is found in."""

        def found() -> Any:
            assert self._process.poll() is None, self.lines
            return next(filter(None, (re.search(pattern, x) for x in self.lines[after:])), None)

        return wait_until(found, lambda: f'{pattern} in {self.lines}')


@contextmanager
def demo(system: str, port: int) -> Iterator[Demo]:
    process = subprocess.Popen(
        [sys.executable, '-m', 'walking_robots', 'demo', system, '--port', str(port)],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield Demo(process)
    finally:
        process.terminate()
        process.wait()


@pytest.mark.parametrize('system', ['asv', 'scout'])
def test_a_show_waits_for_its_visitor_and_is_shown_again(
    system: str, open_tab: Callable[[str], Any]
) -> None:
    with demo(system, 8497) as shown:
        url = shown.line(r'Open (\S+) in a browser: the show begins when the page is open')[1]
        shown.line('Tools join')
        before = len(shown.lines)
        assert shown.lines[-1].startswith('Tools join'), 'the show has begun without a visitor'
        tab = open_tab(url)
        # It begins at the beginning.
        assert float(shown.line(r'([\d.]+) s  x', before)[1]) <= 8.0
        shown.line(r'1\d\.\d s  x', before)
        again = len(shown.lines)
        tab.click('Replay')
        assert float(shown.line(r'\b(\d\.\d) s  x', again)[1]) <= 8.0
        assert tab.complaints() == []
