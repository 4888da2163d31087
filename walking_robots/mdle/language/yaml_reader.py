"""Read the notation in YAML, by the table of yaml_schema.py (mdle.md §4.18).

Expressions, types, actions, causes and filters are strings in the words of the text notation.
A mapping of names can also be a list of mappings with one key each, where a name stands twice:
the checker reports that.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import MISSING, fields, replace
from difflib import get_close_matches
from typing import Any

from walking_robots.mdle.language import ast
from walking_robots.mdle.language.ast import Place
from walking_robots.mdle.language.diagnostics import MOST_DIAGNOSTICS, Diagnostic, ProgramError
from walking_robots.mdle.language.limits import excess
from walking_robots.mdle.language.parser import parse_fragment
from walking_robots.mdle.language.polarity import Polarity, ending
from walking_robots.mdle.language.yaml_nodes import YamlNode, read_nodes
from walking_robots.mdle.language.yaml_schema import SCHEMA, SHORT

_UNKNOWN = ast.Name('unknown')
"""Stands for what could not be read; such a program is never given out."""

_FAIL = re.compile(r'fail\s+([^"\s].*)', re.DOTALL)
_OPTIONAL: dict[str, Any] = {'type': '', 'parameters': ()}
"""Fields without a default, of which the keys may be left out."""

_REQUIRED = {
    kind: [item.name for item in fields(kind) if item.default is MISSING] for kind in SCHEMA
}
_STEPS: dict[str, type[ast.Node]] = {
    'call': ast.Run,
    'run': ast.Run,
    'do': ast.Run,
    'par': ast.Parallel,
    'if': ast.Condition,
    'reverse': ast.Reverse,
}

_Fields = dict[str, YamlNode]


def parse_yaml(source: str, file: str = 'program', *, polarity: Polarity = 'end') -> ast.Program:
    """Read a program in YAML; comments are not kept.

    file: its name in messages; polarity: 'run_while' where the conditions of ``until`` are true
    as long as an element runs. Raises ProgramError with all that is wrong: E101 for wrong YAML
    and wrong expressions, E102 for the version, E103 for keys unknown or twice.
    """
    reader = _YamlReader(polarity)
    try:
        root = read_nodes(source)
        program: ast.Program = reader.node(ast.Program, root, 'the program', root.place)
    except ProgramError as error:
        raise ProgramError(error.diagnostics, file) from None
    large = excess(program)
    found = [*reader.found, *([large] if large else [])]
    if found:
        found.sort(key=lambda diagnostic: diagnostic.place)
        raise ProgramError(found[:MOST_DIAGNOSTICS], file)
    return program


class _YamlReader:
    """Reads a program; what was wrong with it is in ``found`` afterwards.

    The codecs of yaml_schema.py are classes, methods of these names, or rules of the grammar.
    """

    def __init__(self, polarity: Polarity) -> None:
        self.polarity = polarity
        self.found: list[Diagnostic] = []

    def wrong(self, place: Place, text: str, hint: str = '', code: str = 'E101') -> None:
        """Note a mistake."""
        self.found.append(Diagnostic(place, code, text, hint=hint))

    def node(self, kind: Any, value: YamlNode, what: str, place: Place, given: Any = None) -> Any:
        """Read a node of a class by the schema; ``given``: its fields that stand elsewhere."""
        short = SHORT.get(kind)
        if short == '' or (short and value.kind != 'mapping'):
            keys = {short: value}
        else:
            keys = self.fields(value, what, SCHEMA[kind])
        return self.filled(kind, keys, what, place, given or {})

    def filled(
        self, kind: type[ast.Node], keys: _Fields, what: str, place: Place, given: dict[str, Any]
    ) -> Any:
        """Make a node of the values of its keys."""
        for key, (field, codec, shape) in SCHEMA[kind].items():
            if key in keys and field not in given:
                given[field] = self.value(codec, shape, key, keys[key])
                if given[field] == () and (codec == 'step' or field in _REQUIRED[kind]):
                    self.wrong(keys[key].place, f'{what} has no {field}')
        for key, (field, _, _) in SCHEMA[kind].items():
            if field in _REQUIRED[kind] and field not in given:
                given[field] = _OPTIONAL.get(field, _UNKNOWN)
                if field not in _OPTIONAL:
                    self.wrong(place, f"'{key}' is missing in {what}")
        if 'on_timeout' in keys and 'timeout' in keys:
            action = self.action(keys['on_timeout'])
            given['timeout'] = replace(given['timeout'], action=action)
        if kind is ast.Law and 'u' in keys and 'extern' in keys:
            self.wrong(keys['u'].place, f"{what} has both 'u' and 'extern'")
        if kind is ast.Law and 'u' not in keys and 'extern' not in keys:
            self.wrong(place, f"'u' is missing in {what}")
        return kind(place=place, **given)

    def value(self, codec: str | type[ast.Node], shape: str, key: str, value: YamlNode) -> Any:
        """Read a value by a codec, or as many as there are."""
        if shape == 'list':
            found = tuple(self.value(codec, 'one', key, item) for item in self.items(value))
            return self.ending(found) if codec is ast.Guard else found
        if shape == 'names' and isinstance(codec, str):
            return tuple(
                replace(self.fragment(codec, item), name=name, place=place)
                for name, item, place in self.named(value, key)
            )
        if shape == 'names':
            word = {'kind': key[:-1]} if codec is ast.Encapsulation else {}
            return tuple(
                self.node(codec, item, f"{key[:-1]} '{name}'", place, {'name': name, **word})
                for name, item, place in self.named(value, key)
            )
        if not isinstance(codec, str):
            return self.node(codec, value, key, value.place)
        method = getattr(self, codec, None)
        return method(value) if method else self.fragment(codec, value)

    def ending(self, guards: tuple[ast.Guard, ...]) -> tuple[ast.Guard, ...]:
        """Return the guards that end an element, of those written with the polarity."""
        if self.polarity == 'end':
            return guards
        turned = (replace(g, condition=ending(g.condition, self.polarity)) for g in guards)
        # What runs while true has no end of its own.
        return tuple(guard for guard in turned if guard.condition != ast.Truth(False))

    def fields(self, value: YamlNode, what: str, known: Iterable[str]) -> _Fields:
        """Return the values of a mapping; keys that are unknown or stand twice are E103."""
        if value.kind != 'mapping':
            self.wrong(value.place, f'{what} has to be a mapping', 'write key: value pairs')
            return {}
        known = list(known)
        found: _Fields = {}
        for key, item in value.pairs():
            name = key.text
            if name in found:
                text = f"key '{name[:40]}' duplicate in {what}"
                self.wrong(key.place, text, 'keep one of them', 'E103')
            elif name not in known:
                near = get_close_matches(name[:40], known, 1, 0.0)[0]
                text = f"key '{name[:40]}' unknown in {what}; did you mean '{near}'?"
                self.wrong(key.place, text, f'the keys are {", ".join(known)}', 'E103')
            else:
                found[name] = item
        return found

    def items(self, value: YamlNode) -> list[YamlNode]:
        """Return the items of a list; one value stands for itself, an empty text for none."""
        if value.kind == 'text' and not value.text:
            return []
        return value.items if value.kind == 'list' else [value]

    def named(self, value: YamlNode, what: str) -> Iterator[tuple[str, YamlNode, Place]]:
        """Return names with values: of a mapping, or a list of mappings of one key each."""
        seen: set[str] = set()
        for item in self.items(value):
            if item.kind != 'mapping':
                self.wrong(item.place, f'{what} have to be a mapping', 'write name: value pairs')
                continue
            for key, inner in item.pairs():
                if item is value and key.text in seen:
                    text = f"key '{key.text[:40]}' duplicate in {what}"
                    self.wrong(key.place, text, 'keep one of them', 'E103')
                seen.add(key.text)
                yield self.fragment('word', key), inner, key.place

    def string(self, value: YamlNode) -> str:
        """Read a text as it is."""
        if value.kind != 'text':
            self.wrong(value.place, 'a text is expected here')
        return value.text

    def fragment(self, rule: str, value: YamlNode) -> Any:
        """Read a text by a rule of the grammar."""
        try:
            if value.kind == 'text':
                return parse_fragment(rule, value.text, value.place)
            self.wrong(value.place, f'a text is expected here, not a {value.kind}')
        except ProgramError as error:
            self.found += error.diagnostics
        return () if rule == 'filters' else _UNKNOWN

    def version(self, value: YamlNode) -> int:
        """Read the version of the language."""
        version = self.string(value)
        if version != '1':
            text = f'language version {version[:20]} not supported (1)'
            self.wrong(value.place, text, code='E102')
        return 1

    def imported(self, value: YamlNode) -> ast.Import:
        """Read an import."""
        found: ast.Import = replace(self.fragment('imported', value), place=value.place)
        return found

    def filters(self, value: YamlNode) -> tuple[ast.Filter, ...]:
        """Read the filters of an interrupt, each of which may be several."""
        return tuple(each for item in self.items(value) for each in self.fragment('filters', item))

    def vector(self, value: YamlNode) -> ast.Vector:
        """Read a list of expressions, or one string that is a vector."""
        if value.kind == 'list' and value.items:
            return tuple(self.fragment('expression', item) for item in value.items)
        found: ast.Vector = self.fragment('vector', value)
        return found

    def control(self, value: YamlNode) -> Any:
        """Read a control: a law, a vector, or segments."""
        if value.kind == 'mapping':
            return self.node(ast.Segments, value, 'control', value.place)
        if value.kind == 'list':
            return self.vector(value)
        return ast.LawCall(self.fragment('primary', value), place=value.place)

    def guard(self, value: YamlNode) -> ast.Guard | None:
        """Read what ends a step."""
        guards: Any = self.value(ast.Guard, 'list', 'until', value)
        if len(guards) > 1:
            hint = "join them by 'or', or make a behavior of the step"
            self.wrong(guards[1].place, 'a step has one guard at most', hint)
        return guards[0] if guards else None

    def timeout(self, value: YamlNode) -> ast.Timeout:
        """Read a timer, but for its action."""
        return ast.Timeout(self.fragment('expression', value), place=value.place)

    def on_timeout(self, value: YamlNode) -> None:
        """Report it: where there is a timer its action is read with it."""
        self.wrong(value.place, "there is an 'on_timeout' and no 'timeout'")

    def action(self, value: YamlNode) -> ast.Action:
        """Read an action; the text of ``fail`` may stand without quotation marks."""
        plain = _FAIL.fullmatch(value.text)
        if plain:
            return ast.Action('fail', plain[1].rstrip(), place=value.place)
        found: ast.Action = self.fragment('action', value)
        return found

    def step(self, value: YamlNode) -> Any:
        """Read a step; its kind is the first of its keys that names one."""
        keys = [key.text for key, _ in value.pairs()] if value.kind == 'mapping' else []
        word = next((key for key in keys if key in _STEPS), None)
        if word is None:
            hint = f'write a mapping with one of {", ".join(_STEPS)}'
            self.wrong(value.place, 'this is no step', hint)
            return ast.Reverse()
        kind, what = _STEPS[word], f"a step '{word}'"
        own = {'call': ['call', 'args'], 'par': ['par', 'as']}.get(word, [word])
        others = [] if kind is ast.Parallel else [key for key in SCHEMA[kind] if key not in _STEPS]
        found = self.fields(value, what, [*own, *others])
        if kind is ast.Parallel:
            label = self.fragment('word', found['as']) if 'as' in found else ''
            return self.node(kind, found['par'], 'par', value.place, {'label': label})
        given = {'call': self.call(found)} if word == 'call' else {}
        return self.filled(kind, found, what, value.place, given)

    def call(self, keys: _Fields) -> ast.Expression:
        """Read a call with its arguments by name, by position, or both in a list."""
        base: ast.Expression = self.fragment('primary', keys['call'])
        given = keys.get('args')
        if given is None:
            whole = isinstance(base, ast.Call) or base is _UNKNOWN
            return base if whole else ast.Call(base, place=base.place)
        arguments: list[ast.Argument] = []
        for item in [given] if given.kind == 'mapping' else self.items(given):
            if item.kind == 'mapping':
                named = self.named(item, 'args')
                arguments += [self.argument(inner, name, at) for name, inner, at in named]
            else:
                arguments.append(self.argument(item, '', item.place))
        return ast.Call(base, tuple(arguments), place=base.place)

    def argument(self, value: YamlNode, name: str, place: Place) -> ast.Argument:
        """Read an argument; $name is the value of that name."""
        if value.text.startswith('$'):
            line, column = value.place
            value = YamlNode(Place(line, column + 1), 'text', value.text[1:])
        return ast.Argument(self.fragment('expression', value), name, place=place)
