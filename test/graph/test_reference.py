"""The reference pages of the systems say what the nodes declare."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from walking_robots.systems import SYSTEMS

pytestmark = pytest.mark.graph

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize('name', SYSTEMS)
def test_the_page_is_written_from_the_nodes(name: str, graph: Any) -> None:
    spec = importlib.util.spec_from_file_location(
        'make_reference', ROOT / 'tools/make_reference.py'
    )
    assert spec is not None and spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    page = tool.page(SYSTEMS[name], graph.private_domain())
    assert (ROOT / f'docs/reference/{name}.md').read_text('utf-8') == page, (
        'run: python tools/make_reference.py docs/reference'
    )
