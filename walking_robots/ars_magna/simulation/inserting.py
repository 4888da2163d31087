"""What keeps one thing from being put into another (ars_magna.md §2.8)."""

from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.simulation.robots import SimulatedCamera, SimulatedHand
from walking_robots.ars_magna.simulation.scene import is_within, location
from walking_robots.ars_magna.simulation.things import Holder, Thing


def hindrance(part: SimulatedCamera | SimulatedHand, holder: Holder, size: float) -> Code | None:
    """Say what keeps a part of a size, with what it holds, from being put into a holder."""
    held = part.held if isinstance(part, SimulatedHand) else None
    if holder.closed:
        return Code.BIN_CLOSED
    if held is not None and is_within(holder, held):
        return Code.HOLDING_THING
    here = location(holder) if isinstance(holder, Thing) else None
    if here is not part.inside:
        return Code.DIFFERENT_LOCATION
    if holder.capacity <= 0.0 or size + (held.size if held else 0.0) > holder.free + 1e-9:
        return Code.INSUFFICIENT_CAPACITY
    return None
