"""Read the text notation of MDLe (mdle.md §4.3)."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from itertools import chain, islice
from typing import Any, NamedTuple

from lark import Lark, Token, UnexpectedToken
from lark.lexer import Lexer

from walking_robots.mdle.language.ast import Place, Program
from walking_robots.mdle.language.diagnostics import MOST_DIAGNOSTICS, Diagnostic, ProgramError
from walking_robots.mdle.language.limits import LARGEST_SOURCE, excess
from walking_robots.mdle.language.parts import Parts
from walking_robots.mdle.language.syntax_errors import complain
from walking_robots.mdle.language.tokens import FILTERS, START, TOO_LONG, Words, cut, place_of
from walking_robots.mdle.language.values import Misuse

FRAGMENTS = (
    'action', 'cause', 'core', 'expression', 'filters', 'path', 'primary', 'repetition', 'type',
    'vector',
)  # fmt: skip
"""Rules of the grammar that can be read on their own."""

_DECLARATIONS = {
    'IMPORT', 'CONST', 'INTERRUPT', 'LAW', 'GROUP', 'ATOM', 'BEHAVIOR', 'PLAN',
}  # fmt: skip


class _Cut(Lexer):
    """Hand on the tokens that were cut before."""

    def __init__(self, conf: object) -> None:
        """Need nothing of the grammar."""

    def lex(self, tokens: Any) -> Iterator[Token]:
        """Give the tokens."""
        return iter(tokens)


class _Reader(NamedTuple):
    """The parser; types: from words and signs to terminals of the grammar; spellings: back."""

    parser: Lark
    types: dict[str, str]
    spellings: dict[str, str]


@lru_cache(1)
def _reader() -> _Reader:
    """Build the parser, once: that takes longer than reading a program."""
    parts: Any = Parts()
    parser = Lark(
        files(__package__).joinpath('grammar.lark').read_text(encoding='utf-8'),
        parser='lalr',
        lexer=_Cut,
        start=['program', *FRAGMENTS],
        transformer=parts,
        keep_all_tokens=True,
        maybe_placeholders=False,
    )
    spelled = [item for item in parser.terminals if item.pattern is not None]
    types = {item.pattern.value: item.name for item in spelled}
    return _Reader(parser, types, {name: word for word, name in types.items()})


def keywords() -> frozenset[str]:
    """Give the words that cannot be names."""
    return frozenset(word for word in _reader().types if word.isalpha()) - FILTERS


def words_of(source: str) -> Words:
    """Cut a program into words and signs, whatever it says."""
    return cut(source, _reader().types)


def parse_text(source: str, file: str = 'program') -> Program:
    """Read a program.

    file: its name in messages. Raises ProgramError with E101 for wrong syntax, at most one for
    each declaration, or E102 for a version of the language that is not known.
    """
    types = _reader().types
    if len(source) > LARGEST_SOURCE:
        words = Words([Token(TOO_LONG, '', 0, 1, 1)], ())
    else:
        words = cut(source, types)
    found = _parse_all(words.tokens)
    if isinstance(found, Program):
        large = excess(found)
        if large is None:
            return replace(found, source=source, comments=words.comments)
        found = [large]
    raise ProgramError(found, file)


def parse_fragment(rule: str, source: str, at: Place = START, file: str = 'program') -> Any:
    """Read a text that is one of FRAGMENTS, such as 'expression', and stands at ``at``.

    Raises ProgramError with E101 for wrong syntax. The caller checks the size of the whole.
    """
    if len(source) > LARGEST_SOURCE:
        tokens = [Token(TOO_LONG, '', 0, at.line, at.column)]
    else:
        tokens = cut(source, _reader().types, at, rule == 'filters').tokens
    try:
        return _parse(rule, tokens, at)
    except _Wrong as wrong:
        raise ProgramError([wrong.diagnostic], file) from None


class _Wrong(Exception):  # noqa: N818 - it is turned into a ProgramError where the file is known.
    """A mistake, and the index of the token where it was seen."""

    def __init__(self, diagnostic: Diagnostic, index: int) -> None:
        super().__init__()
        self.diagnostic = diagnostic
        self.index = index


def _parse(rule: str, tokens: list[Token], at: Place = START, skip: int = 0) -> Any:
    """Parse tokens, those from 3 to ``skip`` left out; raises _Wrong."""
    parser, _, spellings = _reader()
    given: Any = chain(islice(tokens, 3), islice(tokens, skip, None)) if skip else tokens
    try:
        return parser.parse(given, start=rule)
    except UnexpectedToken as error:
        # Typed in new releases of the library only.
        wrong: Any = error
        token = wrong.token
        index = len(tokens) if token.type == '$END' else _index(tokens, place_of(token))
        previous = tokens[index - 1] if index else None
        if previous is None and token.type == '$END':
            token = Token('$END', '', 0, at.line, at.column)
        diagnostic = complain(token, _acceptable(wrong), previous, spellings)
        raise _Wrong(diagnostic, index) from None
    except Misuse as error:
        raise _Wrong(error.diagnostic, _index(tokens, error.diagnostic.place)) from None


def _acceptable(error: Any) -> set[str]:
    """Give the terminals that could have stood at an error.

    The library's own answer holds some that no text can have there, as the table of a LALR
    parser does; so the parser's stack is followed here for each of them.
    """
    state = error.interactive_parser.parser_state
    return {name for name in error.expected if _is_taken(state, name)}


def _is_taken(state: Any, terminal: str) -> bool:
    table = state.parse_conf.states
    stack = list(state.state_stack)
    while terminal in table[stack[-1]]:
        _, target = table[stack[-1]][terminal]
        rule = getattr(target, 'expansion', None)
        if rule is None:
            return True
        del stack[len(stack) - len(rule) :]
        stack.append(table[stack[-1]][target.origin.name][1])
        if terminal == '$END' and stack[-1] == state.parse_conf.end_state:
            return True
    return False


def _index(tokens: list[Token], place: Place) -> int:
    return bisect_left(tokens, place, key=place_of)


def _parse_all(tokens: list[Token]) -> Program | list[Diagnostic]:
    """Parse a program; after a mistake go on with the next declaration."""
    if [token.type for token in tokens[:2]] == ['MDLE', 'NUM'] and float(tokens[1]) != 1:
        # Of another version, nothing can be said of what follows.
        text = f'language version {tokens[1][:20]} not supported (1)'
        return [Diagnostic(place_of(tokens[1]), 'E102', text)]
    found: list[Diagnostic] = []
    skip = 0
    while True:
        try:
            program: Program = _parse('program', tokens, skip=skip)
        except _Wrong as wrong:
            found.append(wrong.diagnostic)
            after = _next_declaration(tokens, wrong.index)
            # Nothing is known of a program that does not begin as one.
            if wrong.index < 3 or after is None or len(found) == MOST_DIAGNOSTICS:
                return found
            skip = after
        else:
            return found or program


def _next_declaration(tokens: list[Token], start: int) -> int | None:
    """Give the index of the next token that begins a declaration."""
    for index in range(start, len(tokens) - 1):
        if tokens[index].type in _DECLARATIONS and tokens[index + 1].type == 'NAME':
            return index
    return None
