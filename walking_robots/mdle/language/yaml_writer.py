"""Write a program in YAML, by the table that the reader goes through (yaml_schema.py)."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import yaml

from walking_robots.mdle.language import ast
from walking_robots.mdle.language.expression_printer import format_node
from walking_robots.mdle.language.yaml_schema import SCHEMA, SHORT

_Data = dict[str, Any]


class _Dumper(yaml.SafeDumper):
    """Writes words plain wherever YAML can read them back as written."""

    def ignore_aliases(self, data: Any) -> bool:
        """Write everything out."""
        return True

    def word(self, text: str) -> yaml.ScalarNode:
        """Represent a text with the tag that it has by itself, so that none is written."""
        resolve: Any = self.resolve
        tag = resolve(yaml.ScalarNode, text, (True, False)) if text else _STRING
        # Single quotes would fold what YAML takes for a line's end, and the next line's indent.
        return self.represent_scalar(tag, text, '"' if _LINE_ENDS & {*text} else None)


_LINE_ENDS = {'\x85', '\u2028', '\u2029'}
_STRING = 'tag:yaml.org,2002:str'
_Dumper.add_representer(str, _Dumper.word)


def write_yaml(program: ast.Program) -> str:
    """Write a program in YAML, without its comments.

    Raises ValueError for what the language has no words for.
    """
    text: str = yaml.dump(
        _node(program),
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=None,
        width=float('inf'),
    )
    return text


def _node(node: Any) -> Any:
    """Return what a node is in YAML; what is empty is left out."""
    data: _Data = {}
    if isinstance(node, ast.Run) and node.call is not None:
        data |= _call(node.call)
    for key, (field, codec, shape) in SCHEMA[type(node)].items():
        value = getattr(node, field)
        write: Callable[[Any], Any] = _CODECS.get(codec, format_node)
        if key == 'run' or (value in (None, (), '', False) and codec != 'target'):
            continue
        if shape == 'names':
            data[key] = _named(value, write)
        elif shape == 'list':
            written = [write(item) for item in value]
            data[key] = written[0] if codec is ast.Guard and len(written) == 1 else written
        elif codec != 'on_timeout' or value.action:
            data[key] = write(value)
    if isinstance(node, ast.Law) and node.vector is None:
        data['extern'] = node.extern
    if isinstance(node, ast.Parallel):
        data = {'par': data, **({'as': node.label} if node.label else {})}
    short = SHORT.get(type(node))
    return data[short] if short is not None and [*data] == [short] else data


def _named(nodes: Iterable[Any], write: Callable[[Any], Any]) -> Any:
    """Return a mapping, or where a name stands twice a list of mappings of one key each."""
    pairs = [(node.name, write(node)) for node in nodes]
    if max(Counter(name for name, _ in pairs).values()) > 1:
        return [{name: value} for name, value in pairs]
    return dict(pairs)


def _call(call: ast.Expression) -> _Data:
    if not isinstance(call, ast.Call):
        return {'run': format_node(call)}
    data: _Data = {'call': format_node(call.base)}
    names = [argument.name for argument in call.arguments]
    if names and all(names) and len(set(names)) == len(names):
        data['args'] = {item.name: _argument(item) for item in call.arguments}
    # A call of what a call gives has to say that it is one.
    elif names or isinstance(call.base, ast.Call):
        data['args'] = [
            {item.name: _argument(item)} if item.name else _argument(item)
            for item in call.arguments
        ]
    return data


def _argument(argument: ast.Argument) -> str:
    text = format_node(argument.value)
    return f'${text}' if isinstance(argument.value, ast.Name) else text


def _all(expressions: Iterable[ast.Expression]) -> list[str]:
    return [format_node(expression) for expression in expressions]


def _control(control: ast.Control) -> Any:
    if isinstance(control, ast.Segments):
        return _node(control)
    return format_node(control) if isinstance(control, ast.LawCall) else _all(control)


_CODECS: dict[Any, Callable[[Any], Any]] = {
    **dict.fromkeys(SCHEMA, _node),
    **dict.fromkeys(('mode', 'string', 'type', 'version', 'word'), str),
    **dict.fromkeys(('guard', 'step'), _node),
    **dict.fromkeys(('filters', 'vector'), _all),
    'control': _control,
    'flag': lambda flag: 'true',
    'imported': lambda item: format_node(item).removeprefix('import '),
    'on_timeout': lambda timeout: format_node(timeout.action),
    'target': lambda target: format_node(target) if target else 'last',
    'timeout': lambda timeout: format_node(timeout.duration),
    'typed': lambda item: format_node(item).removeprefix(f'{item.name}: '),
}
"""How a value is written, by the codecs of yaml_schema.py; others are texts in the language."""
