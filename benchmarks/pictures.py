"""Count what a visitor sees of each demo: ``python -m benchmarks.pictures [demo ...]``.

A demo is a system, or one with options such as 'hexapod --physics mujoco --eyes'.

Runs each demo in real time and prints the pictures a second that Chromium draws without a
graphics card, at two sizes of its window. A benchmark, not a test; the exit code is 1 below
the limit.
"""

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from benchmarks.chromium import Tab, browser
from walking_robots.systems import SYSTEMS

SIZES = ((1600, 900), (390, 800))
START, TIME = 12.0, 10.0
"""Wall time, s, that is left out, and of each measurement."""
LEAST = 20.0
"""Pictures a second."""
PORT = 8890
COUNT = """
pictures = new Set();
for (const name of ['drawElements', 'drawArrays']) {
  const draw = WebGL2RenderingContext.prototype[name];
  WebGL2RenderingContext.prototype[name] = function (...values) {
    pictures.add(document.timeline.currentTime);
    return draw.apply(this, values);
  };
}
"""


def count(tab: Tab) -> float:
    """Return how many pictures a second a page draws."""
    tab.evaluate('pictures.clear()')
    begun = time.monotonic()
    time.sleep(TIME)
    drawn = tab.evaluate('pictures.size')
    return float(drawn) / (time.monotonic() - begun)


@contextmanager
def open_demo(system: str, width: int, height: int, script: str = '') -> Iterator[Tab]:
    """Run a demo, which waits for its visitor, and yield its page, with one more script.

    system: its name, which options may follow.
    """
    command = (sys.executable, '-m', 'walking_robots', 'demo', *system.split())
    command += ('--port', str(PORT))
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as demo,
        browser() as open_address,
    ):
        assert demo.stdout is not None
        try:
            address = next(filter(None, (re.search(r'http\S+', line) for line in demo.stdout)))[0]
            tab = open_address('about:blank')
            tab.call('Page.addScriptToEvaluateOnNewDocument', source=script)
            tab.resize(width, height)
            tab.call('Page.navigate', url=address)
            yield tab
        finally:
            demo.terminate()


def measure(system: str, width: int, height: int) -> float:
    """Return the pictures a second of a demo."""
    with open_demo(system, width, height, COUNT) as tab:
        time.sleep(START)
        return count(tab)


def main() -> int:
    """Print a line for each demo."""
    failed = False
    print('Pictures a second, at', ' and '.join(f'{width}x{height}' for width, height in SIZES))
    for system in sys.argv[1:] or SYSTEMS:
        rates = [measure(system, *size) for size in SIZES]
        print(f'{system:10}', *(f'{rate:6.1f}' for rate in rates), flush=True)
        failed |= min(rates) < LEAST
    return int(failed)


if __name__ == '__main__':
    sys.exit(main())
