"""Read the conditions and values that a world's design writes as text, without running any code.

The text is written as Python writes it, in a small part of the language: numbers, texts in
quotes, true and false, + - * / and comparisons, and, or, not, and names and calls from a given
set. What a text can come to is found while it is read (ars_magna.md §4.8).
"""

import ast
import math
import operator
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias

from walking_robots.ars_magna.inputs import finite, normal_name, shown
from walking_robots.ars_magna.sensing.attributes import Attribute, Substance, Value, is_same

LONGEST, DEEPEST = 200, 20

FUNCTIONS: Mapping[str, tuple[int, int]] = {
    'attr': (1, 2),
    'near': (1, 1),
    'uniform': (2, 2),
    'in_location': (2, 2),
    'is_open': (1, 1),
}
"""Least and largest number of arguments of each function, by name."""


class Kind(StrEnum):
    """What a value is."""

    NUMBER = 'a number'
    TRUTH = 'true or false'
    WORD = 'a word'
    SUBSTANCE = 'a substance'
    THING = 'a thing'
    PART = 'a part of a robot'
    ROBOT = 'a robot'


Kinds: TypeAlias = frozenset[Kind]

ANY: Kinds = frozenset(Kind)
NUMERIC: Kinds = frozenset({Kind.NUMBER, Kind.SUBSTANCE})
"""What can be reckoned with; of a substance this is the parameter."""
_TRUTH: Kinds = frozenset({Kind.TRUTH})
_NUMBER: Kinds = frozenset({Kind.NUMBER})
_SUBSTANCE: Kinds = frozenset({Kind.SUBSTANCE})
_THING: Kinds = frozenset({Kind.THING})
_HOLDER: Kinds = frozenset({Kind.THING, Kind.PART})
_ARGUMENTS: Mapping[str, tuple[Kinds, ...]] = {
    'near': (frozenset({Kind.ROBOT}),),
    'uniform': (NUMERIC, NUMERIC),
    'in_location': (_THING, _HOLDER),
    'is_open': (_HOLDER,),
}

Scope: TypeAlias = Mapping[str, Any]
Reader: TypeAlias = Callable[[Scope], Any]


def kinds_of(values: Iterable[object]) -> Kinds:
    """Return what plain values are."""
    return frozenset(map(_kind, values))


def fitting_kinds(attribute: Attribute) -> Kinds:
    """Return what an attribute can be set to."""
    if attribute.kind == 'substance':
        return frozenset({Kind.NUMBER, Kind.WORD, Kind.SUBSTANCE})
    return kinds_of(attribute.domain or (0.0,))


def in_words(kinds: Kinds) -> str:
    """Say what something can be."""
    return ' or '.join(sorted(kinds))


def _kind(value: object) -> Kind:
    if isinstance(value, bool):
        return Kind.TRUTH
    return Kind.WORD if isinstance(value, str) else Kind.NUMBER


@dataclass(frozen=True)
class Expression:
    """A text that can be worked out, again and again.

    names: those of the scope that it uses, functions among them; kinds: what it can come to,
    but for attributes that are missing.
    """

    text: str
    names: frozenset[str]
    kinds: Kinds
    _read: Reader = field(repr=False, compare=False)

    def value(self, scope: Scope) -> Any:
        """Work it out with the names and functions of a scope.

        An attribute that a thing lacks is None, which equals nothing and is false. Raises
        ValueError with one sentence where the values do not go together.
        """
        try:
            value = self._read(scope)
        except UnfitError as error:
            raise ValueError(f"'{self.text}' cannot be worked out: {error}.") from None
        except ZeroDivisionError:
            raise ValueError(f"'{self.text}' cannot be worked out: it divides by zero.") from None
        except (TypeError, AttributeError):
            raise ValueError(
                f"'{self.text}' cannot be worked out: a name stands for what does not fit there."
            ) from None
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"'{self.text}' cannot be worked out: the result is not finite.")
        return value

    def numeric(self) -> 'Expression':
        """Return the same as a number; of a substance that is the parameter."""
        return replace(self, kinds=_NUMBER, _read=lambda scope: number(self._read(scope)))


def literal(value: Value | None) -> Expression:
    """Return the expression of a plain value."""
    kinds = _SUBSTANCE if isinstance(value, Substance) else kinds_of((value,))
    return Expression(str(value), frozenset(), kinds, lambda scope: value)


def expression(
    text: str,
    names: Mapping[str, Kinds],
    functions: Mapping[str, tuple[int, int]] = FUNCTIONS,
    attribute: Callable[[str], Attribute] | None = None,
) -> Expression:
    """Read a text that may use names and functions; texts in it are symbols, held as such.

    names: what each can be; attribute: returns one by name, or raises ValueError for an unknown
    one. Raises ValueError with a phrase that says what is wrong, or can never be, in the text.
    """
    if len(text) > LONGEST:
        raise ValueError(f'must be at most {LONGEST} characters long')
    try:
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')
            tree = ast.parse(text.strip(), mode='eval')
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise ValueError('must be written as in "attr(\'size\') > 2 and not in_bin"') from None
    builder = _Builder(names, functions, attribute)
    read, kinds = builder.read(tree.body, 1)
    return Expression(text.strip(), frozenset(builder.used), kinds, read)


class _Node(NamedTuple):
    """What works a part of a text out, and what that can come to."""

    read: Reader
    kinds: Kinds


class _Builder:
    """Makes closures of a syntax tree, and notes which names they use."""

    def __init__(
        self,
        names: Mapping[str, Kinds],
        functions: Mapping[str, tuple[int, int]],
        attribute: Callable[[str], Attribute] | None,
    ) -> None:
        self.names = names
        self.functions = functions
        self.attribute = attribute
        self.used: set[str] = set()

    def read(self, node: ast.expr, depth: int) -> _Node:
        """Return what works a node out."""
        if depth > DEEPEST:
            raise ValueError(f'must not nest deeper than {DEEPEST} levels')
        match node:
            case ast.Constant(value=value):
                held = constant(value)
                return _Node(lambda scope: held, kinds_of((held,)))
            case ast.Name(id=name):
                return self._name(normal_name(name))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                inner = self.read(operand, depth + 1).read
                return _Node(lambda scope: not inner(scope), _TRUTH)
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() as op, operand=operand):
                inner, sign = (
                    self._needed(operand, NUMERIC, depth),
                    1 - 2 * isinstance(op, ast.USub),
                )
                return _Node(lambda scope: sign * number(inner(scope)), _NUMBER)
            case ast.BinOp(op=op) if type(op) in ARITHMETIC:
                left = self._needed(node.left, NUMERIC, depth)
                right = self._needed(node.right, NUMERIC, depth)
                work = ARITHMETIC[type(op)]
                return _Node(
                    lambda scope: work(number(left(scope)), number(right(scope))), _NUMBER
                )
            case ast.BoolOp(op=op, values=values):
                parts = [self.read(part, depth + 1).read for part in values]
                holds = all if isinstance(op, ast.And) else any
                return _Node(lambda scope: holds(part(scope) for part in parts), _TRUTH)
            case ast.Compare(ops=ops) if all(type(op) in _COMPARISONS for op in ops):
                return self._comparison(node, depth)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                return self._call(normal_name(name), args, depth)
        raise ValueError(
            'may hold only numbers, symbols in quotes, names, + - * /, comparisons, and, or, not '
            f'and calls of {", ".join(self.functions)}'
        )

    def _needed(self, node: ast.expr, needed: Kinds, depth: int) -> Reader:
        """Return what works an inner node out; refuse what is never of the kinds needed."""
        read, found = self.read(node, depth + 1)
        if not found & needed:
            wanted = Kind.NUMBER if needed == NUMERIC else in_words(needed)
            raise ValueError(
                f"must have {wanted} in place of '{ast.unparse(node):.40}', which is "
                f'{in_words(found)}'
            )
        return read

    def _name(self, name: str) -> _Node:
        if name in ('true', 'false'):
            truth = name == 'true'
            return _Node(lambda scope: truth, _TRUTH)
        if name in self.functions:
            raise ValueError(f"must call '{name}' with brackets")
        if name not in self.names:
            known = ', '.join(self.names)
            raise ValueError(f"names '{name[:40]}', which is not known there (known: {known})")
        self.used.add(name)
        return _Node(lambda scope: scope[name], self.names[name])

    def _comparison(self, node: ast.Compare, depth: int) -> _Node:
        operands = (node.left, *node.comparators)
        tests = [_COMPARISONS[type(op)] for op in node.ops]
        # An operand between two comparisons must suit both.
        ordered = [type(op) in _ORDERS for op in node.ops]
        needed = [
            NUMERIC if before or after else ANY
            for before, after in zip([False, *ordered], [*ordered, False], strict=True)
        ]
        parts = [self._needed(*pair, depth) for pair in zip(operands, needed, strict=True)]

        def compare(scope: Scope) -> bool:
            left = parts[0](scope)
            for test, part in zip(tests, parts[1:], strict=True):
                right = part(scope)
                if not test(left, right):
                    return False
                left = right
            return True

        return _Node(compare, _TRUTH)

    def _call(self, name: str, args: list[ast.expr], depth: int) -> _Node:
        if name not in self.functions:
            known = ', '.join(self.functions)
            raise ValueError(f"calls '{name[:40]}', which is not known there (known: {known})")
        least, most = self.functions[name]
        if not least <= len(args) <= most:
            count = str(most) if least == most else f'{least} or {most}'
            raise ValueError(f"must give '{name}' {count} argument{'s' * (most > 1)}")
        things, kinds = args, _TRUTH
        needed = _ARGUMENTS.get(name, ())
        if name == 'attr':
            *things, last = args
            if not (isinstance(last, ast.Constant) and isinstance(last.value, str)):
                raise ValueError("must name an attribute in quotes, as in attr('size')")
            kinds, needed = self._kinds_of_attribute(last.value), (*[_THING] * len(things), ANY)
        elif name == 'uniform':
            things, kinds = [], _NUMBER
        if not all(isinstance(arg, ast.Name) for arg in things):
            raise ValueError(f"must give '{name}' the name of a thing, without quotes")
        self.used.add(name)
        parts = [self._needed(*pair, depth) for pair in zip(args, needed, strict=True)]
        if name == 'uniform' and _is_reversed(*parts):
            raise ValueError("must give 'uniform' two numbers, the lower one first")
        return _Node(lambda scope: scope[name](*[part(scope) for part in parts]), kinds)

    def _kinds_of_attribute(self, name: str) -> Kinds:
        if self.attribute is None:
            return ANY
        found = self.attribute(normal_name(name))
        return _SUBSTANCE if found.kind == 'substance' else fitting_kinds(found)


ARITHMETIC: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


class UnfitError(TypeError):
    """Say which values do not go together."""


def _is_same(left: Any, right: Any) -> bool:
    """Return whether values are equal; a substance equals the name of its type, and its parameter.

    An attribute that is missing equals nothing.
    """
    if isinstance(right, Substance):
        left, right = right, left
    if isinstance(left, Substance) and not isinstance(right, Substance):
        left = left.type if isinstance(right, str) else left.parameter
    return left is not None and is_same(left, right)


def _is_reversed(low: Reader, high: Reader) -> bool:
    """Return whether both ends of a range are constants of which the second is the less."""
    try:
        return number(low({})) > number(high({}))
    except KeyError:
        return False
    except ZeroDivisionError:
        return True


def constant(value: object) -> bool | float | str:
    """Return a constant as it is held: truths, finite numbers, and texts as symbols."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return normal_name(value)
    if not isinstance(value, int | float):
        raise ValueError('may hold only numbers, symbols in quotes, true and false')
    if not abs(value) < 1.0e300:
        raise ValueError('must hold finite numbers')
    return float(value)


def number(value: Any) -> float:
    """Return a number, or refuse anything else: a symbol times a number could fill the memory."""
    if isinstance(value, Substance):
        return value.parameter
    found = finite(value)
    if found is None:
        wrong = 'an attribute that is missing' if value is None else shown(value)
        raise UnfitError(f'{wrong} is not a number')
    return found


def _ordered(order: Callable[[float, float], bool]) -> Callable[[Any, Any], bool]:
    return lambda left, right: order(number(left), number(right))


_ORDERS: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: _ordered(operator.lt),
    ast.LtE: _ordered(operator.le),
    ast.Gt: _ordered(operator.gt),
    ast.GtE: _ordered(operator.ge),
}
_COMPARISONS: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: _is_same,
    ast.NotEq: lambda left, right: not _is_same(left, right),
    **_ORDERS,
}
