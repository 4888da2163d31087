"""Messages for wrong syntax: what is unexpected at a token, and what to write instead."""

from collections.abc import Mapping

from lark import Token

from walking_robots.mdle.language.ast import Place
from walking_robots.mdle.language.diagnostics import Diagnostic
from walking_robots.mdle.language.quantities import UNITS

_CLASSES = (
    ('a value', {'NUM', 'QTY', 'STRING', 'inf', 'true', 'false', 'NAME', '(', '-', 'not'}),
    ('a value', {'NUM', 'QTY', 'STRING', 'inf', 'true', 'false', 'NAME', '(', '-'}),
    ('an operator', {'+', '-', '*', '/', 'COMPARE', 'and', 'or'}),
    ('an operator', {'+', '-', '*', '/', 'and', 'or'}),
    ('a step', {'scale', 'NAME', '(', 'par', 'if', 'reverse'}),
    ('a declaration', {'const', 'interrupt', 'law', 'group', 'atom', 'behavior', 'plan'}),
)
_KINDS = {
    'NAME': 'a name',
    'MEMBER': 'a name',
    'NUM': 'a number',
    'QTY': 'a quantity',
    'STRING': 'a string',
    'COMPARE': 'a comparison',
    '$END': 'the end of the text',
}
_BEHIND_PRIMARY = {'.', '@', '[', '('}
_SIGNS = {
    '&': "write 'and'",
    '|': "write 'or'",
    '!': "write 'not', and '!=' to compare",
    "'": 'write strings in "double quotation marks"',
    '%': 'write shares as decimal numbers: 0.2 for 20 percent',
    '?': "write 'if ... { } else { }'",
    '\N{DEGREE SIGN}': "write the unit 'deg'",
}


def syntax_error(
    place: Place,
    token: Token,
    expected: set[str],
    previous: Token | None,
    spellings: Mapping[str, str],
) -> Diagnostic:
    """Return what is unexpected at a place and what was expected instead.

    token: of a terminal of the grammar, '$END', 'UNENDED' for a string without its end or
    'BROKEN' for a character of no terminal; expected: names of terminals; previous: the token
    before, if any; spellings: the words and signs that terminals stand for.
    """
    if token.type == 'UNENDED':
        hint = 'end the string with " on the same line'
        return Diagnostic(place, 'E101', 'a string is not ended', hint=hint)
    found = f"'{_short(token)}'" if token.type != 'STRING' else f'the string {_short(token)}'
    if token.type == '$END':
        found = 'the end of the text'
    wanted = {spellings.get(name, name) for name in expected}
    text = f'unexpected {found}; expected {_listed(wanted)}'
    return Diagnostic(place, 'E101', text, hint=_hint(token, wanted, previous, spellings))


def _short(token: Token) -> str:
    text = token.value if len(token.value) <= 30 else f'{token.value[:27]}...'
    return text if text.isprintable() else ascii(text)[1:-1]


def _listed(wanted: set[str]) -> str:
    """Return words as a list, with kinds of words in place of many of a kind."""
    rest = set(wanted)
    # What can follow any name or call is said only where nothing else can stand.
    if rest > _BEHIND_PRIMARY:
        rest -= _BEHIND_PRIMARY
    words = []
    for name, members in _CLASSES:
        if members <= rest:
            rest -= members
            words.append(name)
    words += sorted(_KINDS[word] for word in rest if word in _KINDS)
    words += sorted(f"'{word}'" for word in rest if word not in _KINDS)
    return words[0] if len(words) == 1 else f'{", ".join(words[:-1])} or {words[-1]}'


def _hint(
    token: Token, wanted: set[str], previous: Token | None, spellings: Mapping[str, str]
) -> str:
    """Return a remedy for the mistakes that are made most."""
    before = previous.type if previous else ''
    if token.type == 'BROKEN':
        return _SIGNS.get(token.value, 'remove it')
    if previous is None and 'mdle' in wanted:
        return "begin the program with 'mdle 1;'"
    if before == 'NUM' and token.type == 'NAME':
        return f"'{_short(token)}' is no unit; there are {', '.join(UNITS)}"
    if 'NAME' in wanted and spellings.get(token.type) == token.value and token.value.isalpha():
        return f"'{token.value}' is a word of the language; choose another name"
    if 'do' in wanted and token.type in ('NAME', 'RBRACE', '$END'):
        return 'write the steps in do { ... }'
    if ';' in wanted:
        if spellings.get(token.type) in ('until', 'timeout') and before:
            return "write 'until', 'timeout' and 'times' in this order, each once"
        return "end it with ';'"
    if token.value == '=' and 'COMPARE' in wanted:
        return "compare with '=='"
    if token.type == '$END' and '}' in wanted:
        return "close what is open with '}'"
    return ''
