"""Show on a terminal that a command works, and how far it is; pipes and files see nothing."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import TypeVar

Item = TypeVar('Item')


def progress(items: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    """Yield items, with a bar on stderr if that is a terminal."""
    if not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import Progress

    # Otherwise rich takes what is printed meanwhile to the terminal of the bar.
    with Progress(console=Console(stderr=True), transient=True, redirect_stdout=False) as bar:
        yield from bar.track(items, total=total, description=what)


def working(what: str) -> AbstractContextManager[object]:
    """Show what is being done, on stderr if that is a terminal; nothing may be printed within."""
    if not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console

    return Console(stderr=True).status(what)
