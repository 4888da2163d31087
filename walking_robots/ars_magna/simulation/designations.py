"""What a designator truly means, which its robot must not know (ars_magna.md §2.5)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from walking_robots.ars_magna.agent.messages import LOCAL, DesignatorReport
from walking_robots.ars_magna.sensing.attributes import Value
from walking_robots.ars_magna.simulation.things import Holder, Thing


@dataclass
class FalseTarget:
    """Where something seems to be that is not there; a false track lets it drift; cells."""

    x: float
    y: float


@dataclass(eq=False)
class DesignatorTruth:
    """A designator's hidden side.

    means: a thing, the column and row of a place, or a spot for a false one; angle, rad, relative
    to the robot's heading, and distance, cells: as perceived; inside: where the camera was when it
    was acquired; place: where what it means was then; cameras: which track it; stale: the tick
    from which it is lost unless tracked; pending: whether the search has not given it yet.
    """

    number: int
    type: str
    means: Thing | tuple[int, int] | FalseTarget
    angle: float
    distance: float
    data: Mapping[str, Value] | str
    camera: int
    inside: Holder | None = None
    place: tuple[float, float] = (0.0, 0.0)
    cameras: set[int] = field(default_factory=set)
    stale: int | None = None
    pending: bool = False

    @property
    def is_local(self) -> bool:
        """Return whether it can be manipulated."""
        return self.type == LOCAL

    @property
    def is_false(self) -> bool:
        """Return whether nothing is there."""
        return isinstance(self.means, FalseTarget)

    @property
    def thing(self) -> Thing | None:
        """Return the thing that it means."""
        return self.means if isinstance(self.means, Thing) else None

    @property
    def sighting(self) -> DesignatorReport:
        """Return what the robot knows of it."""
        data = self.data
        plain = data if isinstance(data, str) else MappingProxyType(dict(data))
        return DesignatorReport(self.number, self.type, self.angle, plain)

    @property
    def label(self) -> str:
        """Say what it truly means."""
        if isinstance(self.means, Thing):
            return self.means.label
        return 'FALSE' if isinstance(self.means, FalseTarget) else str(self.data).upper()
