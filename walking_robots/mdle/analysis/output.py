"""Diagnostics as text, JSON and SARIF."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from walking_robots.mdle.language.diagnostics import Diagnostic

__all__ = ['finite', 'plain', 'sarif', 'text']

SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json'
LEVELS = {'error': 'error', 'warning': 'warning', 'information': 'note'}


def text(diagnostics: Sequence[Diagnostic], file: str) -> str:
    """Give one line for each diagnostic."""
    return '\n'.join(d.line(file) for d in diagnostics)


def plain(diagnostic: Diagnostic) -> dict[str, Any]:
    """Give a diagnostic as plain data."""
    return {
        'line': diagnostic.place.line,
        'column': diagnostic.place.column,
        'code': diagnostic.code,
        'severity': diagnostic.severity,
        'text': diagnostic.text,
        'element': diagnostic.element,
        'hint': diagnostic.hint,
    }


def finite(values: Mapping[str, Any]) -> dict[str, Any]:
    """Give numbers as JSON can hold them; an infinite one is None."""
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in values.items()
    }


def sarif(diagnostics: Sequence[Diagnostic], file: str) -> dict[str, Any]:
    """Give a SARIF 2.1.0 log of one run of the checker."""
    codes = sorted({d.code for d in diagnostics})
    return {
        '$schema': SCHEMA,
        'version': '2.1.0',
        'runs': [
            {
                'tool': {'driver': {'name': 'mdle check', 'rules': [{'id': c} for c in codes]}},
                'columnKind': 'unicodeCodePoints',
                'results': [_result(d, file, codes) for d in diagnostics],
            }
        ],
    }


def _result(diagnostic: Diagnostic, file: str, codes: list[str]) -> dict[str, Any]:
    hint = f' ({diagnostic.hint})' if diagnostic.hint else ''
    location: dict[str, Any] = {
        'physicalLocation': {
            'artifactLocation': {'uri': file},
            # SARIF counts from 1; what has no place stands at the beginning.
            'region': {
                'startLine': max(1, diagnostic.place.line),
                'startColumn': max(1, diagnostic.place.column),
            },
        }
    }
    if diagnostic.element:
        location['logicalLocations'] = [{'fullyQualifiedName': diagnostic.element}]
    return {
        'ruleId': diagnostic.code,
        'ruleIndex': codes.index(diagnostic.code),
        'level': LEVELS[diagnostic.severity],
        'message': {'text': diagnostic.text + hint},
        'locations': [location],
    }
