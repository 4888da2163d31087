"""The colours of a program on the page, each with its meaning."""

from walking_robots.viewer.common.colours import Colour, Grade

ACTIVE: Colour = (41, 121, 214)
FLAG: Colour = (146, 64, 190)
POLE: Colour = (74, 80, 92)
MOVING: Colour = (217, 84, 51)

READINGS = {'true': Grade.GOOD, 'masked': Grade.TIGHT, 'unknown': Grade.BAD}
"""Grades of what guards say; one that says false is nothing to look at."""

OUTCOMES = {
    'done': Grade.GOOD,
    'interrupt': Grade.GOOD,
    'timeout': Grade.TIGHT,
    'canceled': Grade.TIGHT,
    'preempted': Grade.TIGHT,
}


def outcome_grade(outcome: str) -> Grade:
    """Return the grade of how something ended; what is no success and no wish is bad."""
    return OUTCOMES.get(outcome.lower(), Grade.BAD)
