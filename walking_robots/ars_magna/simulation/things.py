"""Things, what holds them, and what designators of them mean (ars_magna.md §2.3, §2.5, §2.8)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from walking_robots.ars_magna.agent.messages import LOCAL, DesignatorReport
from walking_robots.ars_magna.design.model import Kicker
from walking_robots.ars_magna.sensing.attributes import Substance, Value


class Holder:
    """Holds things: a thing that is a container, a bin or a hand."""

    __slots__ = ('contents',)

    def __init__(self) -> None:
        """Begin empty."""
        self.contents: list[Thing] = []

    @property
    def label(self) -> str:
        """Say what this is called in messages."""
        raise NotImplementedError

    @property
    def capacity(self) -> float:
        """Say how much size fits in."""
        raise NotImplementedError

    @property
    def closed(self) -> bool:
        """Return whether nothing goes in or out."""
        raise NotImplementedError

    @property
    def free(self) -> float:
        """Say how much size still fits in; the contents of contents do not count."""
        return self.capacity - sum(thing.size for thing in self.contents)


class Thing(Holder):
    """A thing: its attributes, and where it is.

    number: of its making; holder: what it is in, None on the ground, or nowhere when it is not
    ``alive`` any more; x, y: of the ground below it while nothing holds it; kickers: by name;
    reruns: in how many ticks more a kicker runs without test and chance.
    """

    __slots__ = ('alive', 'attributes', 'holder', 'kickers', 'name', 'number', 'reruns', 'x', 'y')

    def __init__(self, name: str, attributes: dict[str, Value]) -> None:
        """Make a thing that is nowhere yet, and has no number."""
        super().__init__()
        self.number, self.name, self.attributes = 0, name, attributes
        self.holder: Holder | None = None
        self.x = self.y = 0.0
        self.kickers: dict[str, Kicker] = {}
        self.reruns: dict[str, int] = {}
        self.alive = False

    @property
    def label(self) -> str:
        """Say what this is called in messages, such as SMALL-BOX#3."""
        return f'{self.name.upper().replace("_", "-")}#{self.number}'

    @property
    def size(self) -> float:
        """Say how much room it takes."""
        return self._number('size')

    @property
    def weight(self) -> float:
        """Say how heavy it is, with all that it holds."""
        return self._number('weight') + sum(thing.weight for thing in self.contents)

    @property
    def capacity(self) -> float:
        """Say how much size fits in; 0 for what is no container."""
        return self._number('capacity')

    @property
    def closed(self) -> bool:
        """Return whether it is a container that is closed."""
        return self.attributes.get('closed') is True

    @property
    def blocks_movement(self) -> bool:
        """Return whether no robot can enter its cell."""
        return self.attributes.get('obsmove') is True

    @property
    def blocks_view(self) -> bool:
        """Return whether nothing behind it is seen."""
        return self.attributes.get('obsview') is True

    @property
    def parameter(self) -> float | None:
        """Return the parameter of its substance, None for none."""
        substance = self.attributes.get('substance')
        return substance.parameter if isinstance(substance, Substance) else None

    @property
    def depth(self) -> int:
        """Say how many levels of things it is, itself among them."""
        return 1 + max((thing.depth for thing in self.contents), default=0)

    def within(self) -> Iterator['Thing']:
        """Yield this thing and all that it holds, at any depth."""
        yield self
        for thing in self.contents:
            yield from thing.within()

    def _number(self, name: str) -> float:
        value = self.attributes.get(name)
        return float(value) if isinstance(value, int | float) else 0.0


@dataclass
class FalseTarget:
    """Where something seems to be that is not there; a false track lets it drift; cells."""

    x: float
    y: float


@dataclass(slots=True, eq=False)
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
    cameras: frozenset[int] = frozenset()
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
        plain = data if isinstance(data, str) else MappingProxyType(data)
        return DesignatorReport(self.number, self.type, self.angle, plain)

    @property
    def label(self) -> str:
        """Say what it truly means."""
        if isinstance(self.means, Thing):
            return self.means.label
        return 'FALSE' if isinstance(self.means, FalseTarget) else str(self.data).upper()
