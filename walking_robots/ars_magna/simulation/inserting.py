"""What can be put into what (ars_magna.md §2.8)."""

from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.simulation.robots import Camera, Hand
from walking_robots.ars_magna.simulation.scene import location
from walking_robots.ars_magna.simulation.things import Holder, Thing

__all__ = ['BIN', 'DESIGNATOR', 'room_for']

BIN, DESIGNATOR = 'bin', 'designator'
"""Into what a camera or hand is put."""


def room_for(part: Camera | Hand, holder: Holder, size: float) -> Code | None:
    """Say what keeps a part of a size, with what it holds, from being put into a holder."""
    held = part.held if isinstance(part, Hand) else None
    if holder.closed:
        return Code.BIN_CLOSED
    if held is not None and any(inner is holder for inner in held.within()):
        return Code.HOLDING_THING
    here = location(holder) if isinstance(holder, Thing) else None
    if here is not part.inside:
        return Code.DIFFERENT_LOCATION
    if holder.capacity <= 0.0 or size + (held.size if held else 0.0) > holder.free + 1e-9:
        return Code.INSUFFICIENT_CAPACITY
    return None
