"""The runs of a sweep: all combinations of the values of some options, over many seeds."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from typing import NamedTuple

MOST_VALUES = 1000
"""Values that a range may have."""

_NUMBER = r'([-+]?\d+(?:\.\d+)?)([a-z%/]*)'
_RANGE = re.compile(f'{_NUMBER}:{_NUMBER}:{_NUMBER}')


def expanded(text: str) -> list[str]:
    """Return the values of ``first:last:step``, last included, or of a list with commas.

    The three numbers of a range have the same unit, or none. Raises ValueError, one sentence, for
    a range without an end.
    """
    found = _RANGE.fullmatch(text)
    if found is None:
        return [part.strip() for part in text.split(',')]
    first, last, step = (Decimal(found[place]) for place in (1, 3, 5))
    unit = found[2]
    if not unit == found[4] == found[6]:
        raise ValueError(f'the range {text} has several units; give each number the same one')
    if not step or (last - first) / step < 0:
        raise ValueError(f'the range {text} never gets to its end; write first:last:step')
    count = int((last - first) / step) + 1
    if count > MOST_VALUES:
        raise ValueError(f'the range {text} has {count} values; {MOST_VALUES} are the most')
    return [f'{first + number * step}{unit}' for number in range(count)]


class SweepRun(NamedTuple):
    """One run: the arguments of the experiment, the value of each axis, and the seed."""

    arguments: tuple[str, ...]
    values: tuple[str, ...]
    seed: int | None


@dataclass(frozen=True)
class Sweep:
    """All runs of an experiment.

    ``fixed`` are the arguments of each run, ``axes`` the values of options by name, such as
    ``--ditch``; ``seeds`` is empty where ``--seed`` is not given.
    """

    experiment: str
    fixed: tuple[str, ...]
    axes: tuple[tuple[str, tuple[str, ...]], ...]
    seeds: tuple[int, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the axes."""
        return tuple(name for name, _ in self.axes)

    @property
    def count(self) -> int:
        """Return the number of runs."""
        return math.prod(len(values) for _, values in self.axes) * max(len(self.seeds), 1)

    def combinations(self) -> Iterator[tuple[str, ...]]:
        """Yield the values of all combinations, the last axis changing fastest."""
        yield from product(*(values for _, values in self.axes))

    def arguments(self, values: Sequence[str]) -> tuple[str, ...]:
        """Return the arguments of a combination."""
        return (*self.fixed, *map('='.join, zip(self.names, values, strict=True)))

    def runs(self) -> Iterator[SweepRun]:
        """Yield all runs: combination by combination, each over all seeds."""
        for values in self.combinations():
            arguments = self.arguments(values)
            for seed in self.seeds:
                yield SweepRun((*arguments, f'--seed={seed}'), values, seed)
            if not self.seeds:
                yield SweepRun(arguments, values, None)
