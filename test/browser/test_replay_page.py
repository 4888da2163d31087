"""A record of a walk on its page: time passes, is held and is gone to; nothing drives."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.own_clock import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.graph]

COMMAND = [sys.executable, '-m', 'walking_robots']
STEPS = 56
NAMED = """(() => {{
  let e = [...document.querySelectorAll("*")].find(
    e => !e.children.length && e.innerText?.trim() == {label!r});
  while (e && !e.querySelector({kind!r})) e = e.parentElement;
  return e?.querySelector({kind!r});
}})()"""
TIME = NAMED.format(label='Time, s', kind='[role=slider]')
HELD = NAMED.format(label='Pause', kind='input[type=checkbox]')
SPEED = NAMED.format(label='Speed', kind='[role=slider]')


@pytest.fixture(scope='module')
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the record of a walk of 5.6 s."""
    path = tmp_path_factory.mktemp('record') / 'walk.mcap'
    words = ('trial', 'asv', '--speed', '1ft/s', '--goal', '12ft', '--record', str(path), '--json')
    done = subprocess.run([*COMMAND, *words], capture_output=True, text=True, check=True)
    assert f'"steps": {STEPS}' in done.stdout
    return path


@pytest.fixture
def address(record: Path) -> Iterator[str]:
    """Return the address of the page of the record."""
    process = subprocess.Popen(
        [*COMMAND, 'replay', str(record), '--port', '8463'], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        found = re.search(r'Open (\S+) in a browser', process.stdout.readline())
        assert found is not None
        yield found[1]
    finally:
        process.terminate()
        assert process.wait() == 0


def test_a_person_goes_through_a_record(address: str, open_tab: Callable[[str], Any]) -> None:
    tab = open_tab(address)
    tab.wait_for(f'!!document.body && !!{TIME}')
    for label, thing in (('time', TIME), ('speed', SPEED)):
        tab.evaluate(f'{thing}.setAttribute("id", {label!r})')

    def time() -> float:
        return float(tab.evaluate('document.querySelector("#time").getAttribute("aria-valuenow")'))

    def step() -> int:
        found = re.search(r'\bstep\s+(\d+)', tab.evaluate('document.body.innerText'))
        return int(found[1]) if found else -1

    # It ends by itself, held at its last step.
    tab.press('#speed', 'End')
    tab.wait_for(f'{HELD}.checked')
    assert time() == pytest.approx(0.1 * (STEPS - 1), abs=0.06)
    wait_until(lambda: step() == STEPS, 'the last step')

    # While it is held, a person goes to any time.
    tab.press('#time', 'Home')
    wait_until(lambda: time() == 0.0 and 0 <= step() < 5, 'the first step')
    for _ in range(20):
        tab.press('#time', 'ArrowRight')
    wait_until(lambda: time() == pytest.approx(2.0), 'the time of 2 s')
    wait_until(lambda: abs(step() - 21) <= 1, 'the step of 2 s')
    assert tab.evaluate(f'{HELD}.checked')

    # It goes on from there to the end.
    tab.press('#speed', 'Home')
    tab.evaluate(f'{HELD}.click()')
    wait_until(lambda: 2.0 < time() < 5.0 and step() > 21, 'a later step')
    tab.press('#speed', 'End')
    wait_until(lambda: step() == STEPS, 'the last step again')

    shown = tab.evaluate('document.body.innerText')
    assert 'Follow the vehicle' in shown
    assert not any(words in shown for words in ('Start walking', 'One step', 'New terrain'))
    assert not tab.evaluate('!!document.getElementById("page-stop")')
    assert tab.complaints() == []
