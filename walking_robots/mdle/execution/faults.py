"""What can go wrong while a program runs."""

from walking_robots.mdle.language.expressions import NOWHERE, Place

__all__ = ['RunError']


class RunError(Exception):
    """A fault of a running program (mdle.md §7, E8xx): the robot stops and the program ends.

    code: of mdle.md §7; path: of the element, empty until the executor knows it.
    """

    def __init__(self, code: str, text: str, place: Place = NOWHERE, path: str = '') -> None:
        """Keep what is wrong, and where."""
        super().__init__(text)
        self.code = code
        self.text = text
        self.place = place
        self.path = path
