"""Open pages in a real browser."""

import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from benchmarks.chromium import CHROMIUM, Tab, browser


@pytest.fixture
def open_tab() -> Iterator[Callable[[str], Tab]]:
    """Return a function that opens an address in a fresh browser."""
    assert CHROMIUM is not None
    with browser() as open_address:
        yield open_address


@pytest.fixture
def page_of() -> Callable[[Any], str]:
    """Return a function that waits for the address in the log of processes that must not fall."""

    def find(graph: Any) -> str:
        end = time.monotonic() + 60.0
        while not (found := re.search(r'he page is at (\S+)', graph.log('viewer'))):
            assert not graph.fallen(), graph.fallen()
            assert time.monotonic() < end, 'the page did not open'
            time.sleep(0.2)
        return found[1]

    return find
