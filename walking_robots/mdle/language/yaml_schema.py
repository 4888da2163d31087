"""The keys of the notation in YAML: which field of which node each stands for (mdle.md §4.18).

The reader and the writer go through the same table.
"""

from typing import Literal, NamedTuple

from walking_robots.mdle.language import ast


class Key(NamedTuple):
    """What a key stands for.

    codec: a rule of the grammar for a text, a class for a node, or what reader and writer have a
    function of that name for; shape: 'list' for a tuple of them, in YAML a list or a single one,
    'names' for a tuple of what has names, in YAML a mapping of these.
    """

    field: str
    codec: str | type[ast.Node]
    shape: Literal['one', 'list', 'names'] = 'one'


_PARAMETERS = {'params': Key('parameters', 'typed', 'names')}
_OUTPUTS = {'outs': Key('outputs', 'typed', 'names')}
_TIMEOUT = {'timeout': Key('timeout', 'timeout'), 'on_timeout': Key('timeout', 'on_timeout')}
_ENDINGS = {'until': Key('guards', ast.Guard, 'list'), **_TIMEOUT}
_LABEL = {'as': Key('label', 'word')}

SCHEMA: dict[type[ast.Node], dict[str, Key]] = {
    ast.Program: {
        'mdle': Key('version', 'version'),
        'imports': Key('imports', 'imported', 'list'),
        'constants': Key('constants', ast.Constant, 'names'),
        'groups': Key('groups', ast.Group, 'names'),
        'interrupts': Key('interrupts', ast.Interrupt, 'names'),
        'laws': Key('laws', ast.Law, 'names'),
        'atoms': Key('atoms', ast.Atom, 'names'),
        'behaviors': Key('behaviors', ast.Encapsulation, 'names'),
        'plans': Key('plans', ast.Encapsulation, 'names'),
    },
    ast.Constant: {'type': Key('type', 'type'), 'value': Key('value', 'expression')},
    ast.Group: {'': Key('members', 'word', 'list')},
    ast.Interrupt: {
        **_PARAMETERS,
        'if': Key('condition', 'expression'),
        'with': Key('filters', 'filters'),
    },
    ast.Law: {
        **_PARAMETERS,
        'on': Key('space', 'word'),
        'u': Key('vector', 'vector'),
        'extern': Key('extern', 'string'),
    },
    ast.Atom: {
        **_PARAMETERS,
        **_OUTPUTS,
        'on': Key('space', 'word'),
        'control': Key('control', 'control'),
        **_ENDINGS,
        'emit': Key('emissions', ast.Emission, 'names'),
        'needs': Key('needs', 'primary', 'list'),
        'irreversible': Key('irreversible', 'flag'),
    },
    ast.Encapsulation: {
        **_PARAMETERS,
        **_OUTPUTS,
        **_ENDINGS,
        'loop': Key('loop', 'repetition'),
        'on': Key('handlers', ast.Handler, 'list'),
        'finally': Key('cleanup', 'primary', 'list'),
        'requires': Key('requires', 'expression', 'list'),
        'do': Key('steps', 'step', 'list'),
    },
    ast.Emission: {'': Key('value', 'expression')},
    ast.Guard: {'if': Key('condition', 'expression'), 'then': Key('action', 'action')},
    ast.Handler: {'cause': Key('cause', 'cause'), 'do': Key('action', 'action')},
    ast.Segments: {'segments': Key('segments', ast.Segment, 'list')},
    ast.Segment: {'u': Key('vector', 'vector'), 'for': Key('duration', 'expression')},
    ast.Scale: {'alpha': Key('alpha', 'vector'), 'beta': Key('beta', 'expression')},
    ast.Run: {
        'run': Key('call', 'primary'),
        'do': Key('steps', 'step', 'list'),
        **_LABEL,
        'out': Key('output', 'word'),
        'scale': Key('scale', ast.Scale),
        'until': Key('guard', 'guard'),
        **_TIMEOUT,
        'times': Key('times', 'count'),
    },
    ast.Parallel: {'mode': Key('mode', 'mode'), 'do': Key('steps', 'step', 'list')},
    ast.Condition: {
        'if': Key('condition', 'expression'),
        'then': Key('then', 'step', 'list'),
        'else': Key('otherwise', 'step', 'list'),
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
