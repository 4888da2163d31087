"""Import libraries that come with an extra of the package only."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def extra_needed(extra: str) -> Iterator[None]:
    """Turn a library that cannot be imported into ValueError: one sentence with its extra."""
    try:
        yield
    except ImportError as error:
        raise ValueError(
            f'{error.name} cannot be imported: install walking_robots[{extra}], '
            f"such as by pip install '.[{extra}]' in a clone"
        ) from None
