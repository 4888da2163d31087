"""What the controller of a biped remembers, and what a tick of it gives."""

from typing import NamedTuple

from walking_robots.gaits.biped.felt_slip import FeltSlip
from walking_robots.gaits.biped.virtual_legs import LegRates
from walking_robots.robots.impedance import JointOrder

Joints = tuple[float, float, float, float]
"""Values of rhip, rknee, lhip and lknee, rad, or m for prismatic knees."""
JointOrders = tuple[JointOrder, JointOrder, JointOrder, JointOrder]
"""Orders for rhip, rknee, lhip and lknee."""
Legs = tuple[LegRates, LegRates]
"""The virtual legs, right and left."""


class WalkMemory(NamedTuple):
    """All that the controller remembers; pairs are right and left.

    state: see `states.py`; time: s since the beginning; entered: when the state was;
    why: how the last state was left; hips: their targets, rad; angles: where legs were last sent,
    rad; swing_length, clear_length: as in `Moment`; velocity: of the body, m/s, as it is felt;
    slope: of the ground between the feet when last both stood, rad; raised: by how much more legs
    are lifted since a toe struck, m, until they land; slip: of the feet, as it is felt.
    """

    state: int
    time: float
    entered: float
    why: str
    hips: tuple[float, float]
    angles: tuple[float, float]
    swing_length: float
    clear_length: float
    velocity: tuple[float, float]
    slope: float
    raised: tuple[float, float] = (0.0, 0.0)
    slip: FeltSlip = FeltSlip()


class GaitTick(NamedTuple):
    """What a tick gave: memory for the next one, orders, and what they come from.

    height m, speed m/s: of the body, as felt or as the thesis has them; forward, upward: desired
    force on the body, N; forces: of the legs, right and left, N, positive when they push.
    """

    memory: WalkMemory
    orders: JointOrders
    legs: Legs
    height: float
    speed: float
    forward: float
    upward: float
    forces: tuple[float, float]
