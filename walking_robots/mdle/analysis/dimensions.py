"""Types and units of expressions (mdle.md §4.4, §7)."""

from collections.abc import Callable, Mapping
from typing import Any

from walking_robots.mdle.analysis.facts import Facts
from walking_robots.mdle.analysis.fitting import fits, unit_mismatch
from walking_robots.mdle.analysis.ledger import Site
from walking_robots.mdle.analysis.members import (
    type_of_index,
    type_of_member,
    type_of_partner,
    type_of_slice,
)
from walking_robots.mdle.analysis.naming import type_of_call, type_of_name
from walking_robots.mdle.analysis.operations import (
    type_of_binary,
    type_of_number,
    type_of_text,
    type_of_truth,
    type_of_unary,
)
from walking_robots.mdle.analysis.words import check_word
from walking_robots.mdle.knowledge.names import Names
from walking_robots.mdle.language.ast import (
    Binary,
    Call,
    Expression,
    Index,
    Member,
    Name,
    Number,
    Partner,
    Place,
    Slice,
    Text,
    Truth,
    Unary,
)
from walking_robots.mdle.language.types import BOOL, Type

__all__ = ['ElementTypist']


class ElementTypist:
    """The typist of one element; what is of one kind of expression is in modules of its own."""

    def __init__(
        self,
        facts: Facts,
        names: Names,
        variables: Mapping[str, Type | None],
        site: Site,
        silent: int = 0,
    ) -> None:
        """Take what the expressions may name."""
        self.facts, self.names, self.variables, self.site = facts, names, variables, site
        self.silent, self.in_guard = silent, False

    def silenced(
        self, names: Names, variables: Mapping[str, Type | None] | None = None
    ) -> 'ElementTypist':
        """Give one that tells nothing, for what is declared elsewhere or looked at again."""
        return ElementTypist(self.facts, names, variables or {}, self.site, self.silent + 1)

    def tell(self, code: str, place: Place, text: str, hint: str = '') -> None:
        """Keep a diagnostic of this element."""
        if not self.silent:
            self.facts.ledger.add(self.site, code, place, text, hint)

    def of(self, expression: Expression) -> Type | None:
        """Give the type of an expression, None where it is unknown."""
        return _TYPED[type(expression)](self, expression)

    def expect(self, expression: Expression, wanted: Type | None) -> None:
        """Tell when an expression is not of a type."""
        given = self.of(expression)
        if fits(expression, given, wanted):
            check_word(self, expression, given, wanted)
            return
        if given and wanted and given.kind == wanted.kind == 'quantity':
            self.tell('E303', expression.place, *unit_mismatch(given, wanted, expression))
        else:
            self.tell('E302', expression.place, f'expected {wanted}, found {given}')

    def guard(self, condition: Expression) -> None:
        """Check a condition that ends an element: Boolean, and without effects."""
        self.in_guard = True
        given = self.of(condition)
        self.in_guard = False
        if given not in (None, BOOL):
            self.tell(
                'E304',
                condition.place,
                f'a guard must be true or false, this is {given}',
                'compare it with something',
            )


_TYPED: dict[type, Callable[[ElementTypist, Any], Type | None]] = {
    Number: type_of_number,
    Text: type_of_text,
    Truth: type_of_truth,
    Name: type_of_name,
    Member: type_of_member,
    Partner: type_of_partner,
    Index: type_of_index,
    Slice: type_of_slice,
    Call: type_of_call,
    Unary: type_of_unary,
    Binary: type_of_binary,
}
