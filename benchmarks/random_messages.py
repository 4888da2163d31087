"""Random values for the fields of messages, some of which make no sense."""

import math
import random
import re
from collections.abc import Sequence
from copy import deepcopy
from importlib import import_module
from typing import Any

_INTEGERS = {
    f'{sign}int{bits}': (-(2 ** (bits - 1)) * (not sign), 2 ** (bits - bool(not sign)) - 1)
    for sign in ('', 'u')
    for bits in (8, 16, 32, 64)
} | {'char': (0, 255), 'byte': (0, 255), 'octet': (0, 255)}
_ARRAY = re.compile(r'sequence<(?P<of>.*?)(, \d+)?>|(?P<of_fixed>.*)\[(?P<length>\d+)\]')
_LENGTHS = (0, 0, 1, 2, 4, 6, 16, 18, 200)


class RandomMessages:
    """Makes random messages, or changes single fields of real ones.

    ``words`` are texts that mean something to the nodes.
    """

    def __init__(self, rng: random.Random, words: Sequence[str]) -> None:
        """Draw from a generator."""
        self._rng, self._words = rng, words

    def message(self, kind: Any) -> Any:
        """Return a random message of a class."""
        message = kind()
        for name, field in kind.get_fields_and_field_types().items():
            setattr(message, name, self._value(field))
        return message

    def changed(self, message: Any) -> Any:
        """Return a copy of a message with one field replaced."""
        found = part = deepcopy(message)
        while True:
            fields = part.get_fields_and_field_types()
            if not fields:
                return found
            name = self._rng.choice(list(fields))
            inner = getattr(part, name)
            if isinstance(inner, list) and inner and hasattr(inner[0], 'SLOT_TYPES'):
                inner = self._rng.choice(inner)
            if not hasattr(inner, 'SLOT_TYPES') or self._rng.random() < 0.1:
                setattr(part, name, self._value(fields[name]))
                return found
            part = inner

    def _value(self, field: str) -> Any:
        if match := _ARRAY.fullmatch(field):
            of = match['of'] or match['of_fixed']
            length = int(match['length'] or self._rng.choice(_LENGTHS))
            return [self._value(of) for _ in range(min(length, 20) if '/' in of else length)]
        if field in _INTEGERS:
            low, high = _INTEGERS[field]
            few = [value for value in range(-1, 8) if low <= value <= high]
            return self._rng.choice((low, high, *few, self._rng.randint(low, high)))
        if field == 'boolean':
            return self._rng.random() < 0.5
        if field.startswith(('string', 'wstring')):
            return self.text()
        if field in ('double', 'float'):
            return self.number(3e38 if field == 'float' else 1e308)
        package, name = field.split('/')
        action, _, part = name.partition('_')
        if part:
            of_action = getattr(import_module(f'{package}.action'), action)
            return self.message(getattr(of_action, part))
        return self.message(getattr(import_module(f'{package}.msg'), name))

    def number(self, largest: float = 1e308) -> float:
        """Return a number, perhaps not finite."""
        rng = self._rng
        wild = (math.nan, math.inf, -math.inf, largest, -largest, 0.0, -0.0, 1e-300, 1e9)
        return rng.choice(wild) if rng.random() < 0.5 else rng.gauss(0.0, 1.0)

    def text(self) -> str:
        """Return a text, perhaps a meaningful one."""
        rng = self._rng
        wild = (
            '',
            ' ',
            'x' * 5000,
            '../../etc/passwd',
            '{',
            '%s',
            'é\u2028\U0001f916',
            '-1',
            'nan',
        )
        return rng.choice(self._words if rng.random() < 0.6 else wild)
