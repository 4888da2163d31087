"""Take the fields of YAML nodes: every mistake is noted, and reading goes on."""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, NamedTuple

from walking_robots.mdle.language.ast import (
    NOWHERE,
    Action,
    Argument,
    Expression,
    Name,
    Parameter,
    Place,
    Vector,
)
from walking_robots.mdle.language.diagnostics import Diagnostic, ProgramError
from walking_robots.mdle.language.parser import keywords, parse_fragment
from walking_robots.mdle.language.yaml_nodes import Listing, Mapping, Node, Scalar

UNKNOWN = Name('unknown')
"""Stands for an expression that could not be read; such a program is never given out."""

_NAME = re.compile(r'[A-Za-z_][A-Za-z0-9_]*')
_FAIL = re.compile(r'fail\s+([^"\s].*)', re.DOTALL)

_RULES = {
    'action': 'an action',
    'cause': 'a cause',
    'expression': 'an expression',
    'filters': 'a filter',
    'primary': 'a name or a call',
    'repetition': "'forever', a number or 'while'",
    'type': 'a type',
    'vector': 'a vector',
}

Fields = dict[str, Node]


class Named(NamedTuple):
    """A value with its name."""

    name: str
    value: Node
    place: Place


class Notes:
    """What was found wrong so far, and how to read the kinds of values."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.found: list[Diagnostic] = []

    def wrong(self, place: Place, text: str, hint: str = '', code: str = 'E101') -> None:
        """Note a mistake."""
        self.found.append(Diagnostic(place, code, text, hint=hint))

    def fields(self, node: Node, what: str, known: Iterable[str]) -> Fields:
        """Take a mapping apart; keys that are unknown or stand twice are E103."""
        if not isinstance(node, Mapping):
            self.wrong(node.place, f'{what} has to be a mapping', 'write key: value pairs')
            return {}
        known = list(known)
        fields: Fields = {}
        for key, value in node.pairs:
            name = key.text
            if name in fields:
                text = f"key '{name[:40]}' duplicate in {what}"
                self.wrong(key.place, text, 'keep one of them', 'E103')
            elif name not in known:
                near = get_close_matches(name[:40], known, 1, 0.0)[0]
                text = f"key '{name[:40]}' unknown in {what}; did you mean '{near}'?"
                self.wrong(key.place, text, f'the keys are {", ".join(known)}', 'E103')
            else:
                fields[name] = value
        return fields

    def listed(self, node: Node | None) -> list[Node]:
        """Take a list; one value stands for a list of it, nothing for none."""
        if node is None or (isinstance(node, Scalar) and not node.text):
            return []
        return node.items if isinstance(node, Listing) else [node]

    def named(self, node: Node | None, what: str) -> list[Named]:
        """Take names with values: a mapping, or a list of mappings of one key each."""
        found: list[Named] = []
        seen: set[str] = set()
        for item in self.listed(node):
            if not isinstance(item, Mapping):
                self.wrong(item.place, f'{what} have to be a mapping', 'write name: value pairs')
                continue
            for key, value in item.pairs:
                if item is node and key.text in seen:
                    text = f"key '{key.text[:40]}' duplicate in {what}"
                    self.wrong(key.place, text, 'keep one of them', 'E103')
                seen.add(key.text)
                found.append(Named(self.name(key), value, key.place))
        return found

    def name(self, node: Node | None, missing: Place = NOWHERE, what: str = 'a name') -> str:
        """Take a word that can be a name."""
        text = self.text(node, missing, what)
        if isinstance(node, Scalar):
            if not _NAME.fullmatch(text):
                hint = 'letters, digits and _, no digit first'
                self.wrong(node.place, f"'{text[:40]}' is no name", hint)
            elif text in keywords():
                text = f"'{text}' is a word of the language"
                self.wrong(node.place, text, 'choose another name')
        return text

    def text(self, node: Node | None, missing: Place = NOWHERE, what: str = 'a value') -> str:
        """Take a scalar as it is; ``missing`` is where to complain when there is none."""
        if isinstance(node, Scalar):
            return node.text
        place = node.place if node else missing
        self.wrong(
            place, f'{what} is missing here' if node is None else f'{what} is expected here'
        )
        return ''

    def fragment(self, rule: str, node: Node | None, missing: Place, fallback: Any) -> Any:
        """Read a scalar by a rule of the grammar."""
        if not isinstance(node, Scalar):
            self.text(node, missing, _RULES[rule])
            return fallback
        return self.source(rule, node.text, node.place, fallback)

    def source(self, rule: str, source: str, place: Place, fallback: Any) -> Any:
        """Read a text by a rule of the grammar."""
        try:
            return parse_fragment(rule, source, place)
        except ProgramError as error:
            self.found += error.diagnostics
            return fallback

    def expression(self, node: Node | None, missing: Place = NOWHERE) -> Expression:
        """Read an expression."""
        found: Expression = self.fragment('expression', node, missing, UNKNOWN)
        return found

    def primary(self, node: Node | None, missing: Place = NOWHERE) -> Expression:
        """Read a name, call or channel."""
        found: Expression = self.fragment('primary', node, missing, UNKNOWN)
        return found

    def argument(self, node: Node, name: str = '', place: Place = NOWHERE) -> Argument:
        """Read an argument; $name is the value of that name."""
        if isinstance(node, Scalar) and node.text.startswith('$'):
            line, column = node.place
            node = Scalar(Place(line, column + 1), node.text[1:])
        return Argument(self.expression(node), name, place=place if name else node.place)

    def vector(self, node: Node | None, missing: Place) -> Vector:
        """Read a list of expressions, or one string that is a vector."""
        if isinstance(node, Listing) and node.items:
            return tuple(self.expression(item) for item in node.items)
        found: Vector = self.fragment('vector', node, missing, (UNKNOWN,))
        return found

    def action(self, node: Node | None, missing: Place = NOWHERE) -> Action:
        """Read an action; the text of ``fail`` may stand without quotation marks."""
        plain = isinstance(node, Scalar) and _FAIL.fullmatch(node.text)
        if plain and node:
            return Action('fail', plain[1].rstrip(), place=node.place)
        found: Action = self.fragment('action', node, missing, Action('next'))
        return found

    def parameters(self, node: Node | None, what: str) -> tuple[Parameter, ...]:
        """Read types by name: ``speed: m/s``, or with a default ``speed: m/s = 0.2 m/s``."""
        found: list[Parameter] = []
        for name, value, place in self.named(node, what):
            text = self.text(value, place, 'the type')
            kind, equals, default = text.partition('=')
            line, column = value.place
            behind = Place(line, column + len(kind) + 1)
            type_ = self.source('type', kind, value.place, '') if text else ''
            given = self.source('expression', default, behind, None) if equals else None
            found.append(Parameter(name, type_, given, place=place))
        return tuple(found)
