"""Read the text notation of MDLe (mdle.md §4.3): lark's parser, and the syntax tree it builds."""

import math
import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from threading import Lock
from typing import Any, NamedTuple

from lark import Lark, Token, Transformer, UnexpectedCharacters, UnexpectedInput, v_args

from walking_robots.mdle.language import ast
from walking_robots.mdle.language.ast import Expression, Place
from walking_robots.mdle.language.diagnostics import (
    MOST_DIAGNOSTICS,
    Diagnostic,
    ProgramError,
    program_error,
)
from walking_robots.mdle.language.limits import (
    LARGEST_SOURCE,
    MOST_DEPTH,
    MOST_REPETITIONS,
    MOST_TOKENS,
    excess,
)
from walking_robots.mdle.language.syntax_errors import syntax_error

FRAGMENTS = (
    'action', 'cause', 'core', 'count', 'expression', 'filters', 'flag', 'imported', 'mode',
    'primary', 'repetition', 'target', 'type', 'typed', 'vector', 'word',
)  # fmt: skip
"""Rules of the grammar that can be read on their own."""

FILTERS = frozenset(['hold', 'debounce', 'edge', 'latch', 'stale'])
"""Words that are keywords where a filter begins and nowhere else: ``hold`` is an atom, too."""

TOO_LARGE = 'split it into files and import them'

START = Place(1, 1)
"""Where a text begins."""

_CONTEXTUAL = {'MEMBER', *(word.upper() for word in FILTERS)}
_NESTING = {'LPAR': 1, 'LSQB': 1, 'LBRACE': 1, 'RPAR': -1, 'RSQB': -1, 'RBRACE': -1}
_BLANK = ' \t\r\ufeff'
_COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|#[^\r\n]*')
_DECLARATION = re.compile(
    r'"(?:[^"\\\n]|\\.)*"|#[^\r\n]*'
    r'|(?<![A-Za-z0-9_.@])(?:import|const|interrupt|law|group|atom|behavior|plan)\s+([A-Za-z_]\w*)'
)
_QUANTITY = re.compile(r'([0-9.]+(?:[eE][+-]?[0-9]+)?)[ \t]*(.*)')
_ESCAPES = {'n': '\n', 't': '\t', 'r': '\r', '"': '"', '\\': '\\'}
_ESCAPE = re.compile(r'\\(?:u([0-9A-Fa-f]{4})|(.))')


def parse_text(source: str, file: str = 'program') -> ast.Program:
    """Read a program.

    file: its name in messages. Raises ProgramError with E101 for wrong syntax, at most one for
    each declaration, or E102 for a version of the language that is not known.
    """
    found: list[Diagnostic] = []
    try:
        program: ast.Program = _parser().parse('program', source)
        large = excess(program)
        if large is None:
            return replace(program, source=source, comments=tuple(_comments(source)))
        found = [large]
    except _SyntaxError as error:
        found = [error.diagnostic, *_later_errors(source, error)]
    raise ProgramError(found, file)


def parse_fragment(rule: str, source: str, at: Place = START, file: str = 'program') -> Any:
    """Read a text that is one of FRAGMENTS, such as 'expression', and stands at ``at``.

    Raises ProgramError with E101 for wrong syntax. The caller checks the size of the whole.
    """
    try:
        return _parser().parse(rule, source, at)
    except _SyntaxError as error:
        raise ProgramError([error.diagnostic], file) from None


def keywords() -> frozenset[str]:
    """Return the words that cannot be names."""
    return frozenset(word for word in _parser().spellings.values() if word.isalpha()) - FILTERS


def place_of(token: Token) -> Place:
    """Return the place of the first character of a token."""
    return Place(token.line or 0, token.column or 0)


def _comments(source: str) -> Iterator[ast.Comment]:
    """Return the comments of a program that could be read."""
    line, start = 1, 0
    for match in _COMMENT.finditer(source):
        at, text = match.start(), match[0]
        if '\n' in source[start:at]:
            line += source.count('\n', start, at)
            start = source.rfind('\n', start, at) + 1
        if text[0] == '#':
            alone = not source[start:at].strip(_BLANK)
            yield ast.Comment(text.rstrip(), alone, Place(line, at - start + 1))


class _SyntaxError(Exception):
    """What is wrong in a text; position: where the parser stopped, behind ``count`` tokens."""

    def __init__(self, diagnostic: Diagnostic, position: int, count: int) -> None:
        super().__init__()
        self.diagnostic = diagnostic
        self.position = position
        self.count = count


def _later_errors(source: str, error: _SyntaxError) -> Iterator[Diagnostic]:
    """Go on with the next declaration after an error, and return what else is wrong."""
    # Nothing can be said of a program that does not begin as one, or is of another version.
    if error.count < 4 or error.diagnostic.code != 'E101' or len(source) > LARGEST_SOURCE:
        return
    position = error.position
    for _ in range(1, MOST_DIAGNOSTICS):
        matches = _DECLARATION.finditer(source, position)
        found = next((m.start() for m in matches if m[1] and m[1] not in keywords()), None)
        if found is None:
            return
        line = source.count('\n', 0, found) + 1
        column = found - source.rfind('\n', 0, found)
        try:
            _parser().parse('rest', source[found:], Place(line, column))
        except _SyntaxError as another:
            yield another.diagnostic
            position = found + another.position
        else:
            return


class _Parser:
    """Lark's parser for the grammar, which watches the tokens between its lexer and itself.

    always_accept: the terminals that the contextual lexer knows everywhere, so that a keyword is
    reserved; the others it knows only where the grammar has them; spellings: what the terminals
    stand for.
    """

    def __init__(self) -> None:
        self.always_accept: list[str] = []
        self._lock = Lock()
        self._begin(START)
        # More is typed in new releases of the library only.
        options: Any = {'edit_terminals': self._know, 'postlex': self}
        self.lark = Lark(
            files(__package__).joinpath('grammar.lark').read_text(encoding='utf-8'),
            parser='lalr',
            lexer='contextual',
            start=['program', 'rest', *FRAGMENTS],
            transformer=_AstBuilder(),
            maybe_placeholders=True,
            **options,
        )
        spelled = [item for item in self.lark.terminals if item.pattern.type == 'str']
        self.spellings = {item.name: item.pattern.value for item in spelled}

    def _know(self, terminal: Any) -> None:
        if terminal.name not in _CONTEXTUAL:
            self.always_accept.append(terminal.name)

    def _begin(self, origin: Place) -> None:
        self._origin, self._count = origin, 0
        self._last: deque[Token] = deque(maxlen=2)

    def parse(self, rule: str, source: str, origin: Place = START) -> Any:
        """Read a text that begins at ``origin`` by a rule of the grammar; raises _SyntaxError."""
        with self._lock:
            self._begin(origin)
            try:
                if len(source) > LARGEST_SOURCE:
                    text = f'the program has more than {LARGEST_SOURCE} characters'
                    raise program_error(origin, text, TOO_LARGE)
                return self.lark.parse(source, start=rule)
            except UnexpectedInput as error:
                raise self._unexpected(error, source) from None
            except ProgramError as error:
                at = self._last[-1].start_pos if self._last else 0
                raise _SyntaxError(error.diagnostics[0], at or 0, self._count) from None

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """Hand on tokens with their places in the file; raise ProgramError beyond the limits."""
        origin, last, depth = self._origin, self._last, 0
        moved = origin != START
        for self._count, token in enumerate(stream, 1):
            last.append(token)
            if moved:
                if token.line == 1:
                    token.column += origin.column - 1
                token.line += origin.line - 1
            depth += _NESTING.get(token.type, 0)
            if depth > MOST_DEPTH:
                text = f'brackets nest deeper than {MOST_DEPTH} levels'
                raise program_error(place_of(token), text, 'name a part of it and use the name')
            if self._count > MOST_TOKENS:
                text = f'the program has more than {MOST_TOKENS} words and signs'
                raise program_error(place_of(token), text, TOO_LARGE)
            yield token

    def _unexpected(self, error: Any, source: str) -> _SyntaxError:
        """Return the error for what the grammar does not have where the parser stopped."""
        last, origin = self._last, self._origin
        if isinstance(error, UnexpectedCharacters):
            at = error.pos_in_stream
            self._count += 1
            column = error.column + (origin.column - 1 if error.line == 1 else 0)
            kind = 'UNENDED' if source[at] == '"' else 'BROKEN'
            token = Token(kind, source[at], at, error.line + origin.line - 1, column)
        elif error.token.type == '$END':
            line, column = origin
            if last:
                line, column = place_of(last[-1])
                column += len(last[-1])
            token = Token('$END', '', len(source), line, column)
        else:
            token = last.pop()
        previous = last[-1] if last else None
        expected = _acceptable(error.interactive_parser.parser_state)
        diagnostic = syntax_error(place_of(token), token, expected, previous, self.spellings)
        return _SyntaxError(diagnostic, token.start_pos or 0, self._count)


@lru_cache(1)
def _parser() -> _Parser:
    """Build the parser, once: that takes longer than reading a program."""
    return _Parser()


def _acceptable(state: Any) -> set[str]:
    """Return the terminals that could have stood where the parser stopped.

    The table of a LALR parser holds some that no text can have there, so the parser's stack is
    followed for each of them.
    """
    table = state.parse_conf.states[state.position]
    return {name for name in table if _is_taken(state, name)} or {'$END'}


def _is_taken(state: Any, terminal: str) -> bool:
    table = state.parse_conf.states
    stack = list(state.state_stack)
    while terminal in table[stack[-1]]:
        _, target = table[stack[-1]][terminal]
        rule = getattr(target, 'expansion', None)
        if rule is None:
            return terminal.isupper()
        del stack[len(stack) - len(rule) :]
        stack.append(table[stack[-1]][target.origin.name][1])
        if terminal == '$END' and stack[-1] == state.parse_conf.end_state:
            return True
    return False


class Triple(NamedTuple):
    """(U, xi, T) or ((e1, ..., en), xi, T) of the formal notation; ``what`` is U or a list."""

    what: 'ast.Control | list[Triple]'
    condition: Expression
    duration: Expression
    place: Place


_SINGLE = {'control', 'timeout', 'loop', 'irreversible'}
"""Fields of an element that hold one clause; the others hold all of their kind."""


def _fields_of(clauses: Iterable[Any], name: Token) -> dict[str, Any]:
    """Sort the clauses of an element into its fields; raise where one stands twice wrongly."""
    fields: dict[str, list[Any]] = {}
    for clause in clauses:
        if type(clause) is tuple:
            field, place, values = clause
        else:
            kind = type(clause).__name__.lower()
            field = kind if kind in _SINGLE else f'{kind}s'
            place, values = clause.place, (clause,)
        found = fields.setdefault(field, [])
        found += values
        if field in _SINGLE and len(found) > 1:
            text = f"'{name}' has a second '{field}'"
            raise program_error(place, text, 'keep one of them')
    return {
        field: values[0] if field in _SINGLE else tuple(values) for field, values in fields.items()
    }


def _count(token: Token) -> int:
    """Return the whole number of ``times``, ``loop`` and ``retry``."""
    value = float(token)
    if not (1 <= value <= MOST_REPETITIONS and value == int(value)):
        hint = f'write a whole number from 1 to {MOST_REPETITIONS}'
        raise program_error(place_of(token), f"'{token[:20]}' is no count", hint)
    return int(value)


def _string(token: Token) -> str:
    """Return what a string says, escapes resolved."""

    def resolve(match: re.Match[str]) -> str:
        code, letter = match.groups()
        if code:
            return chr(int(code, 16))
        if letter not in _ESCAPES:
            hint = 'write \\\\ for a backslash, \\" for a quotation mark, \\n for a new line'
            raise program_error(place_of(token), f"a string cannot hold '\\{letter}'", hint)
        return _ESCAPES[letter]

    inner = token.value[1:-1]
    return _ESCAPE.sub(resolve, inner) if '\\' in inner else inner


def _node(kind: Any, skip: int = 0) -> Any:
    """Return the method for a rule of the fields of a node, behind so many words of its own."""

    def build(builder: object, *parts: Any) -> Any:
        values = [part.value if type(part) is Token else part for part in parts[skip:]]
        return kind(*values, place=_place(parts[0]))

    return build


def _place(part: Any) -> Place:
    """Return where a part of a rule stands; of several nodes the first."""
    if type(part) is Token:
        return Place(part.line, part.column)
    place: Place = part[0].place if type(part) is tuple else part.place
    return place


def _listed(builder: object, *items: Any) -> tuple[Any, ...]:
    """Return the items of a rule."""
    return items


@v_args(inline=True)
class _AstBuilder(Transformer):  # type: ignore[type-arg]
    """Builds the syntax tree: a method for each rule of grammar.lark, with what it keeps."""

    constant = _node(ast.Constant, 1)
    interrupt = _node(ast.Interrupt, 1)
    group = _node(ast.Group, 1)
    emission = _node(ast.Emission, 1)
    until = _node(ast.Guard, 1)
    timeout = _node(ast.Timeout, 1)
    handler = _node(ast.Handler, 1)
    parallel = _node(ast.Parallel, 1)
    condition = _node(ast.Condition, 1)
    reverse = _node(ast.Reverse, 1)
    scale = _node(ast.Scale, 1)
    filter = _node(ast.Filter)
    parameter = _node(ast.Parameter)
    unary = _node(ast.Unary)
    member = _node(ast.Member)
    partner = _node(ast.Partner)
    index = _node(ast.Index)
    slice = _node(ast.Slice)
    segment = _node(ast.Segment)
    law_call = _node(ast.LawCall)
    filters = parameters = vector = _listed

    def program(self, word: Token, version: None, *parts: Any) -> ast.Program:
        fields: dict[str, list[Any]] = {}
        for part in parts:
            kind = getattr(part, 'kind', type(part).__name__.lower())
            fields.setdefault(f'{kind}s', []).append(part)
        found: dict[str, Any] = {field: tuple(items) for field, items in fields.items()}
        return ast.Program(1, place=place_of(word), **found)

    def rest(self, *parts: Any) -> None:
        """Return nothing: what follows an error is read for more errors only."""

    def version(self, number: Token) -> None:
        if float(number) != 1:
            text = f'language version {number[:20]} not supported (1)'
            raise program_error(place_of(number), text, code='E102')

    def constant_type(self, written: str = '') -> str:
        return written

    def optional(self, items: tuple[Any, ...] = ()) -> tuple[Any, ...]:
        return items

    def names(self, *names: Token) -> tuple[str, ...]:
        return tuple(name.value for name in names)

    def importation(self, word: Token, imported: ast.Import) -> ast.Import:
        return replace(imported, place=place_of(word))

    def imported(self, path: tuple[str, ...], alias: Token | None) -> ast.Import:
        return ast.Import(path, alias.value if alias else '')

    def stale(self, word: Token, policy: Any) -> ast.Filter:
        return ast.Filter('stale', policy=policy.value, place=place_of(word))

    def law(self, word: Token, name: Token, parameters: Any, space: Token, body: Any) -> ast.Law:
        vector, extern = (None, _string(body)) if isinstance(body, Token) else (body, '')
        return ast.Law(name.value, parameters, space.value, vector, extern, place=place_of(word))

    def atom(
        self, word: Token, name: Token, parameters: Any, outputs: Any, space: Token, *clauses: Any
    ) -> ast.Atom:
        *items, end = clauses
        fields = {**_fields_of(items, name), 'end': place_of(end), 'place': place_of(word)}
        marks = [item[1] for item in items if type(item) is tuple and item[0] == 'irreversible']
        fields |= {'irreversible_at': marks[0]} if marks else {}
        return ast.Atom(name.value, space.value, parameters, outputs, **fields)

    def encapsulation(
        self, kind: Any, name: Token, parameters: Any, outputs: Any, *parts: Any
    ) -> ast.Encapsulation:
        *clauses, steps, end = parts
        fields = {**_fields_of(clauses, name), 'end': place_of(end), 'place': place_of(kind)}
        return ast.Encapsulation(kind.value, name.value, steps, parameters, outputs, **fields)

    def block(self, start: Token, *parts: Any) -> ast.Block:
        *steps, end = parts
        block = ast.Block(steps)
        block.start, block.end = place_of(start), place_of(end)
        return block

    def clause(self, word: Token, *values: Any) -> tuple[str, Place, tuple[Any, ...]]:
        field = 'cleanup' if word == 'finally' else word.value
        return field, place_of(word), values or (True,)

    def segments(self, *items: ast.Segment) -> ast.Segments:
        return ast.Segments(items)

    def loop(self, word: Token, repetition: ast.Loop) -> ast.Loop:
        return replace(repetition, place=place_of(word))

    def repetition(self, word: Token, condition: Expression | None = None) -> ast.Loop:
        place = place_of(word)
        if condition:
            return ast.Loop('while', condition=condition, place=place)
        if word.type == 'NUM':
            return ast.Loop('count', _count(word), place=place)
        return ast.Loop('forever', place=place)

    def cause(self, kind: Any, name: Token | None = None) -> ast.Cause:
        if name is None:
            return ast.Cause(kind.value)
        return ast.Cause(kind.value, _string(name) if kind == 'fail' else name.value)

    def action(self, kind: Any, value: Any = None, then: ast.Action | None = None) -> ast.Action:
        place = place_of(kind)
        if kind == 'retry':
            return ast.Action('retry', count=_count(value), place=place)
        if kind == 'run':
            return ast.Action('run', call=value, then=then, place=place)
        return ast.Action(kind.value, _string(value) if value else '', place=place)

    def assigned_step(self, name: Token, run: ast.Run) -> ast.Run:
        return replace(run, output=name.value, place=place_of(name))

    def labelled_step(self, name: Token, step: Any) -> Any:
        return replace(step, label=name.value, place=place_of(name))

    def run(
        self, scale: ast.Scale | None, target: Any, guard: Any, timeout: Any, times: Any
    ) -> ast.Run:
        call, steps, place = target if type(target) is tuple else (target, (), target.place)
        place = scale.place if scale else place
        return ast.Run(call, steps, '', '', scale, guard, timeout, times, place=place)

    def steps(self, parenthesis: Token, *steps: ast.Step) -> tuple[None, Any, Place]:
        return None, steps, place_of(parenthesis)

    def target(self, target: Any) -> Expression | None:
        return None if isinstance(target, Token) else target

    def core(self, start: Token, what: Any, condition: Expression, time: Expression) -> Triple:
        return Triple(what, condition, time, place_of(start))

    def core_list(self, *items: Triple) -> list[Triple]:
        return list(items)

    def typed(self, kind: str, default: Expression | None) -> ast.Parameter:
        return ast.Parameter('', kind, default)

    def mode(self, word: Token) -> str:
        return str(word)

    word = mode

    def flag(self, word: Token) -> bool:
        return word == 'true'

    def type(self, *tokens: Token) -> str:
        return ''.join(tokens)

    def binary(self, left: Expression, operator: Token, right: Expression) -> ast.Binary:
        return ast.Binary(operator.value, left, right, place=left.place)

    def number(self, token: Token) -> ast.Number:
        if token == 'inf':
            return ast.Number(math.inf, place=place_of(token))
        digits, unit = _QUANTITY.fullmatch(token).groups()  # type: ignore[union-attr]
        value = float(digits)
        if math.isinf(value):
            text = f"'{token[:20]}' is too large a number"
            raise program_error(place_of(token), text, "write 'inf' for no limit")
        return ast.Number(value, unit, place=place_of(token))

    def name(self, token: Token) -> ast.Name:
        return ast.Name(token.value, place=place_of(token))

    def text(self, token: Token) -> ast.Text:
        return ast.Text(_string(token), place=place_of(token))

    def truth(self, token: Token) -> ast.Truth:
        return ast.Truth(token == 'true', place=place_of(token))

    def call(self, base: Expression, *arguments: ast.Argument) -> ast.Call:
        return ast.Call(base, arguments, place=base.place)

    def argument(self, name: Token | None, value: Expression) -> ast.Argument:
        if name is None:
            return ast.Argument(value, place=value.place)
        return ast.Argument(value, name.value, place=place_of(name))
