"""Make things of what a file says of them: prototypes, contents, kickers (ars_magna.md §4.4)."""

from collections.abc import Iterator, Mapping, Sequence

from walking_robots.ars_magna.design.bodies import Known
from walking_robots.ars_magna.design.definition_parts import Attributes
from walking_robots.ars_magna.design.model import ThingDesign
from walking_robots.ars_magna.design.places_in_files import at
from walking_robots.ars_magna.design.schema import ContentPart, PrototypePart, ThingPart
from walking_robots.ars_magna.names import suggestion
from walking_robots.ars_magna.sensing.attributes import Value

__all__ = ['ThingMaker', 'all_things', 'overfull']

DEEPEST, MOST = 20, 100_000
"""Prototypes that build on each other, and things that come of one entry."""


class ThingMaker:
    """Makes things; prototypes are made once each, when first asked for.

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
        self._open: list[str] = []

    def prototypes(self) -> dict[str, ThingDesign]:
        """Return all prototypes, in the order of the file."""
        found = {}
        for name in self._parts:
            with at(name):
                found[name] = self._prototype(name)
        return found

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
            if name not in self._parts:
                raise ValueError(
                    f"names '{name[:40]}', which is no prototype; {suggestion(name, self._parts)}"
                )
            return self._prototype(name)

    def _prototype(self, name: str) -> ThingDesign:
        if name in self._made:
            return self._made[name]
        if name in self._open:
            way = ' -> '.join([*self._open[self._open.index(name) :], name])
            raise ValueError(f'leads round to itself ({way[:200]}); leave one of them out')
        if len(self._open) >= DEEPEST:
            raise ValueError(f'leads over more than {DEEPEST} prototypes; build on fewer')
        self._open.append(name)
        part = self._parts[name]
        base = self._base(part.prototype)
        contents = self._contents(base, part.contents)
        made = ThingDesign(
            name, None, None, self._attributes(base, part.model_extra or {}), contents
        )
        self._open.pop()
        self._made[name] = made
        return made

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
            if sum(thing.count for thing in contents) > MOST:
                raise ValueError(f'must come to at most {MOST} things; put fewer into each')
        return tuple(contents)


def all_things(things: Sequence[ThingDesign]) -> Iterator[ThingDesign]:
    """Yield things and all that is in them."""
    for thing in things:
        yield thing
        yield from all_things(thing.contents)


def overfull(thing: ThingDesign) -> bool:
    """Tell whether more is in a thing than fits."""
    sizes = (_size(inner.attributes.get('size')) for inner in thing.contents)
    return sum(sizes) > _size(thing.attributes.get('capacity'))


def _size(value: Value | None) -> float:
    """Return a size or capacity; 0 without one (ars_magna.md §2.3)."""
    return value if isinstance(value, float) else 0.0
