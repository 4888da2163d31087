"""Write a program in YAML; the keys are those of yaml_form.py."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import yaml

from walking_robots.mdle.language.ast import (
    Argument,
    Atom,
    Call,
    Condition,
    Constant,
    Control,
    Encapsulation,
    Expression,
    Guard,
    Interrupt,
    Law,
    LawCall,
    Name,
    Parallel,
    Parameter,
    Program,
    Reverse,
    Run,
    Segments,
    Step,
    Timeout,
    Vector,
)
from walking_robots.mdle.language.expression_printer import (
    format_action,
    format_cause,
    format_expression,
    format_filter,
    format_loop,
    format_parameters,
)

Data = dict[str, Any]


class _Dumper(yaml.SafeDumper):
    """Writes words plain wherever YAML can read them back as written."""

    def ignore_aliases(self, data: Any) -> bool:
        """Write everything out."""
        return True

    def word(self, text: str) -> yaml.ScalarNode:
        """Take the tag that the text has by itself, so that none is written."""
        resolve: Any = self.resolve
        tag = resolve(yaml.ScalarNode, text, (True, False)) if text else _STRING
        # Single quotes would fold what YAML takes for a line's end, and the next line's indent.
        return self.represent_scalar(tag, text, '"' if _LINE_ENDS & {*text} else None)


_LINE_ENDS = {'\x85', '\u2028', '\u2029'}
_STRING = 'tag:yaml.org,2002:str'
_Dumper.add_representer(str, _Dumper.word)


def write_yaml(program: Program) -> str:
    """Write a program in YAML, without its comments.

    Raises ValueError for what the language has no words for.
    """
    data = _full(
        mdle=str(program.version),
        imports=[
            '.'.join(item.path) + (f' as {item.alias}' if item.alias else '')
            for item in program.imports
        ],
        constants=_named((item.name, _constant(item)) for item in program.constants),
        groups=_named((item.name, list(item.members)) for item in program.groups),
        interrupts=_named((item.name, _interrupt(item)) for item in program.interrupts),
        laws=_named((item.name, _law(item)) for item in program.laws),
        atoms=_named((item.name, _atom(item)) for item in program.atoms),
        behaviors=_named((item.name, _container(item)) for item in program.behaviors),
        plans=_named((item.name, _container(item)) for item in program.plans),
    )
    text: str = yaml.dump(
        data,
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=None,
        width=float('inf'),
    )
    return text


def _full(**fields: Any) -> Data:
    """Leave out what is empty."""
    return {key: value for key, value in fields.items() if value not in (None, [], {})}


def _named(pairs: Iterable[tuple[str, Any]]) -> Data | list[Data]:
    """Give a mapping, or where a name stands twice a list of mappings of one key each."""
    listed = list(pairs)
    if max(Counter(name for name, _ in listed).values(), default=1) > 1:
        return [{name: value} for name, value in listed]
    return dict(listed)


def _all(expressions: Iterable[Expression]) -> list[str]:
    return [format_expression(expression) for expression in expressions]


def _vector(vector: Vector | None) -> list[str] | None:
    return None if vector is None else _all(vector)


def _parameters(parameters: Iterable[Parameter]) -> Any:
    return _named(
        (item.name, format_parameters([item])[1:-1].removeprefix(f'{item.name}: '))
        for item in parameters
    )


def _constant(item: Constant) -> Any:
    value = format_expression(item.value)
    return {'type': item.type, 'value': value} if item.type else value


def _interrupt(item: Interrupt) -> Any:
    condition = format_expression(item.condition)
    if not item.parameters and not item.filters:
        return condition
    filters = [format_filter(part) for part in item.filters]
    fields = {'params': _parameters(item.parameters), 'if': condition, 'with': filters}
    return _full(**fields)


def _law(item: Law) -> Data:
    extern = item.extern if item.vector is None else None
    return _full(
        params=_parameters(item.parameters), on=item.space, u=_vector(item.vector), extern=extern
    )


def _endings(guards: Iterable[Guard], timeout: Timeout | None) -> Data:
    until = [_guard(guard) for guard in guards]
    action = timeout.action if timeout else None
    return {
        'until': until[0] if len(until) == 1 else until,
        'timeout': format_expression(timeout.duration) if timeout else None,
        'on_timeout': format_action(action) if action else None,
    }


def _guard(guard: Guard) -> Any:
    condition = format_expression(guard.condition)
    return {'if': condition, 'then': format_action(guard.action)} if guard.action else condition


def _atom(atom: Atom) -> Data:
    return _full(
        params=_parameters(atom.parameters),
        outs=_parameters(atom.outputs),
        on=atom.space,
        control=None if atom.control is None else _control(atom.control),
        **_endings(atom.guards, atom.timeout),
        emit=_named((item.name, format_expression(item.value)) for item in atom.emissions),
        needs=_all(atom.needs),
        irreversible='true' if atom.irreversible else None,
    )


def _control(control: Control) -> Any:
    match control:
        case Segments(segments):
            listed = [
                {'u': _all(item.vector), 'for': format_expression(item.duration)}
                for item in segments
            ]
            return {'segments': listed}
        case LawCall(call):
            return format_expression(call)
        case vector:
            return _all(vector)


def _container(item: Encapsulation) -> Data:
    return _full(
        params=_parameters(item.parameters),
        outs=_parameters(item.outputs),
        **_endings(item.guards, item.timeout),
        loop=format_loop(item.loop) if item.loop else None,
        on=[
            {'cause': format_cause(handler.cause), 'do': format_action(handler.action)}
            for handler in item.handlers
        ],
        **{'finally': _all(item.cleanup)},
        requires=_all(item.requires),
        do=[_step(step) for step in item.steps],
    )


def _step(step: Step) -> Data:
    label = {'as': step.label} if step.label else {}
    match step:
        case Run():
            return {**_call(step), **label, **_modifiers(step)}
        case Parallel(mode, steps):
            return {'par': {'mode': mode, 'do': [_step(item) for item in steps]}, **label}
        case Condition(condition, then, otherwise):
            fields = {'if': format_expression(condition), 'then': [_step(item) for item in then]}
            other = {'else': [_step(item) for item in otherwise]} if otherwise else {}
            return {**fields, **other, **label}
        case Reverse(target):
            return {'reverse': format_expression(target) if target else 'last', **label}


def _call(run: Run) -> Data:
    call = run.call
    if call is None:
        return {'do': [_step(step) for step in run.steps]}
    if not isinstance(call, Call):
        return {'run': format_expression(call)}
    fields: Data = {'call': format_expression(call.base)}
    names = [argument.name for argument in call.arguments]
    if names and all(names) and len(set(names)) == len(names):
        fields['args'] = {item.name: _argument(item) for item in call.arguments}
    # A call of what a call gives has to say that it is one.
    elif names or isinstance(call.base, Call):
        fields['args'] = [
            {item.name: _argument(item)} if item.name else _argument(item)
            for item in call.arguments
        ]
    return fields


def _argument(argument: Argument) -> str:
    text = format_expression(argument.value)
    return f'${text}' if isinstance(argument.value, Name) else text


def _modifiers(run: Run) -> Data:
    scale = run.scale
    beta = format_expression(scale.beta) if scale and scale.beta else None
    return _full(
        out=run.output or None,
        scale=_full(alpha=_all(scale.alpha), beta=beta) if scale else None,
        **_endings([run.guard] if run.guard else [], run.timeout),
        times=format_loop(run.times) if run.times else None,
    )
