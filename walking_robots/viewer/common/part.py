"""A part of a page that another system adds to it."""

from collections.abc import Callable
from typing import Any, Protocol

import viser


class PagePart(Protocol):
    """A part of a page, with a scene and a board of its own."""

    def is_behind(self, view: Any) -> bool:
        """Whether the texts still show an earlier view."""

    def draw(self, view: Any) -> None:
        """Draw a view in the scene."""

    def write(self, view: Any, now: float) -> None:
        """Write what is due at ``now`` (s, any steady clock)."""


MakePart = Callable[[viser.ViserServer, viser.PanelHandle, str, Callable[[], None]], PagePart]
"""Makes a part, given the server, the panel for its tabs, the scene node for its marks, and a
function to call when it takes the robot over."""
