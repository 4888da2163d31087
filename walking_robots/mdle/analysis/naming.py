"""Types of names: variables, constants, and what is called (E201, E203, E301, E304)."""

from collections.abc import Sequence

from walking_robots.mdle.analysis.arguments import arguments_of, match, signature
from walking_robots.mdle.analysis.ledger import nearest
from walking_robots.mdle.analysis.operations import type_of_function
from walking_robots.mdle.analysis.typist import Typist
from walking_robots.mdle.knowledge.elements import PythonAtom, PythonGuard, PythonLaw
from walking_robots.mdle.knowledge.functions import FUNCTIONS
from walking_robots.mdle.knowledge.names import Found, Names, spelled
from walking_robots.mdle.language.ast import (
    Atom,
    Call,
    Constant,
    Encapsulation,
    Expression,
    Interrupt,
    Law,
    Name,
    Parameter,
)
from walking_robots.mdle.language.quantities import TIME
from walking_robots.mdle.language.types import BOOL, Type, quantity, type_named

__all__ = [
    'check_call',
    'lookup',
    'parameter_types',
    'type_of_call',
    'type_of_element',
    'type_of_name',
]

DEEPEST = 40
"""Constants that are made of constants, as far as they are followed."""

KINDS: dict[type, str] = {Atom: 'an atom', PythonAtom: 'an atom', Encapsulation: 'a behavior'}


def parameter_types(parameters: Sequence[Parameter]) -> dict[str, Type | None]:
    """Give the types that parameters declare."""
    return {parameter.name: type_named(parameter.type) for parameter in parameters}


def lookup(typist: Typist, expression: Expression) -> Found | None:
    """Give what a name means; tells when it is nothing, or more than one thing."""
    parts = spelled(expression)
    offers = typist.facts.offers(typist.names, parts) if parts else []
    if not offers:
        _undefined(typist, expression)
        return None
    if len({id(found.element) for found in offers}) > 1:
        sources = [f.names.module.name for f in offers if f.names.module]
        typist.tell(
            'E203',
            expression.place,
            f"'{parts[0]}' already defined at {sources[0]}, and at {', '.join(sources[1:])}",
            "import one of them with 'as' and write its name before it",
        )
    return offers[0]


def _undefined(typist: Typist, expression: Expression) -> None:
    """Tell that a name means nothing; of a module that is not there it was told already."""
    name = '.'.join(spelled(expression))
    if '.' in name and name.split('.')[0] in _missing_modules(typist):
        return
    known = [*typist.variables, *typist.names.all_names(), *FUNCTIONS]
    close = nearest(name, known, typist.facts.ledger)
    text = f"'{name}' is not defined{close}" if name else 'this is no name of an element'
    hint = 'declare it, or import the module that has it'
    if '.' in name and name.split('.')[0] not in typist.names.aliases:
        hint = f"import '{name.split('.')[0]}', or begin the name of a channel with y."
    typist.tell('E201', expression.place, text, hint)


def _missing_modules(typist: Typist) -> set[str]:
    library = typist.names.library
    imports = typist.names.program.imports
    return {i.alias or i.path[-1] for i in imports if '.'.join(i.path) not in library}


def check_call(typist: Typist, expression: Expression, found: Found) -> None:
    """Check the arguments of a call of an element."""
    parameters = getattr(found.element, 'parameters', ())
    given = match(parameters, arguments_of(expression))
    name = '.'.join(spelled(expression))
    text = f"'{name}' takes {signature(parameters)}"
    for argument in given.extra:
        what = f"no argument '{argument.name}'" if argument.name else 'fewer arguments'
        if argument.name in given.given:
            what = f"'{argument.name}' once"
        typist.tell('E301', argument.place, text, f'it takes {what}')
    if given.missing:
        typist.tell('E301', expression.place, text, f'give {", ".join(given.missing)}')
    types = parameter_types(parameters)
    for parameter, value in given.given.items():
        typist.expect(value, types[parameter])
    for argument in given.extra:
        typist.of(argument.value)


def type_of_name(typist: Typist, expression: Name) -> Type | None:
    """Type a bare name."""
    if expression.name in typist.variables:
        return typist.variables[expression.name]
    if expression.name == 't':
        return quantity(TIME)
    if expression.name in ('y', 'y0', 'bb'):
        example = 'bb.target' if expression.name == 'bb' else f'{expression.name}.pose'
        typist.tell('E302', expression.place, 'a name is missing here', f'such as {example}')
        return None
    if expression.name in FUNCTIONS and not typist.names.called(expression):
        return type_of_function(typist, expression, expression.name, ())
    return type_of_element(typist, expression)


def type_of_call(typist: Typist, expression: Call) -> Type | None:
    """Type a call."""
    base = expression.base
    if isinstance(base, Name) and base.name in FUNCTIONS and not typist.names.called(base):
        return type_of_function(typist, expression, base.name, expression.arguments)
    if spelled(base):
        return type_of_element(typist, expression)
    typist.of(base)
    typist.tell('E302', expression.place, 'only a name can be called')
    return None


def type_of_element(typist: Typist, expression: Expression) -> Type | None:
    """Type a constant, or the call of something that is declared."""
    found = lookup(typist, expression)
    if found is None:
        for argument in arguments_of(expression):
            typist.of(argument.value)
        return None
    element, name = found.element, '.'.join(spelled(expression))
    if not typist.facts.is_own(found.names) and not typist.silent:
        site = typist.site.below('', expression.place)
        typist.facts.reached.append((found, site))
    if isinstance(element, Constant):
        if isinstance(expression, Call):
            typist.tell('E302', expression.place, f"'{name}' is a constant, not a function")
        return _type_of_constant(typist, element, found.names)
    if isinstance(element, Interrupt | PythonGuard):
        check_call(typist, expression, found)
        return BOOL
    if isinstance(element, Law | PythonLaw):
        check_call(typist, expression, found)
        if typist.in_guard:
            typist.tell('E304', expression.place, f"a guard cannot call the law '{name}'")
            return None
        return Type('vector', name=element.space)
    if isinstance(element, Atom | PythonAtom | Encapsulation):
        text = f"'{name}' is {KINDS[type(element)]} and has no value"
        code = 'E304' if typist.in_guard else 'E302'
        typist.tell(code, expression.place, text, 'run it as a step and read its outputs')
        return None
    typist.tell('E302', expression.place, f"'{name}' is a group of robots and has no value")
    return None


def _type_of_constant(typist: Typist, constant: Constant, names: Names) -> Type | None:
    known = typist.facts.constants
    if constant.type:
        return type_named(constant.type)
    if id(constant) not in known and typist.silent < DEEPEST:
        known[id(constant)] = None
        quiet = typist.silenced(names)
        known[id(constant)] = quiet.of(constant.value)
    return known.get(id(constant))
