"""Fixtures of the graph tests; what they need of ROS is imported when a test runs."""

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


def _helpers(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        f'graph_{name}', Path(__file__).with_name(f'{name}.py')
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope='session')
def graph() -> ModuleType:
    """Return the helpers of world.py."""
    return _helpers('world')


@pytest.fixture(scope='session')
def hosts() -> ModuleType:
    """Return the helpers of hosts.py."""
    return _helpers('hosts')


@pytest.fixture(scope='session')
def planning() -> ModuleType:
    """Return the helpers of planning.py."""
    return _helpers('planning')


@pytest.fixture
def local(graph: ModuleType) -> Iterator[Any]:
    """Return nodes in this process, which end with the test."""
    found = graph.LocalNodes()
    yield found
    found.close()


@pytest.fixture
def world(graph: ModuleType) -> Any:
    """Return the context manager that makes a distributed graph on flat ground."""
    return graph.world
