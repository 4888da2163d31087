"""Change what is on the page, sparing the wire."""

from typing import Any

import numpy as np


def set_if_new(handle: Any, name: str, value: Any) -> None:
    """Set a property of a node only when it changes, since every setting is a message."""
    if not np.array_equal(getattr(handle, name), value):
        setattr(handle, name, value)
