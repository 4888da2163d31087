"""What a check finds: diagnostics, bounds and measures."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from walking_robots.mdle.analysis import output
from walking_robots.mdle.language.diagnostics import Diagnostic

__all__ = ['NOTHING', 'Bound', 'Measures', 'Report']


class Bound(NamedTuple):
    """How long an element runs at most, s, and how far the robot drives meanwhile, m.

    Both are infinite where nothing bounds them.
    """

    time: float
    path: float


NOTHING = Bound(0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Measures:
    """The measures of mdle.md §4.15, of the entry.

    length: atoms of the unfolded word, an endless loop counted once; unbounded: whether there is
    such a loop; size: nodes; depth: of nesting; alphabet: distinct pairs of law and guards;
    laws, guards: distinct ones; description: length times log2 of the alphabet, bits.
    """

    length: int
    unbounded: bool
    size: int
    depth: int
    alphabet: int
    laws: int
    guards: int
    description: float
    time: float
    path: float


@dataclass(frozen=True, slots=True)
class Report:
    """What is known of a program before it runs.

    diagnostics: by place, at most 100; entry: what would run, empty where nothing can; bounds:
    of each element of the program with its defaults; tidying: that of what the entry runs at its
    end, its ``finally``, on top; measures: None without an entry.
    """

    diagnostics: tuple[Diagnostic, ...]
    entry: str = ''
    bounds: Mapping[str, Bound] = field(default_factory=dict)
    measures: Measures | None = None
    tidying: Bound = NOTHING

    @property
    def ok(self) -> bool:
        """Tell whether there is no error; warnings do not hinder a run."""
        return not self.errors

    @property
    def errors(self) -> list[Diagnostic]:
        """The diagnostics that forbid a run."""
        return [d for d in self.diagnostics if d.severity == 'error']

    @property
    def bound(self) -> Bound | None:
        """The bound of the entry, until its ``finally``."""
        return self.bounds.get(self.entry)

    @property
    def most(self) -> Bound | None:
        """The bound of the entry and of its ``finally`` together."""
        if self.bound is None:
            return None
        return Bound(*map(sum, zip(self.bound, self.tidying, strict=True)))

    def text(self, file: str) -> str:
        """Give the diagnostics for people, one a line; '' where there are none."""
        return output.text(self.diagnostics, file)

    def to_json(self, file: str) -> dict[str, Any]:
        """Give all of it for programs; what is infinite is null, as JSON has no infinity."""
        return {
            'file': file,
            'ok': self.ok,
            'entry': self.entry or None,
            'diagnostics': [output.plain(d) for d in self.diagnostics],
            'bounds': {name: output.finite(b._asdict()) for name, b in self.bounds.items()},
            'finally': output.finite(self.tidying._asdict()),
            'measures': output.finite(asdict(self.measures)) if self.measures else None,
        }

    def sarif(self, file: str) -> dict[str, Any]:
        """Give the diagnostics in SARIF 2.1.0, for editors and code hosts."""
        return output.sarif(self.diagnostics, file)
