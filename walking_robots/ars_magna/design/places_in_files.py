"""Say where in a file something is wrong, from the innermost field outwards."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager

from walking_robots.ars_magna.inputs import suggestion

_VERBS = frozenset(
    {'must', 'may', 'is', 'are', 'has', 'names', 'calls', 'lies', 'leads', 'cannot'}
)


class PlacedError(ValueError):
    """Say what is wrong at a place of a file; ``reason`` goes on after the name of the field."""

    def __init__(self, place: tuple[str | int, ...], reason: str) -> None:
        """Keep place and reason apart, so that the reader of the file can add the line."""
        super().__init__(reason)
        self.place = place
        self.reason = reason


@contextmanager
def at(*place: str | int) -> Iterator[None]:
    """Put a place before that of whatever is found wrong within."""
    try:
        yield
    except PlacedError as error:
        raise PlacedError((*place, *error.place), error.reason) from None
    except ValueError as error:
        reason = str(error).removesuffix('.')
        if reason.partition(' ')[0] not in _VERBS:
            reason = f'is wrong: {reason}'
        raise PlacedError(place, reason) from None


def check_name(name: str, known: Collection[str], wrong: str) -> None:
    """Refuse a name that is not known; wrong: what it is then, such as 'no kicker'."""
    if name not in known:
        raise ValueError(f"names '{name[:40]}', which is {wrong}; {suggestion(name, known)}")
