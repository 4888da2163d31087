"""Read YAML text safely and remember on which line each value stands."""

from dataclasses import dataclass
from typing import Any

import yaml

DEEPEST = 20

_Loader: type[Any] = getattr(yaml, 'CSafeLoader', yaml.SafeLoader)


class MarkupError(ValueError):
    """Say on which line (from 1) the text is not acceptable YAML, and why."""

    def __init__(self, line: int, reason: str) -> None:
        """Keep line and reason apart, so that the caller can name its file between them."""
        super().__init__(f'line {line}: {reason}')
        self.line = line
        self.reason = reason


@dataclass(frozen=True)
class Document:
    """Hold the content of a YAML text with the node tree that knows the lines."""

    content: Any
    root: yaml.Node | None

    def knows(self, part: str | int) -> bool:
        """Return whether `part` can be a place in the text and not a name of the checker's own."""
        return isinstance(part, int) or (self.root is not None and part in _keys(self.root))

    def line(self, place: tuple[str | int, ...]) -> int:
        """Return the line (from 1) of the value at `place`, or of the nearest value around it."""
        node = self.root
        line = 1 if node is None else node.start_mark.line + 1
        for part in place:
            if isinstance(node, yaml.MappingNode):
                pair = next((p for p in node.value if p[0].value == str(part)), None)
                if pair is None:
                    break
                # A value on the lines below its key is looked for at the key.
                line, node = pair[0].start_mark.line + 1, pair[1]
            elif isinstance(node, yaml.SequenceNode) and isinstance(part, int):
                if not 0 <= part < len(node.value):
                    break
                node = node.value[part]
                line = node.start_mark.line + 1
            else:
                break
        return line


def _keys(node: yaml.Node) -> set[str]:
    """Return the keys of all mappings in the upper levels of the tree."""
    keys: set[str] = set()
    level = [node]
    for _ in range(5):
        below: list[yaml.Node] = []
        for item in level:
            if isinstance(item, yaml.MappingNode):
                keys.update(key.value for key, _ in item.value if isinstance(key.value, str))
                below.extend(value for _, value in item.value)
            elif isinstance(item, yaml.SequenceNode):
                below.extend(item.value)
        level = below
    return keys


def read_markup(text: str) -> Document:
    """Read one YAML document with plain values only.

    Raises MarkupError for wrong syntax, aliases, doubled keys, foreign tags and deep nesting, so
    that reading costs no more than the length of the text.
    """
    try:
        _check_events(text)
        loader = _Loader(text)
        try:
            root = loader.get_single_node()
            content = None if root is None else loader.construct_document(root)
        finally:
            loader.dispose()
    except yaml.reader.ReaderError as error:
        raise MarkupError(
            _line_at(text, error.position), 'holds a character that YAML does not allow; remove it'
        ) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = ' '.join((error.problem or 'wrong syntax').split())
        raise MarkupError(
            mark.line + 1 if mark else 1,
            f'is not valid YAML ({problem[:120]}); mend the syntax there',
        ) from None
    # What the library's own constructors stumble over, such as '!!int' before nothing.
    except (
        yaml.YAMLError,
        ValueError,
        TypeError,
        ArithmeticError,
        AttributeError,
        LookupError,
    ) as error:
        if isinstance(error, MarkupError):
            raise
        raise MarkupError(
            1, 'holds a value that YAML cannot express; write plain numbers and text'
        ) from None
    return Document(content, root)


def _check_events(text: str) -> None:
    """Refuse aliases, deep nesting and doubled keys before any value is made."""
    depth = 0
    open_keys: list[set[str] | None] = []
    expecting_key: list[bool] = []
    for event in yaml.parse(text, Loader=_Loader):
        line = event.start_mark.line + 1 if event.start_mark else 1
        if isinstance(event, yaml.AliasEvent):
            raise MarkupError(line, 'uses an alias (*name); write the value out')
        if isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
            open_keys.pop()
            expecting_key.pop()
            _value_read(expecting_key)
        elif isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > DEEPEST:
                raise MarkupError(line, f'nests deeper than {DEEPEST} levels; write it flatter')
            open_keys.append(set() if isinstance(event, yaml.MappingStartEvent) else None)
            expecting_key.append(True)
        elif isinstance(event, yaml.ScalarEvent):
            keys = open_keys[-1] if open_keys else None
            if keys is not None and expecting_key[-1]:
                if event.value in keys:
                    raise MarkupError(line, f"names '{event.value[:40]}' twice; keep one of them")
                keys.add(event.value)
            _value_read(expecting_key)


def _value_read(expecting_key: list[bool]) -> None:
    """Note that a key or a value of the innermost open mapping is complete."""
    if expecting_key:
        expecting_key[-1] = not expecting_key[-1]


def _line_at(text: str, position: int) -> int:
    """Return the line (from 1) of a character position."""
    return text.count('\n', 0, position) + 1
