"""The names that elements have in paths."""

from collections import Counter

from walking_robots.mdle.knowledge.names import spelled
from walking_robots.mdle.language import ast

ONCE = ast.Loop('count', 1)
"""Repetitions of an element whose own actions a container of its own is to answer."""


def names_of(steps: tuple[ast.Step, ...]) -> tuple[str, ...]:
    """Return the names of steps in paths: its label, or what it runs; ``spin#2`` is the second."""
    seen: Counter[str] = Counter()
    names = []
    for step in steps:
        name = step.label or _name_of(step)
        seen[name] += 1
        names.append(f'{name}#{seen[name]}' if seen[name] > 1 else name)
    return tuple(names)


def called_name(call: ast.Expression) -> str:
    """Return the name that an element has in paths where a handler runs it."""
    return '.'.join(spelled(call)) or 'handler'


def _name_of(step: ast.Step) -> str:
    if isinstance(step, ast.Run):
        return '.'.join(spelled(step.call)) if step.call else 'group'
    return {ast.Parallel: 'par', ast.Condition: 'if', ast.Reverse: 'reverse'}[type(step)]
