"""Return what an expression can come to, before anything happens, and refuse what never can."""

import ast
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import TypeAlias

from walking_robots.ars_magna.design.expressions import Expression
from walking_robots.ars_magna.inputs import normal_name
from walking_robots.ars_magna.sensing.attributes import Attribute


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


def kinds_of(
    expression: Expression, names: Mapping[str, Kinds], attributes: Mapping[str, Attribute]
) -> Kinds:
    """Return all that an expression can come to, except for attributes that are missing.

    names: what each name in it can be; attributes: all it may ask for. Raises ValueError with a
    phrase where a part of it can never be what is needed there.
    """
    tree = ast.parse(expression.text, mode='eval')
    return _KindReader(names, attributes).kinds(tree.body)


def kinds_of_values(values: Iterable[object]) -> Kinds:
    """Return what plain values are."""
    return frozenset(map(_kind, values))


def fitting_kinds(attribute: Attribute) -> Kinds:
    """Return what an attribute can be set to."""
    if attribute.kind == 'substance':
        return frozenset({Kind.NUMBER, Kind.WORD, Kind.SUBSTANCE})
    return kinds_of_values(attribute.domain or (0.0,))


def in_words(kinds: Kinds) -> str:
    """Say what something can be."""
    return ' or '.join(sorted(kinds))


def _kind(value: object) -> Kind:
    """Return what a plain value is."""
    if isinstance(value, bool):
        return Kind.TRUTH
    return Kind.WORD if isinstance(value, str) else Kind.NUMBER


class _KindReader:
    """Goes through a syntax tree that `expressions` has read."""

    def __init__(self, names: Mapping[str, Kinds], attributes: Mapping[str, Attribute]) -> None:
        self.names = names
        self.attributes = attributes

    def kinds(self, node: ast.expr) -> Kinds:
        """Return what a node can come to."""
        match node:
            case ast.Constant(value=value):
                return kinds_of_values((value,))
            case ast.Name(id=name):
                return self.names.get(normal_name(name), _TRUTH)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self.kinds(operand)
                return _TRUTH
            case ast.UnaryOp(operand=operand):
                self._need(operand, NUMERIC)
                return _NUMBER
            case ast.BinOp(left=left, right=right):
                self._need(left, NUMERIC)
                self._need(right, NUMERIC)
                return _NUMBER
            case ast.BoolOp(values=operands):
                for operand in operands:
                    self.kinds(operand)
            case ast.Compare(left=left, ops=ops, comparators=others):
                for op, *pair in zip(ops, (left, *others), others, strict=False):
                    for operand in pair:
                        self._need(operand, ANY if isinstance(op, ast.Eq | ast.NotEq) else NUMERIC)
            case ast.Call(func=ast.Name(id=name), args=args):
                return self._call(normal_name(name), args)
        return _TRUTH

    def _call(self, name: str, args: list[ast.expr]) -> Kinds:
        if name == 'attr':
            *thing, asked = args
            for arg in thing:
                self._need(arg, _THING)
            assert isinstance(asked, ast.Constant)
            attribute = self.attributes[normal_name(str(asked.value))]
            return _SUBSTANCE if attribute.kind == 'substance' else fitting_kinds(attribute)
        for arg, needed in zip(args, _ARGUMENTS[name], strict=True):
            self._need(arg, needed)
        return _NUMBER if name == 'uniform' else _TRUTH

    def _need(self, node: ast.expr, needed: Kinds) -> None:
        """Refuse what can never be any of the kinds needed."""
        found = self.kinds(node)
        if not found & needed:
            wanted = Kind.NUMBER if needed == NUMERIC else in_words(needed)
            raise ValueError(
                f"must have {wanted} in place of '{ast.unparse(node):.40}', which is "
                f'{in_words(found)}'
            )
