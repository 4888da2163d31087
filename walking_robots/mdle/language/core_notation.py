"""The formal notation of the report: (U, xi, T) and ((e1, ..., en), xi, T) (mdle.md §4.1, §4.2).

U is a vector, segments (``vector for time then ...``) or a law; xi an expression that ends the
element when it is true, or ``false``; T a time, or ``inf``. Nothing has a name.
"""

from dataclasses import replace
from typing import Literal

from walking_robots.mdle.language import ast
from walking_robots.mdle.language.ast import Atom, Call, Encapsulation, Name, Program
from walking_robots.mdle.language.diagnostics import ProgramError
from walking_robots.mdle.language.limits import excess
from walking_robots.mdle.language.parser import Triple, parse_fragment
from walking_robots.mdle.language.polarity import Polarity, ending

_ENTRY = 'main'
"""What the outermost element is called."""

_SPACES = {2: 'body2', 3: 'body3'}


def parse_core(text: str, file: str = 'program', *, polarity: Polarity = 'end') -> Program:
    """Read a program in the formal notation; its outermost element is called ``main``.

    Atoms and behaviors are numbered. The notation does not name control spaces: two inputs are
    taken for body2, three for body3, others for joints, and a law for one of body2. polarity:
    'run_while' where xi is true as long as an element runs. Raises ProgramError (E101) for wrong
    syntax, ValueError for another polarity.
    """
    triple: Triple = parse_fragment('core', text, file=file)
    atoms: list[Atom] = []
    behaviors: list[Encapsulation] = []
    plans: list[Encapsulation] = []

    def add(item: Triple, name: str = '') -> str:
        condition = ending(item.condition, polarity)
        guard = ast.Guard(condition, place=condition.place)
        guards = () if condition == ast.Truth(False) else (guard,)
        timeout = ast.Timeout(item.duration, place=item.duration.place)
        if not isinstance(item.what, list):
            name = name or f'atom{len(atoms) + 1}'
            space = space_of(item.what)
            atoms.append(Atom(name, space, (), (), item.what, guards, timeout, place=item.place))
            return name
        kind: Literal['behavior', 'plan'] = 'plan' if name else 'behavior'
        steps = tuple(_run(add(child), child) for child in item.what)
        name = name or f'behavior{len(behaviors) + 1}'
        # Without an action, an encapsulation fails at its timer; here the next element follows.
        timeout = replace(timeout, action=ast.Action('next'))
        made = Encapsulation(kind, name, steps, (), (), guards, timeout, place=item.place)
        (plans if kind == 'plan' else behaviors).append(made)
        return name

    add(triple, _ENTRY)
    program = Program(1, atoms=tuple(atoms), behaviors=tuple(behaviors), plans=tuple(plans))
    large = excess(program)
    if large:
        raise ProgramError([large], file)
    return program


def _run(name: str, child: Triple) -> ast.Step:
    call = Call(Name(name, place=child.place), place=child.place)
    return ast.Run(call, place=child.place)


def space_of(control: ast.Control) -> str:
    """Return the space that a control is taken for, which the notation does not name."""
    if isinstance(control, ast.LawCall):
        return _SPACES[2]
    size = len(control.segments[0].vector if isinstance(control, ast.Segments) else control)
    return _SPACES.get(size, f'joints{size}')
