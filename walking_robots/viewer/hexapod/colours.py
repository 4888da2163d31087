"""The colours of a hexapod's page, each with its meaning; the legend is made from this."""

from enum import Enum

from walking_robots.viewer.common.colours import Colour

PERMITTED_CELL: Colour = (214, 222, 200)
FORBIDDEN_CELL: Colour = (176, 84, 66)
UNSEEN_CELL: Colour = (190, 194, 200)
DITCH_FLOOR: Colour = (58, 74, 98)
DITCH_WALL: Colour = (128, 112, 98)
EARTH: Colour = (166, 158, 140)
PLATE: Colour = (196, 202, 210)
JOINTS_BETWEEN: Colour = (150, 158, 140)
VOLUME: Colour = (70, 130, 200)
PLANNED_FOOTHOLD: Colour = (126, 87, 194)
RAY: Colour = (64, 150, 220)
FORCE: Colour = (204, 51, 122)


class LegPhase(Enum):
    """What a leg is doing, with the colour it is drawn in and the words of the legend."""

    CARRIES = ((46, 158, 91), 'carries the body')
    PLACED = ((41, 121, 214), 'on its way to a foothold')
    LIFTED = ((232, 131, 24), 'leaves the ground')
    WAITS = ((122, 130, 148), 'in the air, waits for a task')

    def __init__(self, colour: Colour, words: str) -> None:
        """Take the colour and the meaning."""
        self.colour = colour
        self.words = words

    @classmethod
    def of(cls, control_state: str) -> 'LegPhase':
        """Return the phase of a leg from the name of its control state."""
        return _PHASES.get(control_state.lower(), cls.WAITS)


_PHASES = {
    'support': LegPhase.CARRIES,
    'contact': LegPhase.CARRIES,
    'advance': LegPhase.PLACED,
    'descent': LegPhase.PLACED,
    'lift': LegPhase.LIFTED,
    'return': LegPhase.LIFTED,
    'ready': LegPhase.WAITS,
}
