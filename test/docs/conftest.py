"""What tests of several documents share."""

import shlex
from collections.abc import Callable

import click
import pytest

from walking_robots.cli import main_group


@pytest.fixture
def parse_command() -> Callable[[str], None]:
    """Return a function that parses a command of a document, which fails for unknown words."""

    def parse(command: str) -> None:
        words, found = shlex.split(command)[1:], main_group
        context = click.Context(found)
        while isinstance(found, click.Group):
            found = found.get_command(context, words.pop(0)) or pytest.fail(command)
        found.make_context(found.name, words)

    return parse
