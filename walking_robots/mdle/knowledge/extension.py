"""Write elements in Python, and have them found (mdle.md §4.19).

A package offers a module of elements under the entry point group ``mdle.elements``; the name of
the entry point is what programs import, and its value is the Python module::

    [project.entry-points.'mdle.elements']
    'mylab.dance' = 'mylab.dance'

In it, laws and guards are functions and atoms are classes, each with one of the decorators here.
A text ``MDLE`` in the module may add declarations in the language.
"""

import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any, TypeVar

from walking_robots.mdle.knowledge.elements import Module, PythonAtom, PythonGuard, PythonLaw
from walking_robots.mdle.language.ast import Expression, Number, Parameter, Program, Text, Truth
from walking_robots.mdle.language.parser import parse_text
from walking_robots.mdle.language.quantities import UNITS, dimension_of

GROUP = 'mdle.elements'
MARK = '__mdle_element__'

Decorated = TypeVar('Decorated', bound=Callable[..., Any])
Parameters = Mapping[str, str]


def law(
    space: str,
    params: Parameters,
    reads: Iterable[str] = (),
    name: str = '',
    fastest: Iterable[float | str] = (),
) -> Callable[[Decorated], Decorated]:
    """Make a control law of a pure function ``(t, y, **params) -> vector``.

    params: type by name; a default of the function is the default of the parameter; fastest:
    greatest absolute value of each channel, a number or the name of a parameter, if it is known:
    the checker takes the limits of the robot otherwise (W407).
    """
    return _marked(
        lambda function: PythonLaw(
            name or function.__name__,
            space,
            _parameters(function, params),
            frozenset(reads),
            function,
            tuple(fastest),
        )
    )


def guard(
    params: Parameters, reads: Iterable[str], name: str = ''
) -> Callable[[Decorated], Decorated]:
    """Make a guard of a pure function ``(y, **params) -> bool``."""
    return _marked(
        lambda function: PythonGuard(
            name or function.__name__, _parameters(function, params), frozenset(reads), function
        )
    )


def atom(
    space: str,
    params: Parameters,
    outs: Parameters | None = None,
    *,
    reads: Iterable[str] = (),
    defaults: Mapping[str, bool | float | str] | None = None,
    reversible: bool = False,
    bounded: bool | float = False,
    may_fail: bool = True,
    name: str = '',
) -> Callable[[Decorated], Decorated]:
    """Make an atom of a class with ``enter``, ``law``, ``progress`` and ``exit``.

    reversible: driving it back undoes it; bounded: it ends by itself, True for in the tick in
    which it is entered, a number for within so many seconds; may_fail: it may end in a
    failure. Raises ValueError for a bound that is negative or no number.
    """
    longest = float(bounded)
    if isinstance(bounded, bool):
        longest = 0.0 if bounded else math.inf
    if not longest >= 0.0:
        raise ValueError(f'an atom cannot be bounded by {bounded} s; give True, or 0 or more')

    given = {key: _literal(value, params[key]) for key, value in (defaults or {}).items()}
    return _marked(
        lambda logic: PythonAtom(
            name or _snake(logic.__name__),
            space,
            tuple(Parameter(key, kind, given.get(key)) for key, kind in params.items()),
            tuple(Parameter(key, kind) for key, kind in (outs or {}).items()),
            frozenset(reads),
            reversible,
            longest,
            logic,
            may_fail,
        )
    )


def _marked(element: Callable[[Any], Any]) -> Callable[[Decorated], Decorated]:
    """Return a decorator that leaves on what it decorates the element made of it."""

    def mark(target: Decorated) -> Decorated:
        setattr(target, MARK, element(target))
        return target

    return mark


def module_from(name: str, *sources: ModuleType, text: str = '') -> Module:
    """Return the module of elements that Python modules hold, and a text in the language.

    Raises ProgramError where the text is wrong.
    """
    text = text or next(
        (source.MDLE for source in sources if isinstance(getattr(source, 'MDLE', None), str)), ''
    )
    program = parse_text(text, name) if text else Program(1)
    found = [
        element
        for source in sources
        for value in vars(source).values()
        if (element := getattr(value, MARK, None)) and value.__module__ == source.__name__
    ]
    return Module(
        name,
        program,
        {element.name: element for element in found if isinstance(element, PythonLaw)},
        {element.name: element for element in found if isinstance(element, PythonGuard)},
        {element.name: element for element in found if isinstance(element, PythonAtom)},
    )


def discover() -> tuple[dict[str, Module], list[str]]:
    """Return the modules that installed packages offer, and a sentence for each that is broken."""
    modules: dict[str, Module] = {}
    broken = []
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        try:
            modules[point.name] = module_from(point.name, point.load())
        except Exception as error:
            broken.append(
                f"the elements '{point.name}' of {point.value} cannot be used "
                f'({type(error).__name__}: {error}); mend or remove that package.'
            )
    return modules, broken


def _parameters(function: Callable[..., Any], params: Parameters) -> tuple[Parameter, ...]:
    known = inspect.signature(function).parameters
    defaults = {key: known[key].default for key in params}
    return tuple(
        Parameter(
            key,
            kind,
            None if defaults[key] is inspect.Parameter.empty else _literal(defaults[key], kind),
        )
        for key, kind in params.items()
    )


def _literal(value: bool | float | str, kind: str) -> Expression:
    """Return a default, which is in SI, as it is written for a parameter of a type."""
    if isinstance(value, bool):
        return Truth(value)
    if isinstance(value, str):
        return Text(value)
    dimension = dimension_of(kind)
    units = (name for name, unit in UNITS.items() if unit == (1.0, dimension))
    return Number(float(value), next(units, ''))


def _snake(name: str) -> str:
    """Return AwaitSignal as await_signal."""
    return ''.join(f'_{c.lower()}' if c.isupper() and i else c.lower() for i, c in enumerate(name))
