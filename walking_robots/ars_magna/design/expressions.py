"""Read the conditions and values that a world's design writes as text, without running any code.

The text is written as Python writes it, in a small part of the language: numbers, texts in
quotes, true and false, + - * / and comparisons, and, or, not, and names and calls from a given
set (ars_magna.md §4.8).
"""

import ast
import math
import operator
import warnings
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from walking_robots.ars_magna.inputs import finite, normal_name, shown
from walking_robots.ars_magna.sensing.attributes import Substance, Value, is_same

LONGEST, DEEPEST = 200, 20

FUNCTIONS: Mapping[str, tuple[int, int]] = {
    'attr': (1, 2),
    'near': (1, 1),
    'uniform': (2, 2),
    'in_location': (2, 2),
    'is_open': (1, 1),
}
"""Least and largest number of arguments of each function, by name."""

Scope: TypeAlias = Mapping[str, Any]
Reader: TypeAlias = Callable[[Scope], Any]


@dataclass(frozen=True)
class Expression:
    """A text that can be worked out, again and again.

    names: those of the scope that it uses, functions among them; attributes: those it asks for.
    """

    text: str
    names: frozenset[str]
    attributes: frozenset[str]
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


def literal(value: Value) -> Expression:
    """Return the expression of a plain value."""
    return Expression(str(value), frozenset(), frozenset(), lambda scope: value)


def expression(
    text: str,
    names: Collection[str],
    functions: Mapping[str, tuple[int, int]] = FUNCTIONS,
) -> Expression:
    """Read a text that may use names and functions; texts in it are symbols, held as such.

    Raises ValueError with a phrase that says what is wrong in it.
    """
    if len(text) > LONGEST:
        raise ValueError(f'must be at most {LONGEST} characters long')
    try:
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')
            tree = ast.parse(text.strip(), mode='eval')
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise ValueError('must be written as in "attr(\'size\') > 2 and not in_bin"') from None
    builder = _Builder(names, functions)
    read = builder.read(tree.body, 1)
    return Expression(text.strip(), frozenset(builder.used), frozenset(builder.attributes), read)


class _Builder:
    """Makes closures of a syntax tree, and notes which names they use."""

    def __init__(self, names: Collection[str], functions: Mapping[str, tuple[int, int]]) -> None:
        self.names = names
        self.functions = functions
        self.used: set[str] = set()
        self.attributes: set[str] = set()

    def read(self, node: ast.expr, depth: int) -> Reader:
        """Return what works a node out."""
        if depth > DEEPEST:
            raise ValueError(f'must not nest deeper than {DEEPEST} levels')
        match node:
            case ast.Constant(value=value):
                held = constant(value)
                return lambda scope: held
            case ast.Name(id=name):
                return self._name(normal_name(name))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                inner = self.read(operand, depth + 1)
                return lambda scope: not inner(scope)
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() as op, operand=operand):
                inner, sign = self.read(operand, depth + 1), -1 if isinstance(op, ast.USub) else 1
                return lambda scope: sign * number(inner(scope))
            case ast.BinOp(op=op) if type(op) in ARITHMETIC:
                return self._arithmetic(node, depth)
            case ast.BoolOp():
                return self._junction(node, depth)
            case ast.Compare(ops=ops) if all(map(compares, ops)):
                return self._comparison(node, depth)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                return self._call(normal_name(name), args, depth)
        raise ValueError(
            'may hold only numbers, symbols in quotes, names, + - * /, comparisons, and, or, not '
            f'and calls of {", ".join(self.functions)}'
        )

    def _name(self, name: str) -> Reader:
        if name in ('true', 'false'):
            truth = name == 'true'
            return lambda scope: truth
        if name in self.functions:
            raise ValueError(f"must call '{name}' with brackets")
        if name not in self.names:
            known = ', '.join(self.names)
            raise ValueError(f"names '{name[:40]}', which is not known there (known: {known})")
        self.used.add(name)
        return lambda scope: scope[name]

    def _arithmetic(self, node: ast.BinOp, depth: int) -> Reader:
        left, right = self.read(node.left, depth + 1), self.read(node.right, depth + 1)
        work = ARITHMETIC[type(node.op)]
        return lambda scope: work(number(left(scope)), number(right(scope)))

    def _junction(self, node: ast.BoolOp, depth: int) -> Reader:
        parts = [self.read(part, depth + 1) for part in node.values]
        if isinstance(node.op, ast.And):
            return lambda scope: all(part(scope) for part in parts)
        return lambda scope: any(part(scope) for part in parts)

    def _comparison(self, node: ast.Compare, depth: int) -> Reader:
        parts = [self.read(part, depth + 1) for part in (node.left, *node.comparators)]
        tests = [comparison_of(op) for op in node.ops]

        def compare(scope: Scope) -> bool:
            left = parts[0](scope)
            for test, part in zip(tests, parts[1:], strict=True):
                right = part(scope)
                if not test(left, right):
                    return False
                left = right
            return True

        return compare

    def _check_range(self, ends: list[ast.expr]) -> None:
        """Refuse two constants of which the second is the less."""
        apart = _Builder(self.names, self.functions)
        low, high = (apart.read(end, 1) for end in ends)
        if not apart.used:
            try:
                wrong = number(low({})) > number(high({}))
            except (UnfitError, ZeroDivisionError):
                wrong = True
            if wrong:
                raise ValueError("must give 'uniform' two numbers, the lower one first")

    def _call(self, name: str, args: list[ast.expr], depth: int) -> Reader:
        if name not in self.functions:
            known = ', '.join(self.functions)
            raise ValueError(f"calls '{name[:40]}', which is not known there (known: {known})")
        least, most = self.functions[name]
        if not least <= len(args) <= most:
            count = str(most) if least == most else f'{least} or {most}'
            raise ValueError(f"must give '{name}' {count} argument{'s' * (most > 1)}")
        if name == 'attr':
            last = args[-1]
            if not (isinstance(last, ast.Constant) and isinstance(last.value, str)):
                raise ValueError("must name an attribute in quotes, as in attr('size')")
            self.attributes.add(normal_name(last.value))
        things = {'attr': args[:-1], 'uniform': []}.get(name, args)
        if not all(isinstance(arg, ast.Name) for arg in things):
            raise ValueError(f"must give '{name}' the name of a thing, without quotes")
        self.used.add(name)
        parts = [self.read(arg, depth + 1) for arg in args]
        if name == 'uniform':
            self._check_range(args)
        return lambda scope: scope[name](*[part(scope) for part in parts])


ARITHMETIC: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_ORDER: Mapping[type[ast.cmpop], Callable[[float, float], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


class UnfitError(TypeError):
    """Say which values do not go together."""


def compares(op: ast.cmpop) -> bool:
    """Return whether an operator is one that expressions may hold."""
    return isinstance(op, ast.Eq | ast.NotEq) or type(op) in _ORDER


def comparison_of(op: ast.cmpop) -> Callable[[Any, Any], bool]:
    """Return what compares two values."""
    if isinstance(op, ast.Eq):
        return _is_same
    if isinstance(op, ast.NotEq):
        return lambda left, right: not _is_same(left, right)
    order = _ORDER[type(op)]
    return lambda left, right: order(number(left), number(right))


def _is_same(left: Any, right: Any) -> bool:
    """Return whether values are equal; a substance equals the name of its type, and its parameter.

    An attribute that is missing equals nothing.
    """
    if isinstance(right, Substance):
        left, right = right, left
    if isinstance(left, Substance) and not isinstance(right, Substance):
        left = left.type if isinstance(right, str) else left.parameter
    return left is not None and is_same(left, right)


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
    """Return a number, or refuse what is none: a symbol times a number could fill the memory."""
    if isinstance(value, Substance):
        return value.parameter
    found = finite(value)
    if found is None:
        wrong = 'an attribute that is missing' if value is None else shown(value)
        raise UnfitError(f'{wrong} is not a number')
    return found
