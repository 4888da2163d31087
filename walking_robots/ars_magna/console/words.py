"""Read the words of a line: numbers, and specifications such as size=3..5 color=red|blue."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from walking_robots.ars_magna.agent.messages import LOCAL, NON_LOCAL
from walking_robots.ars_magna.inputs import named, normal_name
from walking_robots.ars_magna.sensing.attributes import Attribute

SPECIFICATIONS = """\
specs: what a thing must be, as words of the form attribute=value:
  size=5         near 5, by the standard threshold
  size=1~2       1, give or take 2
  size=3..5      from 3 to 5
  size=3..5~2    from 3 to 5, give or take 2
  color=red      red
  color=red|blue red or blue
  obsmove=true   true or false
or as a list in the manual's form: ((:size 5) (:size (3 5) 2) (:color red) (:color (red blue)))"""
"""Help lines on specifications."""


def real(word: str) -> float:
    """Read a finite number."""
    try:
        number = float(word)
    except ValueError:
        number = float('nan')
    if not abs(number) < 1e300:
        raise ValueError(f"a finite number is needed, not '{word:.40}'")
    return number


def count(word: str, most: int = 999_999_999) -> int:
    """Read a whole number from 0."""
    if not (word.isascii() and word.isdigit()):
        raise ValueError(f"a whole number is needed, not '{word:.40}'")
    if len(word) > 20 or int(word) > most:
        raise ValueError(f"a whole number up to {most} is needed, not '{word:.40}'")
    return int(word)


def choice(word: str, known: Collection[str]) -> str:
    """Read one of some words."""
    if word.lower() not in known:
        raise ValueError(f"{' or '.join(known)} is needed, not '{word:.40}'")
    return word.lower()


def designator_type(word: str) -> str:
    """Read local or non-local."""
    written = {'nonlocal': NON_LOCAL, 'non_local': NON_LOCAL}.get(word.lower(), word)
    return choice(written, (LOCAL, NON_LOCAL))


def specification_of(
    words: Sequence[str], attributes: Mapping[str, Attribute]
) -> tuple[tuple[Any, ...], ...]:
    """Return the entries of a specification, as `specification` of the sensing reads them.

    words: such as size=5, or together a list in the manual's form, such as ((:size 5)).
    """
    if words and words[0].startswith('('):
        return _lisp(' '.join(words))
    return tuple(_entry(word, attributes) for word in words)


def _lisp(text: str) -> tuple[tuple[Any, ...], ...]:
    """Read a list of entries in brackets; t and nil are true and false there."""
    wrong = f"'{text:.60}' is no list of entries; write for example ((:size 5) (:color red))"
    levels: list[list[Any]] = [[]]
    for token in re.findall(r'[()]|[^\s()]+', text):
        if token == '(':
            levels.append([])
        elif token != ')':
            levels[-1].append({'t': True, 'nil': False}.get(token.lower(), _value(token)))
        elif len(levels) == 1:
            raise ValueError(wrong)
        else:
            levels[-2].append(tuple(levels.pop()))
    if (
        len(levels) != 1
        or len(levels[0]) != 1
        or not all(isinstance(entry, tuple) and len(entry) > 1 for entry in levels[0][0])
    ):
        raise ValueError(wrong)
    found: tuple[tuple[Any, ...], ...] = levels[0][0]
    return found


def _entry(word: str, attributes: Mapping[str, Attribute]) -> tuple[Any, ...]:
    written, equals, text = word.partition('=')
    name = normal_name(written)
    if not (equals and name and text):
        raise ValueError(f"'{word:.40}' is no specification; write for example size=5 color=red")
    kind = named('attribute', name, attributes).kind
    if '|' in text:
        if kind == 'numeric':
            raise ValueError(f"'{name}' is a number; write a range such as {name}=3..5")
        return name, tuple(map(_value, text.split('|')))
    text, tilde, threshold = text.partition('~')
    if kind == 'discrete':
        if tilde or '..' in text:
            raise ValueError(f"'{name}' is no number; write what may fit such as {name}=a|b")
        return name, _value(text)
    low, dots, high = text.partition('..')
    fitting = (real(low), real(high)) if dots else _value(text)
    return (name, fitting, real(threshold)) if tilde else (name, fitting)


def _value(text: str) -> bool | float | str:
    if text.lower() in ('true', 'false'):
        return text.lower() == 'true'
    try:
        return real(text)
    except ValueError:
        return text
