"""The colours that all pages share, each with its meaning."""

from enum import Enum

Colour = tuple[int, int, int]

PLAIN: Colour = (232, 234, 226)
PLAIN_LINES: Colour = (188, 194, 186)


class Grade(Enum):
    """How comfortable a margin is."""

    GOOD = (46, 158, 91)
    TIGHT = (226, 165, 24)
    BAD = (206, 58, 52)
    UNKNOWN = (160, 166, 176)

    @classmethod
    def of(cls, value: float, bad_below: float, tight_below: float) -> 'Grade':
        """Return the grade of a margin; undefined is bad."""
        if not value >= bad_below:
            return cls.BAD
        return cls.TIGHT if value < tight_below else cls.GOOD


def css(colour: Colour) -> str:
    """Return a colour as a style sheet writes it."""
    return '#{:02x}{:02x}{:02x}'.format(*colour)
