"""The notation in YAML: says the same as the text, one to one (mdle.md §4.18).

Expressions, types, actions, causes and filters are strings in the words of the text notation;
a quantity is a string with its unit. Where one value stands for a list, the list may be left out.

    mdle: 1
    imports: [std.body2, std.scout as scout]
    constants: {g: 9.8 m/s^2, n: {type: num, value: 3}}
    groups: {pair: [alpha, beta]}
    interrupts:
      contact: y.bumper.any
      near: {params: {r: m = 1 m}, if: y.range < r, with: [hold 0.2 s, stale false]}
    laws:
      go: {params: {v: m/s}, on: body2, u: [v, 0 rad/s]}
      far: {on: body2, extern: name}
    atoms:
      go_to:
        params: {p: point, speed: m/s = 0.2 m/s}
        outs: {q: point}
        on: body2
        control: pursue(y.pose, p, speed)     # or a vector: [0, 1 rad/s], or segments:
                                              # {segments: [{u: [1 m/s, 0], for: 2 s}]}
        until: near(1 m)                      # or [{if: near(1 m), then: done}, ...]
        timeout: 60 s
        on_timeout: fail too late             # the text of fail may stand without quotes
        emit: {q: p}
        needs: [y@alpha.pose]
        irreversible: true
    behaviors, plans:
      NAME:
        params, outs, until, timeout, on_timeout: as of an atom
        loop: forever                         # or a number, or while CONDITION
        on: [{cause: fail("contact"), do: run back_off(0.2 m) then restart}]
        finally: [stop()]
        requires: [near]
        do: a list of steps

    steps:
      {call: go_to, args: {p: $target}}       # args in order: [1 m, {speed: 0.1 m/s}]
      {run: go_to}                            # an element without parentheses
      {do: [...]}                             # steps in parentheses
      any of these with as (the label), out, scale: {alpha: [2, 2], beta: 0.5}, until, timeout,
      on_timeout, times (forever, or a number)
      {par: {mode: all, do: [...]}}, {if: x, then: [...], else: [...]}, {reverse: last}, each
      with as

A mapping of names can also be a list of mappings with one key each, where a name stands twice
(which is wrong, and is for the checker to say). ``$name`` as an argument is the value of a name.
"""

import re
from collections.abc import Iterable
from dataclasses import MISSING, fields, replace
from difflib import get_close_matches
from typing import Any, NamedTuple

from walking_robots.mdle.language import ast
from walking_robots.mdle.language.ast import Place
from walking_robots.mdle.language.diagnostics import MOST_DIAGNOSTICS, Diagnostic, ProgramError
from walking_robots.mdle.language.limits import excess
from walking_robots.mdle.language.parser import keywords, parse_fragment
from walking_robots.mdle.language.polarity import Polarity, with_polarity
from walking_robots.mdle.language.yaml_nodes import YamlNode, read_nodes
from walking_robots.mdle.language.yaml_schema import SCHEMA, SECTIONS, SHORT

_UNKNOWN = ast.Name('unknown')
"""Stands for an expression that could not be read; such a program is never given out."""

_NAME = re.compile(r'[A-Za-z_][A-Za-z0-9_]*')
_FAIL = re.compile(r'fail\s+([^"\s].*)', re.DOTALL)
_FRAGMENTS: dict[str, tuple[str, Any]] = {
    'action': ('an action', ast.Action('next')),
    'cause': ('a cause', ast.Cause('fail')),
    'expression': ('an expression', _UNKNOWN),
    'filters': ('a filter', ()),
    'primary': ('a name or a call', _UNKNOWN),
    'repetition': ("'forever', a number or 'while'", ast.Loop('forever')),
    'type': ('a type', ''),
    'vector': ('a vector', (_UNKNOWN,)),
}
"""What is read by a rule of the grammar: in messages, and what stands for it where it is wrong."""

_REQUIRED = {
    kind: {item.name for item in fields(kind) if item.default is MISSING} for kind in SCHEMA
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
    reader = _Reader()
    try:
        program = reader.program(read_nodes(source))
    except ProgramError as error:
        raise ProgramError(error.diagnostics, file) from None
    large = excess(program)
    if not large:
        program = with_polarity(program, polarity)
        large = excess(program)
    found = [*reader.found, *([large] if large else [])]
    if found:
        found.sort(key=lambda diagnostic: diagnostic.place)
        raise ProgramError(found[:MOST_DIAGNOSTICS], file)
    return program


class _Named(NamedTuple):
    """A value with its name."""

    name: str
    value: YamlNode
    place: Place


class _Reader:
    """Reads a program; what was wrong with it is in ``found`` afterwards.

    The codecs of yaml_schema.py are its methods of these names, or rules of the grammar. Each
    takes a value or None, the place of what should have it, and what that is called in messages.
    """

    def __init__(self) -> None:
        self.found: list[Diagnostic] = []

    def wrong(self, place: Place, text: str, hint: str = '', code: str = 'E101') -> None:
        """Note a mistake."""
        self.found.append(Diagnostic(place, code, text, hint=hint))

    def program(self, root: YamlNode) -> ast.Program:
        """Read the whole."""
        keys = self.fields(root, 'the program', ('mdle', 'imports', *SECTIONS))
        version = self.string(keys.get('mdle'), root.place, "'mdle: 1'")
        if version not in ('', '1'):
            text = f'language version {version[:20]} not supported (1)'
            self.wrong(keys['mdle'].place, text, code='E102')
        imports = tuple(self.importation(item) for item in self.items(keys.get('imports')))
        sections: dict[str, Any] = {}
        for section, kind in SECTIONS.items():
            word = section[:-1]
            known = {'kind': word} if kind is ast.Encapsulation else {}
            sections[section] = tuple(
                self.node(kind, value, f"{word} '{name}'", place, {'name': name, **known})
                for name, value, place in self.named(keys.get(section), section)
            )
        return ast.Program(1, imports, **sections)

    def node(
        self, kind: type[ast.Node], value: YamlNode, what: str, place: Place, given: Any = None
    ) -> Any:
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
        for key, (field, codec, many) in SCHEMA[kind].items():
            value = keys.get(key)
            if field in given or (value is None and field not in _REQUIRED[kind]):
                continue
            label = f"'{key}'" if key else 'a name'
            if many:
                items = self.items(value)
                given[field] = tuple(self.value(codec, item, place, label) for item in items)
                if not items and (field in _REQUIRED[kind] or (value and codec == 'step')):
                    at = value.place if value else place
                    field = 'steps' if codec == 'step' else field
                    self.wrong(at, f'{what} has no {field}')
            else:
                given[field] = self.value(codec, value, place, label)
        if 'timeout' in keys and 'on_timeout' in keys:
            action = self.action(keys['on_timeout'], place)
            given['timeout'] = replace(given['timeout'], action=action)
        if kind is ast.Law and 'extern' not in keys and 'u' not in keys:
            self.fragment('vector', None, place)
        if kind is ast.Law and 'extern' in keys and 'u' in keys:
            self.wrong(keys['u'].place, f"{what} has both 'u' and 'extern'")
        return kind(place=place, **given)

    def value(
        self, codec: str | type[ast.Node], value: YamlNode | None, place: Place, what: str
    ) -> Any:
        """Read a value by a codec."""
        if not isinstance(codec, str):
            return self.node(codec, value, what.strip("'"), value.place) if value else None
        method = getattr(self, codec, None)
        return method(value, place, what) if method else self.fragment(codec, value, place)

    def fields(self, value: YamlNode, what: str, known: Iterable[str]) -> _Fields:
        """Take a mapping apart; keys that are unknown or stand twice are E103."""
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

    def items(self, value: YamlNode | None) -> list[YamlNode]:
        """Take a list; one value stands for a list of it, nothing for none."""
        if value is None or (value.kind == 'text' and not value.text):
            return []
        return value.items if value.kind == 'list' else [value]

    def named(self, value: YamlNode | None, what: str) -> list[_Named]:
        """Take names with values: a mapping, or a list of mappings of one key each."""
        found: list[_Named] = []
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
                found.append(_Named(self.name(key), inner, key.place))
        return found

    def string(self, value: YamlNode | None, place: Place, what: str = 'a value') -> str:
        """Read a text as it is."""
        if value is not None and value.kind == 'text':
            return value.text
        if value is None:
            self.wrong(place, f'{what} is missing here')
        else:
            self.wrong(value.place, f'{what} is expected here')
        return ''

    def name(
        self, value: YamlNode | None, place: Place = ast.NOWHERE, what: str = 'a name'
    ) -> str:
        """Read a word that can be a name."""
        text = self.string(value, place, what)
        if value is not None and value.kind == 'text':
            if not _NAME.fullmatch(text):
                hint = 'letters, digits and _, no digit first'
                self.wrong(value.place, f"'{text[:40]}' is no name", hint)
            elif text in keywords():
                text = f"'{text}' is a word of the language"
                self.wrong(value.place, text, 'choose another name')
        return text

    def fragment(self, rule: str, value: YamlNode | None, place: Place) -> Any:
        """Read a text by a rule of the grammar."""
        what, fallback = _FRAGMENTS[rule]
        if value is not None and value.kind == 'text':
            return self.source(rule, value.text, value.place, fallback)
        self.string(value, place, what)
        return fallback

    def source(self, rule: str, source: str, place: Place, fallback: Any) -> Any:
        """Read a piece of a text by a rule of the grammar."""
        try:
            return parse_fragment(rule, source, place)
        except ProgramError as error:
            self.found += error.diagnostics
            return fallback

    def importation(self, value: YamlNode) -> ast.Import:
        """Read an import."""
        text = self.string(value, value.place, 'an import')
        path, _, alias = text.partition(' as ')
        if alias:
            line, column = value.place
            self.name(YamlNode(Place(line, column + len(path) + 4), 'text', alias.strip()))
        names = self.source('path', path, value.place, ('',)) if text else ('',)
        return ast.Import(names, alias.strip(), place=value.place)

    def type(self, value: YamlNode | None, place: Place, what: str) -> str:
        """Read the type of a constant; without one it is that of its value."""
        found: str = self.fragment('type', value, place) if value else ''
        return found

    def parameters(self, value: YamlNode | None, place: Place, what: str) -> Any:
        """Read types by name: ``speed: m/s``, or with a default ``speed: m/s = 0.2 m/s``."""
        found: list[ast.Parameter] = []
        for name, written, at in self.named(value, what.strip("'")):
            text = self.string(written, at, 'the type')
            kind, equals, default = text.partition('=')
            line, column = written.place
            behind = Place(line, column + len(kind) + 1)
            type_ = self.source('type', kind, written.place, '') if text else ''
            given = self.source('expression', default, behind, None) if equals else None
            found.append(ast.Parameter(name, type_, given, place=at))
        return tuple(found)

    def filters(self, value: YamlNode | None, place: Place, what: str) -> tuple[ast.Filter, ...]:
        """Read the filters of an interrupt, each of which may be several."""
        read = (self.fragment('filters', item, place) for item in self.items(value))
        return tuple(item for several in read for item in several)

    def vector(self, value: YamlNode | None, place: Place, what: str = '') -> ast.Vector:
        """Read a list of expressions, or one string that is a vector."""
        if value is not None and value.kind == 'list' and value.items:
            return tuple(self.fragment('expression', item, place) for item in value.items)
        found: ast.Vector = self.fragment('vector', value, place)
        return found

    def flag(self, value: YamlNode, place: Place, what: str) -> bool:
        """Read ``true`` or ``false``."""
        text = self.string(value, place)
        if text not in ('true', 'false'):
            self.wrong(value.place, "this has to be 'true' or 'false'")
        return text == 'true'

    def control(self, value: YamlNode, place: Place, what: str) -> Any:
        """Read a control: a law, a vector, or segments."""
        if value.kind == 'text':
            return ast.LawCall(self.fragment('primary', value, place))
        if value.kind == 'list':
            return self.vector(value, place)
        return self.node(ast.Segments, value, 'control', value.place)

    def emissions(self, value: YamlNode, place: Place, what: str) -> tuple[ast.Emission, ...]:
        """Read what an atom puts out."""
        return tuple(
            self.node(ast.Emission, item, name, at, {'name': name})
            for name, item, at in self.named(value, 'emit')
        )

    def guard(self, value: YamlNode, place: Place, what: str) -> ast.Guard | None:
        """Read what ends a step."""
        guards = [self.node(ast.Guard, item, 'until', item.place) for item in self.items(value)]
        if len(guards) > 1:
            hint = "join them by 'or', or make a behavior of the step"
            self.wrong(guards[1].place, 'a step has one guard at most', hint)
        return guards[0] if guards else None

    def timeout(self, value: YamlNode, place: Place, what: str) -> ast.Timeout:
        """Read a timer, but for its action."""
        return ast.Timeout(self.fragment('expression', value, place), place=value.place)

    def on_timeout(self, value: YamlNode, place: Place, what: str) -> None:
        """Complain: where there is a timer its action is read with it."""
        self.wrong(value.place, "there is an 'on_timeout' and no 'timeout'")

    def action(self, value: YamlNode | None, place: Place, what: str = '') -> ast.Action:
        """Read an action; the text of ``fail`` may stand without quotation marks."""
        plain = value is not None and value.kind == 'text' and _FAIL.fullmatch(value.text)
        if plain and value:
            return ast.Action('fail', plain[1].rstrip(), place=value.place)
        found: ast.Action = self.fragment('action', value, place)
        return found

    def times(self, value: YamlNode, place: Place, what: str) -> ast.Loop:
        """Read how often a step runs."""
        loop: ast.Loop = self.fragment('repetition', value, place)
        if loop.kind == 'while':
            hint = "put 'loop' into a behavior instead"
            self.wrong(value.place, "'times' has to be 'forever' or a number", hint)
        return loop

    def mode(self, value: YamlNode | None, place: Place, what: str) -> str:
        """Read the mode of steps at the same time."""
        mode = self.string(value, place, what)
        if mode not in ('all', 'any'):
            self.wrong(place, "the mode of 'par' has to be 'all' or 'any'")
        return mode

    def target(self, value: YamlNode, place: Place, what: str) -> ast.Expression | None:
        """Read what is reversed."""
        if value.kind == 'text' and value.text == 'last':
            return None
        found: ast.Expression = self.fragment('primary', value, place)
        return found

    def step(self, value: YamlNode, place: Place, what: str) -> Any:
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
        given: dict[str, Any] = {}
        if word == 'call':
            given['call'] = self.call(found)
        if kind is ast.Parallel:
            label = self.name(found['as']) if 'as' in found else ''
            return self.node(kind, found['par'], 'par', value.place, {'label': label})
        return self.filled(kind, found, what, value.place, given)

    def call(self, keys: _Fields) -> ast.Expression:
        """Read a call with its arguments by name, by position, or both in a list."""
        value, given = keys['call'], keys.get('args')
        base: ast.Expression = self.fragment('primary', value, value.place)
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
        if value.kind == 'text' and value.text.startswith('$'):
            line, column = value.place
            value = YamlNode(Place(line, column + 1), 'text', value.text[1:])
        return ast.Argument(self.fragment('expression', value, place), name, place=place)
