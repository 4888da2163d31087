"""The colours of a biped's page, each with its meaning; the legend is made from this."""

from enum import Enum

from walking_robots.robots.kwalk import LEFT, RIGHT
from walking_robots.viewer.biped.words import phase_number
from walking_robots.viewer.common.colours import Colour

GROUND: Colour = (206, 214, 192)
EARTH: Colour = (150, 136, 112)
MARK: Colour = (92, 84, 70)
FORCE: Colour = (196, 32, 122)
PUSH: Colour = (232, 131, 24)
RIGHT_CURVE: Colour = (41, 121, 214)
LEFT_CURVE: Colour = (214, 108, 22)


class LegAction(Enum):
    """What a leg does, with the colour it is drawn in and the words of the legend."""

    HELD = ((122, 130, 148), 'is held in the first posture')
    CARRIES = ((46, 158, 91), 'carries the body')
    LIFTED = ((232, 131, 24), 'is lifted')
    SWINGS = ((41, 121, 214), 'swings ahead')
    LOWERED = ((142, 68, 173), 'is lowered until it touches')
    RAISED = ((181, 137, 0), 'is lifted over what it struck')
    STEPS_BACK = ((0, 150, 160), 'goes behind a robot that falls back')
    LIMP = ((206, 58, 52), 'is limp, the robot lies')

    def __init__(self, colour: Colour, words: str) -> None:
        """Take the colour and the meaning."""
        self.colour = colour
        self.words = words


OF_PHASES = (
    LegAction.CARRIES, LegAction.LIFTED, LegAction.SWINGS, LegAction.LOWERED, LegAction.RAISED,
    LegAction.STEPS_BACK,
)  # fmt: skip
"""What the leg that does not carry does, in the order of `PHASES`."""


def actions(state: int | None) -> tuple[LegAction, LegAction]:
    """Return what right and left leg do in a state (biped.md §9), None where none is known."""
    if state is None or state < 3:
        return (LegAction.HELD, LegAction.HELD)
    if state == 12:
        return (LegAction.LIMP, LegAction.LIMP)
    found = [LegAction.CARRIES, LegAction.CARRIES]
    walks = phase_number(state)
    if walks is not None:
        carrying, phase = walks
        found[LEFT if carrying == RIGHT else RIGHT] = OF_PHASES[phase]
    return (found[RIGHT], found[LEFT])
