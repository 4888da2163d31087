"""Fixtures of the graph tests; what they need of ROS is imported when a test runs."""

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

_PATH = Path(__file__).with_name('world.py')


@pytest.fixture(scope='session')
def graph() -> ModuleType:
    """Return the helpers of world.py."""
    spec = importlib.util.spec_from_file_location('graph_world', _PATH)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def world(graph: ModuleType) -> Any:
    """Return the context manager that makes a distributed graph on flat ground."""
    return graph.world
