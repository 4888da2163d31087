"""Types and units of expressions (mdle.md §4.4, §7: E201, E202, E301-E304, E801)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from walking_robots.mdle.checking.arguments import arguments_of, match, signature
from walking_robots.mdle.checking.channels import Reached, reached, type_of_output
from walking_robots.mdle.checking.facts import Facts
from walking_robots.mdle.checking.ledger import Site, nearest
from walking_robots.mdle.knowledge.elements import PythonAtom, PythonGuard, PythonLaw
from walking_robots.mdle.knowledge.functions import FUNCTIONS, MEMBERS, ArgumentError
from walking_robots.mdle.knowledge.names import Found, Names, spelled
from walking_robots.mdle.language.expressions import (
    Argument,
    Binary,
    Call,
    Expression,
    Index,
    Member,
    Name,
    Number,
    Partner,
    Slice,
    Text,
    Truth,
    Unary,
)
from walking_robots.mdle.language.program import (
    Atom,
    Constant,
    Encapsulation,
    Interrupt,
    Law,
    Parameter,
)
from walking_robots.mdle.language.quantities import ANGLE, RATE, SPEED, TIME, Dimension
from walking_robots.mdle.language.types import BOOL, NUM, STR, Type, quantity, type_named

__all__ = ['VECTORS', 'Typist', 'parameter_types']

VECTORS: dict[str, tuple[Dimension, ...]] = {
    'wheels2': (SPEED, SPEED),
    'body2': (SPEED, RATE),
    'body3': (SPEED, SPEED, RATE),
    'none': (),
}
"""Units of the control spaces that every robot understands alike (mdle.md §4.4)."""

DEEPEST = 40
"""Constants that are made of constants, as far as they are followed."""

KINDS: dict[type, str] = {Atom: 'an atom', PythonAtom: 'an atom', Encapsulation: 'a behavior'}


def parameter_types(parameters: Sequence[Parameter]) -> dict[str, Type | None]:
    """Give the types that parameters declare."""
    return {parameter.name: type_named(parameter.type) for parameter in parameters}


class Typist:
    """Finds the types of expressions in one element, and tells what does not fit.

    variables: types of parameters and outputs, None where unknown; of an expression that is
    wrong the type is unknown too, so that nothing is said twice.
    """

    def __init__(
        self,
        facts: Facts,
        names: Names,
        variables: Mapping[str, Type | None],
        site: Site,
        silent: int = 0,
    ) -> None:
        """Take what the expressions may name; ``silent``: constants between, told elsewhere."""
        self.facts, self.names, self.variables, self.site = facts, names, variables, site
        self._silent, self._in_guard = silent, False

    def tell(self, code: str, place: Any, text: str, hint: str = '') -> None:
        """Keep a diagnostic of this element."""
        if not self._silent:
            self.facts.ledger.add(self.site, code, place, text, hint)

    def of(self, expression: Expression) -> Type | None:
        """Give the type of an expression, None where it is unknown."""
        return _TYPED[type(expression)](self, expression)

    def expect(self, expression: Expression, wanted: Type | None) -> None:
        """Tell when an expression is not of a type."""
        given = self.of(expression)
        if _fits(expression, given, wanted):
            return
        if given and wanted and given.kind == wanted.kind == 'quantity':
            self.tell('E303', expression.place, *_unit_mismatch(given, wanted, expression))
        else:
            self.tell('E302', expression.place, f'expected {wanted}, found {given}')

    def guard(self, condition: Expression) -> None:
        """Check a condition that ends an element: Boolean, and without effects."""
        self._in_guard = True
        given = self.of(condition)
        self._in_guard = False
        if given not in (None, BOOL):
            self.tell(
                'E304',
                condition.place,
                f'a guard must be true or false, this is {given}',
                'compare it with something',
            )

    def call(self, expression: Expression, found: Found) -> None:
        """Check the arguments of a call of an element."""
        parameters = getattr(found.element, 'parameters', ())
        given = match(parameters, arguments_of(expression))
        name = '.'.join(spelled(expression))
        text = f"'{name}' takes {signature(parameters)}"
        for argument in given.extra:
            what = f"no argument '{argument.name}'" if argument.name else 'fewer arguments'
            if argument.name in given.given:
                what = f"'{argument.name}' once"
            self.tell('E301', argument.place, text, f'it takes {what}')
        if given.missing:
            self.tell('E301', expression.place, text, f'give {", ".join(given.missing)}')
        types = parameter_types(parameters)
        for parameter, value in given.given.items():
            self.expect(value, types[parameter])
        for argument in given.extra:
            self.of(argument.value)

    def lookup(self, expression: Expression) -> Found | None:
        """Give what a name means; tells when it is nothing, or more than one thing."""
        parts = spelled(expression)
        offers = self.facts.offers(self.names, parts) if parts else []
        if not offers:
            self.undefined(expression)
            return None
        if len({id(found.element) for found in offers}) > 1:
            sources = [f.names.module.name for f in offers if f.names.module]
            self.tell(
                'E203',
                expression.place,
                f"'{parts[0]}' already defined at {sources[0]}, and at {', '.join(sources[1:])}",
                "import one of them with 'as' and write its name before it",
            )
        return offers[0]

    def undefined(self, expression: Expression) -> None:
        """Tell that a name means nothing; of a module that is not there it was told already."""
        name = '.'.join(spelled(expression))
        if '.' in name and name.split('.')[0] in self._missing_modules():
            return
        known = [*self.variables, *self.names.all_names(), *FUNCTIONS]
        close = nearest(name, known, self.facts.ledger)
        text = f"'{name}' is not defined{close}" if name else 'this is no name of an element'
        hint = 'declare it, or import the module that has it'
        if '.' in name and name.split('.')[0] not in self.names.aliases:
            hint = f"import '{name.split('.')[0]}', or begin the name of a channel with y."
        self.tell('E201', expression.place, text, hint)

    def _missing_modules(self) -> set[str]:
        library = self.names.library
        imports = self.names.program.imports
        return {i.alias or i.path[-1] for i in imports if '.'.join(i.path) not in library}

    def _number(self, expression: Number) -> Type:
        return quantity(_dimension_of(expression))

    def _text(self, expression: Text) -> Type:
        return STR

    def _truth(self, expression: Truth) -> Type:
        return BOOL

    def _name(self, expression: Name) -> Type | None:
        if expression.name in self.variables:
            return self.variables[expression.name]
        if expression.name == 't':
            return quantity(TIME)
        if expression.name in ('y', 'y0', 'bb'):
            example = 'bb.target' if expression.name == 'bb' else f'{expression.name}.pose'
            self.tell('E302', expression.place, 'a name is missing here', f'such as {example}')
            return None
        if expression.name in FUNCTIONS and not self.names.called(expression):
            return self._function(expression, expression.name, ())
        return self._element(expression)

    def _element(self, expression: Expression) -> Type | None:
        """Type a constant, or the call of something that is declared."""
        found = self.lookup(expression)
        if found is None:
            for argument in arguments_of(expression):
                self.of(argument.value)
            return None
        element, name = found.element, '.'.join(spelled(expression))
        if not self.facts.is_own(found.names) and not self._silent:
            site = self.site.below('', expression.place)
            self.facts.reached.append((found, site))
        if isinstance(element, Constant):
            if isinstance(expression, Call):
                self.tell('E302', expression.place, f"'{name}' is a constant, not a function")
            return self._constant(element, found.names)
        if isinstance(element, Interrupt | PythonGuard):
            self.call(expression, found)
            return BOOL
        if isinstance(element, Law | PythonLaw):
            self.call(expression, found)
            if self._in_guard:
                self.tell('E304', expression.place, f"a guard cannot call the law '{name}'")
                return None
            return Type('vector', name=element.space)
        if isinstance(element, Atom | PythonAtom | Encapsulation):
            text = f"'{name}' is {KINDS[type(element)]} and has no value"
            code = 'E304' if self._in_guard else 'E302'
            self.tell(code, expression.place, text, 'run it as a step and read its outputs')
            return None
        self.tell('E302', expression.place, f"'{name}' is a group of robots and has no value")
        return None

    def _constant(self, constant: Constant, names: Names) -> Type | None:
        known = self.facts.constants
        if constant.type:
            return type_named(constant.type)
        if id(constant) not in known and self._silent < DEEPEST:
            known[id(constant)] = None
            quiet = Typist(self.facts, names, {}, self.site, self._silent + 1)
            known[id(constant)] = quiet.of(constant.value)
        return known.get(id(constant))

    def _member(self, expression: Member) -> Type | None:
        found = reached(expression, self.variables, self.facts.robot)
        if found:
            return self._reached(expression, found)
        parts = spelled(expression)
        if parts and parts[0] not in self.variables and self._names_module(parts):
            return self._element(expression)
        return self._part(self.of(expression.base), expression.name, expression)

    def _names_module(self, parts: tuple[str, ...]) -> bool:
        """Tell whether a dotted name can only be an element of a module."""
        if len(parts) == 2 and parts[0] in self.names.aliases:
            return True
        return not self.facts.offers(self.names, parts[:1]) and len(parts) == 2

    def _reached(self, expression: Member, found: Reached) -> Type | None:
        robot = self.facts.robot
        if found.kind in ('now', 'entry') and robot and not found.spec:
            close = nearest(found.channel, robot.outputs, self.facts.ledger)
            text = f"robot '{robot.name}' has no output '{found.channel}'"
            self.tell('E202', expression.place, text, close.removeprefix('; '))
            return None
        given = type_of_output(found)
        if found.kind == 'board':
            given = self.facts.board.get(found.channel)
        for part in found.parts:
            given = self._part(given, part, expression)
        return given

    def _part(self, given: Type | None, part: str, expression: Member) -> Type | None:
        if given is None:
            return None
        parts = MEMBERS.get(given.kind, {})
        if part in parts:
            return quantity(parts[part][0])
        hint = f'it has {", ".join(parts)}' if parts else ''
        self.tell('E302', expression.place, f"{given} has no part '{part}'", hint)
        return None

    def _partner(self, expression: Partner) -> None:
        self.tell('E302', expression.place, 'a channel of the partner is missing here')

    def _index(self, expression: Index) -> Type | None:
        base = self.of(expression.base)
        self.expect(expression.index, NUM)
        if base is None:
            return None
        if base.kind == 'vector':
            units = VECTORS.get(base.name)
            if units is None:
                return None
            number = _whole(expression.index)
            if self._outside(expression.index, len(units)) or number is None:
                return None
            return quantity(units[number])
        if base.kind != 'list':
            self.tell('E302', expression.place, f'expected a list, found {base}')
            return None
        self._outside(expression.index, self._size(expression.base))
        return quantity(base.dimension)

    def _slice(self, expression: Slice) -> Type | None:
        base = self.of(expression.base)
        size = self._size(expression.base)
        for end in (expression.low, expression.high):
            self.expect(end, NUM)
            self._outside(end, size)
        low, high = _whole(expression.low), _whole(expression.high)
        if low is not None and high is not None and low > high:
            text = f'{low} .. {high} holds nothing'
            self.tell('E801', expression.low.place, text, 'write the smaller number first')
        if base is not None and base.kind != 'list':
            self.tell('E302', expression.place, f'expected a list, found {base}')
            return None
        return base

    def _size(self, expression: Expression) -> int:
        """Give how many values a list has, 0 where that is not known."""
        found = reached(expression, self.variables, self.facts.robot)
        return found.spec.size if found and found.spec and found.kind != 'partner' else 0

    def _outside(self, index: Expression, size: int) -> bool:
        """Tell whether an index can only be wrong, and say so."""
        value = _constant_value(index)
        if value is None or (value == int(value) >= 0 and (not size or value < size)):
            return False
        limits = f'0 .. {size - 1}' if size else '0 upwards, in whole numbers'
        self.tell('E801', index.place, f'index {value:g} is outside {limits}')
        return True

    def _call(self, expression: Call) -> Type | None:
        base = expression.base
        if isinstance(base, Name) and base.name in FUNCTIONS and not self.names.called(base):
            return self._function(expression, base.name, expression.arguments)
        if spelled(base):
            return self._element(expression)
        self.of(base)
        self.tell('E302', expression.place, 'only a name can be called')
        return None

    def _function(
        self, expression: Expression, name: str, arguments: Sequence[Argument]
    ) -> Type | None:
        function = FUNCTIONS[name]
        types = [self.of(argument.value) for argument in arguments]
        named = next((argument for argument in arguments if argument.name), None)
        text = f"'{name}' takes {function.signature}"
        if named:
            self.tell('E301', named.place, text, 'functions take no names of arguments')
            return None
        if any(given is None for given in types):
            return None
        known = [given for given in types if given]
        free = [_is_free(argument.value) for argument in arguments]
        try:
            return _apply(function.typed, known, free)
        except ArgumentError as error:
            if error.index < 0 or error.index >= len(arguments):
                self.tell('E301', expression.place, text, f'it takes {error.wanted}')
                return None
            wrong, found = arguments[error.index].value, known[error.index]
            wanted = type_named(error.wanted)
            if found.kind == 'quantity' == wanted.kind:
                self.tell('E303', wrong.place, *_unit_mismatch(found, wanted, wrong))
            else:
                self.tell('E302', wrong.place, f'expected {error.wanted}, found {found}', text)
            return None

    def _unary(self, expression: Unary) -> Type | None:
        if expression.operator == 'not':
            self.expect(expression.operand, BOOL)
            return BOOL
        given = self.of(expression.operand)
        if given is not None and given.kind != 'quantity':
            self.tell('E302', expression.operand.place, f'expected a quantity, found {given}')
            return None
        return given

    def _binary(self, expression: Binary) -> Type | None:
        symbol = expression.operator
        if symbol in ('and', 'or'):
            self.expect(expression.left, BOOL)
            self.expect(expression.right, BOOL)
            return BOOL
        left, right = self.of(expression.left), self.of(expression.right)
        result = BOOL if symbol in _COMPARISONS else None
        if left is None or right is None:
            return result
        if symbol in ('==', '!=') and left.kind != 'quantity':
            if not _fits(expression.right, right, left):
                self.tell('E302', expression.right.place, f'expected {left}, found {right}')
            return BOOL
        for side, given in ((expression.left, left), (expression.right, right)):
            if given.kind != 'quantity':
                self.tell('E302', side.place, f'expected a quantity, found {given}')
                return result
        if symbol in ('*', '/'):
            combine = left.dimension.times if symbol == '*' else left.dimension.over
            return quantity(combine(right.dimension))
        if _is_free(expression.left):
            return result or right
        if not _fits(expression.right, right, left):
            text, hint = _unit_mismatch(right, left, expression.right)
            self.tell('E303', expression.right.place, text, hint)
        return result or left


_COMPARISONS = ('<', '<=', '>', '>=', '==', '!=')

_TYPED: dict[type, Callable[[Typist, Any], Type | None]] = {
    Number: Typist._number,
    Text: Typist._text,
    Truth: Typist._truth,
    Name: Typist._name,
    Member: Typist._member,
    Partner: Typist._partner,
    Index: Typist._index,
    Slice: Typist._slice,
    Call: Typist._call,
    Unary: Typist._unary,
    Binary: Typist._binary,
}


def _dimension_of(number: Number) -> Dimension:
    found = type_named(number.unit) if number.unit else NUM
    return found.dimension


def _constant_value(expression: Expression) -> float | None:
    """Give the number that is written, None where something else is."""
    if isinstance(expression, Unary) and expression.operator == '-':
        inner = _constant_value(expression.operand)
        return None if inner is None else -inner
    if isinstance(expression, Number) and not expression.unit and abs(expression.value) < 1e9:
        return expression.value
    return None


def _whole(expression: Expression) -> int | None:
    value = _constant_value(expression)
    return int(value) if value is not None and value == int(value) else None


def _is_free(expression: Expression) -> bool:
    """Tell whether a literal is of any unit: 0 and inf, with or without a sign."""
    while isinstance(expression, Unary) and expression.operator == '-':
        expression = expression.operand
    if not isinstance(expression, Number) or expression.unit:
        return False
    return expression.value in (0.0, float('inf'))


def _fits(expression: Expression, given: Type | None, wanted: Type | None) -> bool:
    """Tell whether an expression can stand where a type is wanted."""
    if given is None or wanted is None or given == wanted:
        return True
    if wanted.kind == 'quantity':
        return given.kind == 'quantity' and _is_free(expression)
    if wanted.kind == 'point':
        return given.kind == 'pose'
    # The values of types of the user's own are words.
    return {given.kind, wanted.kind} == {'str', 'other'}


def _unit_mismatch(given: Type, wanted: Type, expression: Expression) -> tuple[str, str]:
    text = f'cannot use {given} where {wanted} is required'
    if given == NUM and isinstance(expression, Number):
        unit = 'deg or rad' if wanted.dimension == ANGLE else str(wanted)
        return text, f'write the unit behind the number: {expression.value:g} {unit}'
    return text, ''


def _apply(
    typed: Callable[[Sequence[Type]], Type], types: list[Type], free: Sequence[bool]
) -> Type:
    """Type a function; literals that are of any unit take the one that is wanted of them.

    Raises ArgumentError where nothing fits.
    """
    types, open_ = list(types), {index for index, is_open in enumerate(free) if is_open}
    while True:
        try:
            return typed(types)
        except ArgumentError as error:
            if not open_ or error.index < 0:
                raise
            if error.index in open_:
                types[error.index] = type_named(error.wanted)
                open_.discard(error.index)
            else:
                for index in open_:
                    types[index] = types[error.index]
                open_.clear()
