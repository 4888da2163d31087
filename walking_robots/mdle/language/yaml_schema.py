"""The keys of the notation in YAML: which field of which node each stands for (mdle.md §4.18).

The reader and the writer go through the same table.
"""

from typing import NamedTuple

from walking_robots.mdle.language import ast


class Key(NamedTuple):
    """What a key stands for.

    codec: a rule of the grammar for a text, a class for a node, or what reader and writer call
    it; many: the field holds a tuple of them, in YAML a list or a single one.
    """

    field: str
    codec: str | type[ast.Node]
    many: bool = False


_PARAMETERS = {'params': Key('parameters', 'parameters')}
_OUTPUTS = {'outs': Key('outputs', 'parameters')}
_TIMEOUT = {'timeout': Key('timeout', 'timeout'), 'on_timeout': Key('timeout', 'on_timeout')}
_ENDINGS = {'until': Key('guards', ast.Guard, many=True), **_TIMEOUT}
_LABEL = {'as': Key('label', 'name')}

SECTIONS: dict[str, type[ast.Node]] = {
    'constants': ast.Constant,
    'groups': ast.Group,
    'interrupts': ast.Interrupt,
    'laws': ast.Law,
    'atoms': ast.Atom,
    'behaviors': ast.Encapsulation,
    'plans': ast.Encapsulation,
}
"""The declarations of a program: names with what they stand for."""

SCHEMA: dict[type[ast.Node], dict[str, Key]] = {
    ast.Constant: {'type': Key('type', 'type'), 'value': Key('value', 'expression')},
    ast.Group: {'': Key('members', 'name', many=True)},
    ast.Interrupt: {
        **_PARAMETERS,
        'if': Key('condition', 'expression'),
        'with': Key('filters', 'filters'),
    },
    ast.Law: {
        **_PARAMETERS,
        'on': Key('space', 'name'),
        'u': Key('vector', 'vector'),
        'extern': Key('extern', 'string'),
    },
    ast.Atom: {
        **_PARAMETERS,
        **_OUTPUTS,
        'on': Key('space', 'name'),
        'control': Key('control', 'control'),
        **_ENDINGS,
        'emit': Key('emissions', 'emissions'),
        'needs': Key('needs', 'primary', many=True),
        'irreversible': Key('irreversible', 'flag'),
    },
    ast.Encapsulation: {
        **_PARAMETERS,
        **_OUTPUTS,
        **_ENDINGS,
        'loop': Key('loop', 'repetition'),
        'on': Key('handlers', ast.Handler, many=True),
        'finally': Key('cleanup', 'primary', many=True),
        'requires': Key('requires', 'primary', many=True),
        'do': Key('steps', 'step', many=True),
    },
    ast.Emission: {'': Key('value', 'expression')},
    ast.Guard: {'if': Key('condition', 'expression'), 'then': Key('action', 'action')},
    ast.Handler: {'cause': Key('cause', 'cause'), 'do': Key('action', 'action')},
    ast.Segments: {'segments': Key('segments', ast.Segment, many=True)},
    ast.Segment: {'u': Key('vector', 'vector'), 'for': Key('duration', 'expression')},
    ast.Scale: {'alpha': Key('alpha', 'vector'), 'beta': Key('beta', 'expression')},
    ast.Run: {
        'run': Key('call', 'primary'),
        'do': Key('steps', 'step', many=True),
        **_LABEL,
        'out': Key('output', 'name'),
        'scale': Key('scale', ast.Scale),
        'until': Key('guard', 'guard'),
        **_TIMEOUT,
        'times': Key('times', 'times'),
    },
    ast.Parallel: {'mode': Key('mode', 'mode'), 'do': Key('steps', 'step', many=True)},
    ast.Condition: {
        'if': Key('condition', 'expression'),
        'then': Key('then', 'step', many=True),
        'else': Key('otherwise', 'step', many=True),
        **_LABEL,
    },
    ast.Reverse: {'reverse': Key('target', 'target'), **_LABEL},
}

SHORT: dict[type[ast.Node], str] = {
    ast.Constant: 'value',
    ast.Group: '',
    ast.Interrupt: 'if',
    ast.Emission: '',
    ast.Guard: 'if',
}
"""Where one value can stand for a mapping with only this key; with '' it always does."""
