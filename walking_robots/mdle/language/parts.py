"""Make the parts of a program from their tokens; called by the parser, rule by rule."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from lark import Token

from walking_robots.mdle.language.ast import (
    Atom,
    Constant,
    Control,
    Emission,
    Encapsulation,
    Expression,
    Filter,
    Group,
    Guard,
    Handler,
    Import,
    Interrupt,
    Law,
    LawCall,
    Parameter,
    Place,
    Program,
    Segment,
    Segments,
    Timeout,
    Vector,
)
from walking_robots.mdle.language.steps import Steps
from walking_robots.mdle.language.tokens import place_of
from walking_robots.mdle.language.values import Children, Misuse, text_of


class Triple(NamedTuple):
    """(U, xi, T) or ((e1, ..., en), xi, T) of the formal notation."""

    what: 'Control | Series'
    condition: Expression
    duration: Expression
    place: Place


class Series(NamedTuple):
    """What an encapsulation of the formal notation holds."""

    items: tuple[Triple, ...]


class _Item(NamedTuple):
    """An item of an atom or an encapsulation, of the kind that its first word names."""

    word: str
    place: Place
    value: Any


def _item(word: Token, value: Any) -> _Item:
    return _Item(word.value, place_of(word), value)


_SINGLE = {'control', 'timeout', 'loop', 'irreversible'}
_FIELDS = {
    'until': 'guards',
    'emit': 'emissions',
    'on': 'handlers',
    'finally': 'cleanup',
}


def _gather(items: Iterable[_Item], name: str) -> dict[str, Any]:
    """Sort the items of an element into its fields.

    Raises Misuse where something is said twice that can be said only once.
    """
    fields: dict[str, Any] = {}
    for word, place, value in items:
        if word not in _SINGLE:
            fields.setdefault(_FIELDS.get(word, word), []).extend(value)
        elif word in fields:
            raise Misuse(place, f"'{name}' has a second '{word}'", 'keep one of them')
        else:
            fields[word] = value
    return {
        field: tuple(value) if isinstance(value, list) else value
        for field, value in fields.items()
    }


class Parts(Steps):
    """A whole program; a child stands where it stands in the rule of its name in grammar.lark."""

    def program(self, children: Children) -> Program:
        """Take the declarations apart by kind."""
        kinds: dict[str, Any] = {}
        for part in children[3:]:
            kind = f'{part.kind}s' if isinstance(part, Encapsulation) else _KINDS[type(part)]
            kinds.setdefault(kind, []).append(part)
        found: dict[str, Any] = {kind: tuple(parts) for kind, parts in kinds.items()}
        return Program(1, **found)

    def importation(self, children: Children) -> Import:
        """Take an import."""
        alias = children[3].value if len(children) > 3 else ''
        return Import(children[1], alias, place=place_of(children[0]))

    def path(self, children: Children) -> tuple[str, ...]:
        """Take a dotted path."""
        return tuple(token.value for token in children[::2])

    def constant(self, children: Children) -> Constant:
        """Take a constant that says its type."""
        return Constant(children[1].value, children[3], children[5], place=place_of(children[0]))

    def untyped_constant(self, children: Children) -> Constant:
        """Take a constant of the type of its value."""
        return Constant(children[1].value, '', children[3], place=place_of(children[0]))

    def interrupt(self, children: Children) -> Interrupt:
        """Take a named condition."""
        filters = children[6] if len(children) > 6 else ()
        return Interrupt(
            children[1].value, children[2], children[4], filters, place=place_of(children[0])
        )

    def filters(self, children: Children) -> tuple[Filter, ...]:
        """Take the filters of an interrupt."""
        return tuple(children[::2])

    def timed_filter(self, children: Children) -> Filter:
        """Take a filter with a duration."""
        return Filter(children[0].value, children[1], place=place_of(children[0]))

    def plain_filter(self, children: Children) -> Filter:
        """Take a filter that is one word."""
        return Filter(children[0].value, place=place_of(children[0]))

    def stale_filter(self, children: Children) -> Filter:
        """Take the policy for old values."""
        return Filter('stale', policy=children[1].value, place=place_of(children[0]))

    def law(self, children: Children) -> Law:
        """Take a law that is written out."""
        name, parameters, space, vector = (children[i] for i in (1, 2, 4, 6))
        return Law(name.value, parameters, space.value, vector, '', place=place_of(children[0]))

    def extern_law(self, children: Children) -> Law:
        """Take a law that is written elsewhere."""
        name, parameters, space, text = (children[i] for i in (1, 2, 4, 6))
        place = place_of(children[0])
        return Law(name.value, parameters, space.value, None, text_of(text), place=place)

    def group(self, children: Children) -> Group:
        """Take a group of robots."""
        members = tuple(token.value for token in children[4:-2:2])
        return Group(children[1].value, members, place=place_of(children[0]))

    def atom(self, children: Children) -> Atom:
        """Take an atom."""
        _, name, parameters, outputs, _, space, _, *items, _ = children
        return Atom(
            name.value,
            space.value,
            parameters,
            outputs,
            place=place_of(children[0]),
            **_gather(items, name),
        )

    def encapsulation(self, children: Children) -> Encapsulation:
        """Take a behavior or a plan."""
        kind, name, parameters, outputs, _, *clauses, _, steps, _ = children
        return Encapsulation(
            kind.value,
            name.value,
            steps,
            parameters,
            outputs,
            place=place_of(kind),
            **_gather(clauses, name),
        )

    def item(self, children: Children) -> _Item:
        """Take an item without its semicolon."""
        found = children[0]
        if isinstance(found, Guard):
            return _Item('until', found.place, (found,))
        if isinstance(found, Timeout):
            return _Item('timeout', found.place, found)
        item: _Item = found
        return item

    def control(self, children: Children) -> _Item:
        """Take the control of an atom."""
        return _item(children[0], children[1])

    def segments(self, children: Children) -> Control:
        """Take segments, one after the other."""
        return Segments(tuple(children[::2]))

    def segment(self, children: Children) -> Segment:
        """Take a vector for a duration."""
        vector: Vector = children[0]
        return Segment(vector, children[2], place=vector[0].place)

    def law_call(self, children: Children) -> Control:
        """Take a law as control."""
        return LawCall(children[0])

    def emission(self, children: Children) -> _Item:
        """Take what an atom puts out."""
        emission = Emission(children[1].value, children[3], place=place_of(children[0]))
        return _item(children[0], (emission,))

    def needs(self, children: Children) -> _Item:
        """Take what an atom needs of others."""
        return _item(children[0], tuple(children[1::2]))

    def irreversible(self, children: Children) -> _Item:
        """Take the word that forbids the reverse."""
        return _item(children[0], True)

    def loop(self, children: Children) -> _Item:
        """Take the loop of an encapsulation."""
        word, loop = children
        return _item(word, replace(loop, place=place_of(word)))

    def handler(self, children: Children) -> _Item:
        """Take a handler."""
        handler = Handler(children[1], children[3], place=place_of(children[0]))
        return _item(children[0], (handler,))

    def cleanup(self, children: Children) -> _Item:
        """Take what runs at the end in any case."""
        return _item(children[0], (children[1],))

    def requires(self, children: Children) -> _Item:
        """Take what has to hold before."""
        return _item(children[0], tuple(children[1::2]))

    def core(self, children: Children) -> Triple:
        """Take a triple of the formal notation."""
        return Triple(children[1], children[3], children[5], place_of(children[0]))

    def core_list(self, children: Children) -> Series:
        """Take what an encapsulation of the formal notation holds."""
        return Series(tuple(children[1:-1:2]))

    def parameters(self, children: Children) -> tuple[Parameter, ...]:
        """Take typed names in parentheses, or none."""
        return tuple(children[1:-1:2])

    def outputs(self, children: Children) -> tuple[Parameter, ...]:
        """Take typed names behind an arrow, or none."""
        return tuple(children[2:-1:2])

    def parameter(self, children: Children) -> Parameter:
        """Take a typed name."""
        default = children[4] if len(children) > 4 else None
        return Parameter(children[0].value, children[2], default, place=place_of(children[0]))

    def type(self, children: Children) -> str:
        """Take a type, as it is written without blanks."""
        return ''.join(token.value for token in children)


_KINDS: dict[type, str] = {
    Import: 'imports',
    Constant: 'constants',
    Group: 'groups',
    Interrupt: 'interrupts',
    Law: 'laws',
    Atom: 'atoms',
}
