"""Order joints by the one law of all servos: set points, stiffness, damping and effort."""

from typing import NamedTuple


class JointOrder(NamedTuple):
    """What a servo shall do with a joint until the next order (biped.md §2.5).

    position: rad, or m for a sliding joint; velocity: rad/s or m/s; stiffness: N m/rad or N/m;
    damping: N m s/rad or N s/m; effort: N m or N. All zeros are a limp joint; without an effort
    it is a PD servo, without stiffness and damping a pure feed-forward.
    """

    position: float = 0.0
    velocity: float = 0.0
    stiffness: float = 0.0
    damping: float = 0.0
    effort: float = 0.0


LIMP = JointOrder()


def effort(order: JointOrder, position: float, velocity: float) -> float:
    """Return the effort, N m or N, of a servo on a joint found at a position and velocity."""
    desired, rate, stiffness, damping, ahead = order
    return ahead + stiffness * (desired - position) + damping * (rate - velocity)
