"""What can go wrong while a program runs."""

from walking_robots.mdle.language.ast import NOWHERE, Place

__all__ = ['RunError', 'UnsetError']


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


class UnsetError(RunError):
    """A name is read that nothing has written yet: the element that reads it fails (§4.12).

    Where that is found while it drives, the program ends by it as by any other fault.
    """

    def __init__(self, name: str, place: Place) -> None:
        """Name it."""
        super().__init__('E204', f"'{name}' is unset here", place)
