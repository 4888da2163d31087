"""Programs as JSON, and their digest (mdle.md §4.5); the schema is program.schema.json.

Every node is an object: ``node`` is its class, the other keys are its fields in ast.py. Places,
comments and the source are left out; infinity is the string 'inf'.
"""

import hashlib
import json
import math
from dataclasses import fields
from typing import Any

from walking_robots.mdle.language.ast import Node, Number, Program


def to_json(program: Program) -> dict[str, Any]:
    """Return a program as what JSON can hold."""
    data: dict[str, Any] = _encode(program)
    return data


def digest(program: Program) -> str:
    """Return the SHA-256 of a program: equal for programs that say the same, in hexadecimal."""
    text = json.dumps(to_json(program), sort_keys=True, separators=(',', ':'))
    return hashlib.sha256(text.encode('ascii')).hexdigest()


def _encode(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_encode(item) for item in value]
    if isinstance(value, float):
        # Without a zero below zero, which is equal to zero.
        return value + 0.0 if math.isfinite(value) else repr(value)
    if not isinstance(value, Node):
        return value
    encoded = {
        item.name: _encode(getattr(value, item.name)) for item in fields(value) if item.compare
    }
    if isinstance(value, Number):
        encoded['value'] = _encode(float(value.value))
    return {'node': type(value).__name__, **encoded}
