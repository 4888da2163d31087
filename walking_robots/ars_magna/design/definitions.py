"""Make attributes, place types, kickers and manipulations of what files say of them."""

from collections.abc import Mapping, Sequence

from walking_robots.ars_magna.design.behaviors import Behavior, Behaviors, discover
from walking_robots.ars_magna.design.bodies import KICKER_NAMES, METHOD_NAMES, BodyReader, Known
from walking_robots.ars_magna.design.expressions import ANY, FUNCTIONS, Kind
from walking_robots.ars_magna.design.model import Body, Kicker, Manipulation, Method
from walking_robots.ars_magna.design.place_types import Marker, PlacePattern, PlaceType
from walking_robots.ars_magna.design.places_in_files import at
from walking_robots.ars_magna.design.schema import (
    AttributePart,
    CheckerPart,
    KickerPart,
    MethodPart,
    PlaceTypePart,
)
from walking_robots.ars_magna.design.step_parts import HERE, SELF
from walking_robots.ars_magna.sensing.attributes import STANDARD, Attribute
from walking_robots.ars_magna.sensing.specifications import specification

_RESERVED = frozenset({SELF, HERE, *METHOD_NAMES, *FUNCTIONS, 'true', 'false', 'and', 'or', 'not'})


class BehaviorFinder:
    """Finds functions by name, and remembers those that were found.

    behaviors: those there are; None for those of installed packages, discovered on first use.
    """

    def __init__(self, behaviors: Behaviors | None) -> None:
        """Take what there is."""
        self._behaviors = behaviors
        self.used: dict[str, Behavior] = {}

    def find(self, name: str, use: str) -> Behavior:
        """Return a function; raises ValueError with a phrase where there is none for that use."""
        with at('python'):
            if self._behaviors is None:
                self._behaviors = discover()
            self.used[name] = self._behaviors.find(name, use)
        return self.used[name]


def attribute(name: str, part: AttributePart) -> Attribute:
    """Return an attribute; raises ValueError for a standard one of another kind."""
    noticed = part.noticed if part.noticed is not None else part.support
    made = Attribute(
        name,
        None if part.domain == 'numeric' else tuple(part.domain),
        part.success,
        part.base,
        part.max_mult,
        0.0 if noticed is None else noticed,
        tuple(part.supported_by),
    )
    standard = STANDARD.get(made.name)
    if standard is not None and made.kind != standard.kind:
        raise ValueError(
            f"must stay {standard.kind}, since the world itself goes by '{made.name}'; "
            f'choose another name'
        )
    return made


def place_type(finder: BehaviorFinder, name: str, part: PlaceTypePart) -> PlaceType:
    """Return a type of places."""
    patterns = [PlacePattern(tuple(entry.form), entry.direction) for entry in part.matchers]
    if part.checker is not None:
        with at('checker'):
            patterns += _cases(part.checker)
    return PlaceType(
        name,
        part.confusion,
        tuple(patterns),
        tuple(part.directions),
        part.invisible,
        None if part.marker is None else Marker(part.marker.shape, part.marker.color),
        None if part.python is None else finder.find(part.python, 'a place type'),
    )


def _cases(part: CheckerPart) -> list[PlacePattern]:
    """Return the patterns of a checker, with its centre in each."""
    patterns = []
    for number, case in enumerate(part.cases):
        rows = list(case.form)
        middle, half = len(rows) // 2, len(rows[0]) // 2
        found = rows[middle][half]
        wanted = {'filled': '#', 'empty': '.', None: found}[part.center]
        if found not in (wanted, '?'):
            with at('cases', number, 'form'):
                raise ValueError(f"must have '{wanted}' or '?' in the middle, as center says")
        rows[middle] = rows[middle][:half] + wanted + rows[middle][half + 1 :]
        patterns.append(PlacePattern(tuple(rows), case.direction, *case.offset))
    return patterns


def kicker(known: Known, finder: BehaviorFinder, name: str, part: KickerPart) -> Kicker:
    """Return a kicker."""
    reader = BodyReader(known, (SELF,), (SELF,), KICKER_NAMES)
    test = None
    if part.test is not None:
        with at('test'):
            test = reader.condition(part.test)
    return Kicker(name, part.prob, test, _body(part, reader, finder, 'a kicker'))


def manipulation(
    known: Known, finder: BehaviorFinder, name: str, parts: Sequence[MethodPart]
) -> Manipulation:
    """Return a manipulation with its methods."""
    methods = []
    for number, part in enumerate(parts):
        with at(number):
            methods.append(_method(part, known, finder))
    return Manipulation(name, tuple(methods))


def _method(part: MethodPart, known: Known, finder: BehaviorFinder) -> Method:
    parameters = (*part.objects, part.by, *part.others)
    for name in parameters:
        if name in _RESERVED or parameters.count(name) > 1 or not name.isidentifier():
            raise ValueError(
                f"names '{name}' as a parameter, which is taken; give each parameter a word of "
                'its own'
            )
    objects = []
    for name, data in part.objects.items():
        with at('objects', name):
            found = specification(data, known.attributes, True, known.substances)
            objects.append((name, found))
    names = {
        **dict.fromkeys(part.objects, frozenset({Kind.THING})),
        part.by: frozenset({Kind.PART}),
        **dict.fromkeys(part.others, ANY),
        **METHOD_NAMES,
    }
    reader = BodyReader(known, tuple(part.objects), parameters, names)
    return Method(
        tuple(objects),
        part.by,
        tuple(part.others),
        part.success,
        part.delay,
        _body(part, reader, finder, 'a manipulation'),
    )


def _body(
    part: KickerPart | MethodPart, reader: BodyReader, finder: BehaviorFinder, use: str
) -> Body:
    """Return the steps of a body, or the name of a function."""
    if part.python is not None:
        finder.find(part.python, use)
        return part.python
    with at('body'):
        return reader.steps(part.body or ())


def check_support(attributes: Mapping[str, Attribute], names: Sequence[str]) -> None:
    """Refuse attributes that are supported by unknown ones."""
    for name in names:
        for number, other in enumerate(attributes[name].supported_by):
            with at(name, 'supported_by', number):
                Known(attributes, {}, ()).attribute(other)
