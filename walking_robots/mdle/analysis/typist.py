"""What the typing of one kind of expression asks of the typing of all others."""

from collections.abc import Mapping
from typing import Protocol

from walking_robots.mdle.analysis.facts import Facts
from walking_robots.mdle.analysis.ledger import Site
from walking_robots.mdle.knowledge.names import Names
from walking_robots.mdle.language.ast import Expression, Place
from walking_robots.mdle.language.types import Type

__all__ = ['Typist']


class Typist(Protocol):
    """Finds the types of expressions in one element, and tells what does not fit.

    variables: types of parameters and outputs, None where unknown; of an expression that is
    wrong the type is unknown too, so that nothing is said twice. silent: 0, or how many constants
    lead here, of which is told where they are declared; in_guard: whether a guard is looked at.
    """

    facts: Facts
    names: Names
    variables: Mapping[str, Type | None]
    site: Site
    silent: int
    in_guard: bool

    def silenced(
        self, names: Names, variables: Mapping[str, Type | None] | None = None
    ) -> 'Typist':
        """Give one that tells nothing, for what is declared elsewhere or looked at again."""

    def tell(self, code: str, place: Place, text: str, hint: str = '') -> None:
        """Keep a diagnostic of this element."""

    def of(self, expression: Expression) -> Type | None:
        """Give the type of an expression, None where it is unknown."""

    def expect(self, expression: Expression, wanted: Type | None) -> None:
        """Tell when an expression is not of a type."""

    def guard(self, condition: Expression) -> None:
        """Check a condition that ends an element: Boolean, and without effects."""
