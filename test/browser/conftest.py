"""Open pages in a real browser."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from benchmarks.chromium import CHROMIUM, Tab, browser
from benchmarks.own_clock import wait_until


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
        def opened() -> Any:
            assert not graph.fallen(), graph.fallen()
            return re.search(r'he page is at (\S+)', graph.log('viewer'))

        return wait_until(opened, 'the page')[1]

    return find
