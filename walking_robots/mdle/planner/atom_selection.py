"""Select the atoms of a library that carry out moves, by what they need and what they do.

What an atom of an open-loop control does follows from its declaration: with its parameters known,
its control is a constant vector and its duration a number. So no element has to declare effects,
and an atom of any imported module is selected like one of the standard library (mdle.md §5.1).
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import NamedTuple

from walking_robots.geometry.se2 import Screw2
from walking_robots.mdle.knowledge.library import standard_library
from walking_robots.mdle.knowledge.names import Library, Names
from walking_robots.mdle.language.ast import Atom, Segments
from walking_robots.mdle.planner.motion_model import ConstantMotion
from walking_robots.mdle.runtime.compiled_expression import CompileScope, compiled, compiled_vector
from walking_robots.mdle.runtime.events import RunError

SPACES: Mapping[str, int] = {'body2': 2, 'body3': 3}
"""Control spaces of moves, with their channels: v, w, and v, to the left, w."""
BARE = 'std.body2'
"""The module whose names are written without an alias."""
UNITS = ('m', 'm/s', 'rad', 'rad/s', 's')
"""Of parameters for which a move has values."""
SAME = 1e-9
"""Difference, as a share, of two effects that are the same."""


class AtomCall(NamedTuple):
    """A call of an atom as programs have it, and its module; ``timeout`` begins with a blank."""

    text: str
    timeout: str
    module: str


@dataclass(frozen=True, eq=False)
class MoveAtom:
    """An atom and its module's names.

    bounded: whether its control ends by itself; otherwise a call has a timeout.
    """

    atom: Atom
    module: str
    names: Names
    bounded: bool

    def effect(self, arguments: Sequence[float], duration: float) -> ConstantMotion | None:
        """Return the move of a call, None where the arguments do not give one.

        duration: s, of a call of an atom that does not end by itself.
        """
        given = dict(zip((item.name for item in self.atom.parameters), arguments, strict=True))
        scope = CompileScope(self.names, given, {}, {})
        control = self.atom.control
        try:
            if isinstance(control, Segments):
                (segment,) = control.segments
                vector = compiled_vector(segment.vector, scope)
                duration = compiled(segment.duration, scope)
            else:
                assert isinstance(control, tuple)
                vector = compiled_vector(control, scope)
            v, *aside, w = map(float, vector)
            return ConstantMotion(Screw2(v, aside[0] if aside else 0.0, w), float(duration))
        except (RunError, TypeError, ValueError):
            # It reads channels, or divides by a zero.
            return None


@dataclass(frozen=True, eq=False)
class AtomSelection:
    """Selects atoms for moves from modules of a library.

    library: of modules by import path; spaces: control spaces that the robot offers. Atoms with
    guards, outputs or needs of their own are left out: their effect is not certain.
    """

    library: Library = field(default_factory=standard_library)
    spaces: Sequence[str] = ('body2',)
    atoms: tuple[MoveAtom, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Read the declarations."""
        object.__setattr__(self, 'atoms', tuple(sorted(self._usable(), key=_cost)))

    def call(self, move: ConstantMotion) -> AtomCall:
        """Return the cheapest call that does exactly a move.

        An atom that ends by itself is cheaper than one with a timeout, and fewer arguments are.
        Raises ValueError where no atom does it.
        """
        for found in self.atoms:
            for arguments in _arguments(found.atom, move):
                effect = found.effect(arguments, move.duration)
                if effect is not None and _same(effect, move):
                    units = (item.type for item in found.atom.parameters)
                    written = ', '.join(map(quantity, arguments, units))
                    # Other modules are imported by an alias, so that equal names do no harm.
                    prefix = '' if found.module == BARE else f'{alias_of(found.module)}.'
                    timeout = '' if found.bounded else f' timeout {quantity(move.duration, "s")}'
                    return AtomCall(f'{prefix}{found.atom.name}({written})', timeout, found.module)
        v, aside, w = move.twist
        raise ValueError(
            f'no atom of {", ".join(sorted(self.library))} drives {v:g} m/s ahead, {aside:g} m/s '
            f'aside and turns by {w:g} rad/s; import a module that has one'
        )

    def _usable(self) -> Iterator[MoveAtom]:
        for path in sorted(self.library):
            module = self.library[path]
            names = Names(module.program, self.library, module)
            for atom in module.program.atoms:
                if atom.space not in self.spaces or atom.space not in SPACES:
                    continue
                if atom.guards or atom.outputs or atom.needs:
                    continue
                if any(item.type not in UNITS for item in atom.parameters):
                    continue
                control = atom.control
                if isinstance(control, Segments):
                    if len(control.segments) == 1:
                        yield MoveAtom(atom, path, names, True)
                elif isinstance(control, tuple):
                    yield MoveAtom(atom, path, names, False)


def _cost(found: MoveAtom) -> tuple[bool, int]:
    return not found.bounded, len(found.atom.parameters)


def _arguments(atom: Atom, move: ConstantMotion) -> Iterator[tuple[float, ...]]:
    """Yield the arguments that an atom may take for a move, each in the unit of its parameter."""
    (v, aside, w), duration = move
    speed = v or aside
    values: Mapping[str, Sequence[float]] = {
        'm': (speed * duration, abs(speed / w)) if w else (speed * duration,),
        'm/s': tuple(dict.fromkeys((abs(speed), speed))),
        'rad': (w * duration,),
        'rad/s': tuple(dict.fromkeys((abs(w), w))),
        's': (duration,),
    }
    return product(*(values[item.type] for item in atom.parameters))


def _same(one: ConstantMotion, other: ConstantMotion) -> bool:
    return all(
        math.isclose(a, b, rel_tol=SAME, abs_tol=SAME)
        for a, b in zip((*one.twist, one.duration), (*other.twist, other.duration), strict=True)
    )


@cache
def standard_atoms(spaces: tuple[str, ...] = ('body2',)) -> AtomSelection:
    """Return the selection from the standard library for a robot with some control spaces."""
    return AtomSelection(spaces=spaces)


def alias_of(module: str) -> str:
    """Return the name by which a program refers to a module."""
    return module.rpartition('.')[2]


def quantity(value: float, unit: str) -> str:
    """Return a number of 12 digits with its unit, as `format_program` writes it."""
    return f'{repr(float(f"{value:.12g}")).removesuffix(".0")} {unit}'
