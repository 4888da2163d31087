"""Types and units of expressions (mdle.md §4.4, §7): E201-E203, E301-E304, E801 and W606."""

import math
from collections.abc import Callable, Mapping, Sequence

from walking_robots.mdle.analysis.check_context import CheckContext, DiagnosticSite
from walking_robots.mdle.analysis.inlining import ANY_VALUE, Scope
from walking_robots.mdle.analysis.references import (
    ChannelRead,
    all_expressions,
    arguments_of,
    channel_read,
    match_arguments,
    signature,
    type_of_channel,
)
from walking_robots.mdle.analysis.values import number
from walking_robots.mdle.knowledge.elements import PythonAtom, PythonGuard, PythonLaw
from walking_robots.mdle.knowledge.functions import FUNCTIONS, MEMBERS, ArgumentError
from walking_robots.mdle.knowledge.names import Element, Found, Names, spelled
from walking_robots.mdle.language import ast
from walking_robots.mdle.language.quantities import ANGLE, RATE, SPEED, TIME, Dimension
from walking_robots.mdle.language.types import BOOL, CHOICES, NUM, STR, Type, quantity, type_named

STATES = ('notrun', 'running', 'paused', 'stopping', 'terminated', 'done')
"""What ``y@name.state`` can be: the phases of a partner's executor, and done after a success."""

VECTORS: dict[str, tuple[Dimension, ...]] = {
    'wheels2': (SPEED, SPEED),
    'body2': (SPEED, RATE),
    'body3': (SPEED, SPEED, RATE),
    'none': (),
}
"""Units of the control spaces that are the same on every robot (mdle.md §4.4)."""

COMPARISONS = ('<', '<=', '>', '>=', '==', '!=')
KINDS: dict[type, str] = {
    ast.Atom: 'an atom',
    PythonAtom: 'an atom',
    ast.Encapsulation: 'a behavior',
}
DEEPEST = 40
"""Constants defined by constants, as far as they are followed."""


def parameter_types(parameters: Sequence[ast.Parameter]) -> dict[str, Type | None]:
    """Return the types that parameters declare."""
    return {parameter.name: type_named(parameter.type) for parameter in parameters}


class ExpressionTyper:
    """Finds the types of the expressions of one element, and reports what does not fit.

    variables: types of parameters and outputs, None where unknown; the type of a wrong expression
    is unknown too, so that nothing is reported twice. silent: 0, or how many constants lead here,
    which are reported where they are declared.
    """

    def __init__(
        self,
        context: CheckContext,
        names: Names,
        variables: Mapping[str, Type | None],
        site: DiagnosticSite,
        silent: int = 0,
    ) -> None:
        self.context, self.names, self.variables, self.site = context, names, variables, site
        self.silent = silent
        self._in_guard = False

    def silenced(
        self, names: Names, variables: Mapping[str, Type | None] | None = None
    ) -> 'ExpressionTyper':
        """Return a typer that reports nothing, for what is declared elsewhere."""
        return ExpressionTyper(self.context, names, variables or {}, self.site, self.silent + 1)

    def report(self, code: str, place: ast.Place, text: str, hint: str = '') -> None:
        """Add a diagnostic of this element."""
        if not self.silent:
            self.context.collector.add(self.site, code, place, text, hint)

    def expect(self, expression: ast.Expression, wanted: Type | None) -> None:
        """Report an expression that is not of a type (E302, E303)."""
        given = self.of(expression)
        if not fits(expression, given, wanted):
            if given and wanted and given.kind == wanted.kind == 'quantity':
                self.report('E303', expression.place, *unit_mismatch(given, wanted, expression))
            else:
                self.report('E302', expression.place, f'expected {wanted}, found {given}')
            return
        choices = _choices(wanted)
        if choices and given == STR and self._word(expression) is None:
            text = f'expected {wanted}, found {given}, which may be any word'
            self.report('E302', expression.place, text, f'declare what gives it as {wanted}')
        self._check_word(expression, choices)

    def guard(self, condition: ast.Expression) -> None:
        """Check a condition that ends an element: Boolean, and without effects (E304)."""
        self._in_guard = True
        given = self.of(condition)
        self._in_guard = False
        if given not in (None, BOOL):
            text = f'a guard must be true or false, this is {given}'
            self.report('E304', condition.place, text, 'compare it with something')

    def of(self, expression: ast.Expression) -> Type | None:
        """Return the type of an expression, None where it is unknown."""
        match expression:
            case ast.Number():
                return type_named(expression.unit) if expression.unit else NUM
            case ast.Name():
                return self._name(expression)
            case ast.Member():
                return self._member(expression)
            case ast.Binary():
                return self._binary(expression)
            case ast.Call():
                return self._call(expression)
            case ast.Unary():
                return self._unary(expression)
            case ast.Index():
                return self._index(expression)
            case ast.Slice():
                return self._slice(expression)
            case ast.Text():
                return STR
            case ast.Truth():
                return BOOL
            case ast.Partner():
                self.report('E302', expression.place, 'a channel of the partner is missing here')
                return None

    # Names and calls.

    def _name(self, expression: ast.Name) -> Type | None:
        if expression.name in self.variables:
            return self.variables[expression.name]
        if expression.name == 't':
            return quantity(TIME)
        if expression.name in ('y', 'y0', 'bb'):
            example = 'bb.target' if expression.name == 'bb' else f'{expression.name}.pose'
            self.report('E302', expression.place, 'a name is missing here', f'such as {example}')
            return None
        if expression.name in FUNCTIONS and not self.names.called(expression):
            return self._function(expression, expression.name, ())
        return self._element(expression)

    def _call(self, expression: ast.Call) -> Type | None:
        base = expression.base
        if isinstance(base, ast.Name) and base.name in FUNCTIONS and not self.names.called(base):
            return self._function(expression, base.name, expression.arguments)
        if spelled(base):
            return self._element(expression)
        self.of(base)
        self.report('E302', expression.place, 'only a name can be called')
        return None

    def lookup(self, expression: ast.Expression) -> Found | None:
        """Return what a name means; reports none (E201), or more than one meaning (E203)."""
        parts = spelled(expression)
        offers = self._offers(parts) if parts else []
        if not offers:
            self._report_undefined(expression)
            return None
        if len({id(found.element) for found in offers}) > 1:
            sources = [f.names.module.name for f in offers if f.names.module]
            self.report(
                'E203',
                expression.place,
                f"'{parts[0]}' already defined at {sources[0]}, and at {', '.join(sources[1:])}",
                "import one of them with 'as' and write its name before it",
            )
        return offers[0]

    def _offers(self, parts: tuple[str, ...]) -> list[Found]:
        names = self.names
        if len(parts) == 1 and parts[0] not in names.own:
            return names.imported.get(parts[0], [])
        found = names.find(*parts)
        return [found] if found else []

    def _report_undefined(self, expression: ast.Expression) -> None:
        name = '.'.join(spelled(expression))
        module = name.split('.')[0] if '.' in name else ''
        library, imports = self.names.library, self.names.program.imports
        missing = {i.alias or i.path[-1] for i in imports if '.'.join(i.path) not in library}
        if module and module in missing:
            # The import itself is reported.
            return
        known = [*self.variables, *self.names.all_names(), *FUNCTIONS]
        close = self.context.collector.suggestion(name, known)
        text = f"'{name}' is not defined{close}" if name else 'this is no name of an element'
        hint = 'declare it, or import the module that has it'
        if module and module not in self.names.aliases:
            hint = f"import '{module}', or begin the name of a channel with y."
        self.report('E201', expression.place, text, hint)

    def check_call(self, expression: ast.Expression, found: Found) -> None:
        """Check the arguments of a call of an element (E301)."""
        parameters = getattr(found.element, 'parameters', ())
        matched = match_arguments(parameters, arguments_of(expression))
        name = '.'.join(spelled(expression))
        text = f"'{name}' takes {signature(parameters)}"
        for argument in matched.extra:
            what = f"no argument '{argument.name}'" if argument.name else 'fewer arguments'
            if argument.name in matched.given:
                what = f"'{argument.name}' once"
            self.report('E301', argument.place, text, f'it takes {what}')
            self.of(argument.value)
        if matched.missing:
            self.report('E301', expression.place, text, f'give {", ".join(matched.missing)}')
        types = parameter_types(parameters)
        for parameter, value in matched.given.items():
            self.expect(value, types[parameter])

    def _element(self, expression: ast.Expression) -> Type | None:
        """Type a constant, or the call of something that is declared."""
        found = self.lookup(expression)
        if found is None:
            for argument in arguments_of(expression):
                self.of(argument.value)
            return None
        element, name = found.element, '.'.join(spelled(expression))
        if not self.context.is_own(found.names) and not self.silent:
            self.context.reached.append((found, self.site.below('', expression.place)))
        match element:
            case ast.Constant():
                if isinstance(expression, ast.Call):
                    text = f"'{name}' is a constant, not a function"
                    self.report('E302', expression.place, text)
                return self._constant(element, found.names)
            case ast.Interrupt() | PythonGuard():
                self.check_call(expression, found)
                return BOOL
            case ast.Law() | PythonLaw():
                self.check_call(expression, found)
                if not self._in_guard:
                    return Type('vector', name=element.space)
                self.report('E304', expression.place, f"a guard cannot call the law '{name}'")
            case ast.Atom() | PythonAtom() | ast.Encapsulation():
                text = f"'{name}' is {KINDS[type(element)]} and has no value"
                code = 'E304' if self._in_guard else 'E302'
                self.report(code, expression.place, text, 'run it as a step and read its outputs')
            case _:
                text = f"'{name}' is a group of robots and has no value"
                self.report('E302', expression.place, text)
        return None

    def _constant(self, constant: ast.Constant, names: Names) -> Type | None:
        known = self.context.constants
        if constant.type:
            return type_named(constant.type)
        if id(constant) not in known and self.silent < DEEPEST:
            known[id(constant)] = None
            known[id(constant)] = self.silenced(names).of(constant.value)
        return known.get(id(constant))

    # Channels, parts of values and lists.

    def _member(self, expression: ast.Member) -> Type | None:
        read = channel_read(expression, self.variables, self.context.robot)
        if read:
            return self._channel(expression, read)
        parts = spelled(expression)
        # It can only be an element of a module, unless a name of its first part is known.
        outside = len(parts) == 2 and parts[0] not in self.variables
        if outside and (parts[0] in self.names.aliases or not self._offers(parts[:1])):
            return self._element(expression)
        return self._part(self.of(expression.base), expression.name, expression)

    def _channel(self, expression: ast.Member, read: ChannelRead) -> Type | None:
        robot = self.context.robot
        if read.kind in ('now', 'entry') and robot and not read.spec:
            close = self.context.collector.suggestion(read.channel, robot.outputs)
            hint = 'it cannot turn' if read.channel == 'limit.w' else close.removeprefix('; ')
            text = f"robot '{robot.name}' has no output '{read.channel}'"
            self.report('E202', expression.place, text, hint)
            return None
        given = type_of_channel(read)
        if read.kind == 'board':
            given = self.context.board.get(read.channel)
        for part in read.parts:
            given = self._part(given, part, expression)
        return given

    def _part(self, given: Type | None, part: str, expression: ast.Member) -> Type | None:
        if given is None:
            return None
        parts = MEMBERS.get(given.kind, {})
        if part in parts:
            return quantity(parts[part][0])
        hint = f'it has {", ".join(parts)}' if parts else ''
        self.report('E302', expression.place, f"{given} has no part '{part}'", hint)
        return None

    def _index(self, expression: ast.Index) -> Type | None:
        base = self.of(expression.base)
        self.expect(expression.index, NUM)
        if base is None:
            return None
        if base.kind == 'vector':
            units, number = VECTORS.get(base.name), self._known(expression.index)
            if units is None or self._outside(expression.index, len(units)) or number is None:
                return None
            return quantity(units[int(number)])
        if base.kind != 'list':
            self.report('E302', expression.place, f'expected a list, found {base}')
            return None
        self._outside(expression.index, self._size(expression.base))
        return quantity(base.dimension)

    def _slice(self, expression: ast.Slice) -> Type | None:
        base, size = self.of(expression.base), self._size(expression.base)
        for end in (expression.low, expression.high):
            self.expect(end, NUM)
            self._outside(end, size)
        low, high = self._known(expression.low), self._known(expression.high)
        if low is not None and high is not None and low > high:
            text = f'{low:g} .. {high:g} holds nothing'
            self.report('E801', expression.low.place, text, 'write the smaller number first')
        if base is not None and base.kind != 'list':
            self.report('E302', expression.place, f'expected a list, found {base}')
            return None
        return base

    def _known(self, expression: ast.Expression) -> float | None:
        """Return the number that is written, or that constants stand for; None for others."""
        value = number(expression, self._scope)
        return value.low if value.known and math.isfinite(value.low) else None

    @property
    def _scope(self) -> Scope:
        return Scope(self.names, None, dict.fromkeys(self.variables, ANY_VALUE))

    def _size(self, expression: ast.Expression) -> int:
        """Return how many values a list has, 0 where that is not known."""
        read = channel_read(expression, self.variables, self.context.robot)
        return read.spec.size if read and read.spec and read.kind != 'partner' else 0

    def _outside(self, index: ast.Expression, size: int) -> bool:
        """Return whether an index is certainly wrong, and report it (E801)."""
        value = self._known(index)
        if value is None or (value == int(value) >= 0 and (not size or value < size)):
            return False
        limits = f'0 .. {size - 1}' if size else '0 upwards, in whole numbers'
        self.report('E801', index.place, f'index {value:g} is outside {limits}')
        return True

    # Operators and functions.

    def _function(
        self, expression: ast.Expression, name: str, arguments: Sequence[ast.Argument]
    ) -> Type | None:
        function = FUNCTIONS[name]
        types = [self.of(argument.value) for argument in arguments]
        text = f"'{name}' takes {function.signature}"
        for argument in arguments:
            if argument.name:
                hint = 'functions take no names of arguments'
                self.report('E301', argument.place, text, hint)
                return None
        known = [given for given in types if given]
        if len(known) < len(types):
            return None
        try:
            return _applied(function.typed, known, [is_free(a.value) for a in arguments])
        except ArgumentError as error:
            if not 0 <= error.index < len(arguments):
                self.report('E301', expression.place, text, f'it takes {error.wanted}')
                return None
            wrong, found = arguments[error.index].value, known[error.index]
            wanted = type_named(error.wanted)
            if found.kind == 'quantity' == wanted.kind:
                self.report('E303', wrong.place, *unit_mismatch(found, wanted, wrong))
            else:
                self.report('E302', wrong.place, f'expected {error.wanted}, found {found}', text)
            return None

    def _unary(self, expression: ast.Unary) -> Type | None:
        if expression.operator == 'not':
            self.expect(expression.operand, BOOL)
            return BOOL
        return self._quantity(expression.operand, self.of(expression.operand))

    def _quantity(self, expression: ast.Expression, given: Type | None) -> Type | None:
        if given is None or given.kind == 'quantity':
            return given
        self.report('E302', expression.place, f'expected a quantity, found {given}')
        return None

    def _binary(self, expression: ast.Binary) -> Type | None:
        symbol = expression.operator
        if symbol in ('and', 'or'):
            self.expect(expression.left, BOOL)
            self.expect(expression.right, BOOL)
            return BOOL
        left, right = self.of(expression.left), self.of(expression.right)
        result = BOOL if symbol in COMPARISONS else None
        if left is None or right is None:
            return result
        if symbol in ('==', '!=') and left.kind != 'quantity':
            if not fits(expression.right, right, left):
                text = f'expected {left}, found {right}'
                self.report('E302', expression.right.place, text)
            self._check_compared(expression.left, left, expression.right)
            self._check_compared(expression.right, right, expression.left)
            return BOOL
        if not (self._quantity(expression.left, left) and self._quantity(expression.right, right)):
            return result
        if symbol in ('*', '/'):
            combine = left.dimension.times if symbol == '*' else left.dimension.over
            return quantity(combine(right.dimension))
        if is_free(expression.left):
            return result or right
        if not fits(expression.right, right, left):
            mismatch = unit_mismatch(right, left, expression.right)
            self.report('E303', expression.right.place, *mismatch)
        return result or left

    # Words of enumerated types.

    def _check_compared(self, one: ast.Expression, given: Type, other: ast.Expression) -> None:
        """Check a word that is compared with one of an enumerated type, or with a state."""
        read = channel_read(one, self.variables, self.context.robot)
        if read and read.kind == 'partner' and read.channel == 'state' and not read.parts:
            self._check_word(other, STATES)
        self._check_word(other, _choices(given))

    def _check_word(self, expression: ast.Expression, choices: tuple[str, ...]) -> None:
        word = self._word(expression) if choices else None
        if word is not None and word not in choices:
            *others, last = (f'"{choice}"' for choice in choices)
            listed = f'{", ".join(others)} or {last}'
            text = f'"{word}" is none of {listed}'
            self.report('E302', expression.place, text, f'write {listed}')

    def _word(self, expression: ast.Expression) -> str | None:
        """Return the word that is written, or that constants stand for; None where it is open."""
        found = self._scope.inlined(expression)
        return found.value if isinstance(found, ast.Text) else None

    # Exact comparisons.

    def check_equalities(self, element: Element) -> None:
        """Report exact comparisons of what is measured (W606)."""
        quiet = self.silenced(self.names, self.variables)
        for part in self.context.expressions(element):
            if not (isinstance(part, ast.Binary) and part.operator in ('==', '!=')):
                continue
            given = quiet.of(part.left) or quiet.of(part.right)
            if given is None or given.kind != 'quantity':
                continue
            if any(self._is_measured(inner, given) for inner in all_expressions(part)):
                text = f'exact comparison of {given} that is measured'
                self.report('W606', part.place, text, 'use a tolerance: abs(a - b) < ...')

    def _is_measured(self, part: ast.Expression, given: Type) -> bool:
        if part == ast.Name('t') and 't' not in self.variables:
            return True
        read = channel_read(part, self.variables, self.context.robot)
        if read is None or read.spec is None:
            return False
        if given == NUM and type_of_channel(read) == NUM:
            # A bare number may count something: then it is whole, and its range says so.
            return read.spec.low >= 0.0 and 0.0 < read.spec.high <= 1.0
        return True


def _choices(wanted: Type | None) -> tuple[str, ...]:
    return CHOICES.get(wanted.name, ()) if wanted and wanted.kind == 'other' else ()


def is_free(expression: ast.Expression) -> bool:
    """Return whether a literal fits any unit: 0 and inf, with or without a sign."""
    while isinstance(expression, ast.Unary) and expression.operator == '-':
        expression = expression.operand
    if not isinstance(expression, ast.Number) or expression.unit:
        return False
    return expression.value in (0.0, float('inf'))


def fits(expression: ast.Expression, given: Type | None, wanted: Type | None) -> bool:
    """Return whether an expression can stand where a type is wanted."""
    if given is None or wanted is None or given == wanted:
        return True
    if wanted.kind == 'quantity':
        return given.kind == 'quantity' and is_free(expression)
    if wanted.kind == 'point':
        return given.kind == 'pose'
    # The values of types of the user's own are words.
    return {given.kind, wanted.kind} == {'str', 'other'}


def unit_mismatch(given: Type, wanted: Type, expression: ast.Expression) -> tuple[str, str]:
    """Return text and remedy for a quantity of the wrong unit."""
    text = f'cannot use {given} where {wanted} is required'
    if given == NUM and isinstance(expression, ast.Number):
        unit = 'deg or rad' if wanted.dimension == ANGLE else str(wanted)
        return text, f'write the unit behind the number: {expression.value:g} {unit}'
    if wanted == NUM:
        return text, f'divide by a unit, as in 2 {given} / 1 {given}'
    return text, f'write a value in {wanted}'


def _applied(
    typed: Callable[[Sequence[Type]], Type], types: list[Type], free: Sequence[bool]
) -> Type:
    """Return the type of a function's result; literals of any unit take the one that is wanted.

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
