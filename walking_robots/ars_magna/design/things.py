"""Make things of what a file says of them: prototypes, contents, kickers (ars_magna.md §4.4)."""

from collections.abc import Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

from walking_robots.ars_magna.design.bodies import Known
from walking_robots.ars_magna.design.fields import Attributes
from walking_robots.ars_magna.design.model import ThingDesign
from walking_robots.ars_magna.design.places_in_files import at, check_name
from walking_robots.ars_magna.design.schema import ContentPart, PrototypePart, ThingPart
from walking_robots.ars_magna.sensing.attributes import Value

DEEPEST, MOST = 20, 100_000
"""Prototypes that build on each other, and things that come of one entry."""
LEVELS = 50
"""How deep things may lie in one another."""


class ThingMaker:
    """Makes prototypes, and then things.

    kickers: names of the kickers of things, by the things' name.
    """

    def __init__(
        self,
        parts: Mapping[str, PrototypePart],
        known: Known,
        kickers: Mapping[str, Sequence[str]],
    ) -> None:
        """Take what things are made of."""
        self._parts = parts
        self._known = known
        self._kickers = kickers
        self._made: dict[str, ThingDesign] = {}

    def prototypes(self) -> dict[str, ThingDesign]:
        """Return all prototypes, in the order of the file."""
        depths: dict[str, int] = {}
        for name in self._order():
            part = self._parts[name]
            used = (depths[other] for other in _references(part) if other in depths)
            depths[name] = 1 + max(used, default=0)
            with at(name):
                if depths[name] > DEEPEST:
                    raise ValueError(f'leads over more than {DEEPEST} prototypes; build on fewer')
                base = self._base(part.prototype)
                contents = self._contents(base, part.contents)
                attributes = self._attributes(base, part.attributes)
            self._made[name] = ThingDesign(name, None, None, attributes, contents)
        return {name: self._made[name] for name in self._parts}

    def _order(self) -> list[str]:
        """Return the names of prototypes, each behind those that it builds on."""
        graph = {
            name: [other for other in _references(part) if other in self._parts]
            for name, part in self._parts.items()
        }
        try:
            return list(TopologicalSorter(graph).static_order())
        except CycleError as error:
            way = ' -> '.join(reversed(error.args[1]))
            with at(error.args[1][0]):
                raise ValueError(
                    f'leads round to itself ({way[:200]}); leave one of them out'
                ) from None

    def thing(self, part: ContentPart) -> ThingDesign:
        """Return a thing with its contents."""
        x, y = part.at if isinstance(part, ThingPart) else (None, None)
        base = self._base(part.prototype)
        contents = self._contents(base, part.contents)
        with at('attrs'):
            attributes = self._attributes(base, part.attrs)
        return ThingDesign(
            part.name,
            x,
            y,
            attributes,
            contents,
            tuple(dict.fromkeys(self._kickers.get(part.name, ()))),
        )

    def _base(self, name: str | None) -> ThingDesign | None:
        """Return the prototype that something builds on."""
        if name is None:
            return None
        with at('prototype'):
            check_name(name, self._made, 'no prototype')
            return self._made[name]

    def _attributes(self, base: ThingDesign | None, plain: Attributes) -> dict[str, Value]:
        return {**(base.attributes if base else {}), **self._known.values(plain)}

    def _contents(
        self, base: ThingDesign | None, parts: Sequence[ContentPart]
    ) -> tuple[ThingDesign, ...]:
        """Return what is in the prototype, and then what is in the thing itself."""
        contents = list(base.contents) if base else []
        with at('contents'):
            for number, part in enumerate(parts):
                with at(number):
                    contents.append(self.thing(part))
            check_contents(contents)
        return tuple(contents)


def _references(part: PrototypePart | ContentPart) -> Iterator[str]:
    """Yield the prototypes of a part and of all that is in it."""
    if part.prototype is not None:
        yield part.prototype
    for inner in part.contents:
        yield from _references(inner)


def check_contents(contents: Sequence[ThingDesign]) -> None:
    """Refuse too many things for one holder, or too deep ones, with a phrase."""
    if sum(thing.count for thing in contents) > MOST:
        raise ValueError(f'must come to at most {MOST} things; put fewer into each')
    if max((thing.depth for thing in contents), default=0) >= LEVELS:
        raise ValueError(f'must nest at most {LEVELS} deep; put fewer into each other')


def all_things(things: Sequence[ThingDesign]) -> Iterator[ThingDesign]:
    """Yield things and all that is in them."""
    for thing in things:
        yield thing
        yield from all_things(thing.contents)


def overfull(thing: ThingDesign) -> bool:
    """Return whether more is in a thing than fits."""
    sizes = (_size(inner.attributes.get('size')) for inner in thing.contents)
    return sum(sizes) > _size(thing.attributes.get('capacity'))


def _size(value: Value | None) -> float:
    """Return a size or capacity; 0 without one (ars_magna.md §2.3)."""
    return value if isinstance(value, float) else 0.0
