"""What a biped feels, and nothing else: joints, pitch, foot switches (biped.md §4.4)."""

from typing import NamedTuple


class BodySignals(NamedTuple):
    """What the thesis took from its simulator: height of the hips over the ground, m, speeds, m/s.

    Without the height it is that over the supporting foot.
    """

    height: float | None
    forward: float
    vertical: float


class Senses(NamedTuple):
    """The readings of one tick.

    joints: rhip, rknee, lhip, lknee, rad, or m for prismatic knees; rates: theirs, in 1/s;
    pitch: rad, nose down; contacts: foot switches, right and left; dt: s since the last tick;
    body: the thesis's own signals, where a trial hands them out.
    """

    joints: tuple[float, float, float, float]
    rates: tuple[float, float, float, float]
    pitch: float
    pitch_rate: float
    contacts: tuple[bool, bool]
    dt: float
    body: BodySignals | None = None
