"""Write bodies and checkers in Python, and have them found (ars_magna.md §4.8).

A package offers a function under the entry point group ``ars_magna.behaviors``; the name of the
entry point is what files name with ``python``, and its value is the function::

    [project.entry-points.'ars_magna.behaviors']
    roll = 'mylab.kicks:roll'

The function has one of the decorators here. Files name functions only, and never import any.
"""

from collections.abc import Callable, Mapping
from importlib.metadata import entry_points
from typing import Any, NamedTuple, TypeAlias, TypeVar

from walking_robots.ars_magna.inputs import normal_name, suggestion

GROUP = 'ars_magna.behaviors'
MARK = '__ars_magna_behavior__'

Behavior: TypeAlias = Callable[..., Any]
Decorated = TypeVar('Decorated', bound=Behavior)


def kicker_body(function: Decorated) -> Decorated:
    """Make a function of an ``Act`` of the simulation the body of a kicker."""
    return _marked(function, 'a kicker')


def manipulation_body(function: Decorated) -> Decorated:
    """Make a function of an ``Act`` of the simulation the body of a manipulation."""
    return _marked(function, 'a manipulation')


def checker(function: Decorated) -> Decorated:
    """Make a function the checker of a place type, see `place_types.Checker`."""
    return _marked(function, 'a place type')


class Behaviors(NamedTuple):
    """Functions by name, and a sentence for each that cannot be used, by name too."""

    functions: Mapping[str, Behavior]
    broken: Mapping[str, str]

    def find(self, name: str, use: str) -> Behavior:
        """Return the function with a name for 'a kicker', 'a manipulation' or 'a place type'.

        Raises ValueError with a phrase where there is none, or one for another use.
        """
        if name in self.broken:
            raise ValueError(self.broken[name])
        if name not in self.functions:
            raise ValueError(
                f"names '{name}', which no installed package offers under {GROUP}; "
                f'{suggestion(name, self.functions)}'
            )
        made_for = getattr(self.functions[name], MARK, 'nothing')
        if made_for != use:
            raise ValueError(f"names '{name}', which is made for {made_for}, not for {use}")
        return self.functions[name]


def discover() -> Behaviors:
    """Return the functions that installed packages offer."""
    functions, broken = {}, {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        name = normal_name(point.name)
        try:
            functions[name] = point.load()
        except Exception as error:
            broken[name] = (
                f"names '{name}' of {point.value}, which cannot be used "
                f'({type(error).__name__}: {error}); mend or remove that package'
            )
    return Behaviors(functions, broken)


def _marked(function: Decorated, use: str) -> Decorated:
    setattr(function, MARK, use)
    return function
