"""Make steps, and what ends them, of YAML nodes; the keys are those of yaml_form.py."""

from typing import Any

from walking_robots.mdle.language.ast import (
    Call,
    Condition,
    Expression,
    Guard,
    Loop,
    Parallel,
    Place,
    Reverse,
    Run,
    Scale,
    Step,
    Timeout,
)
from walking_robots.mdle.language.yaml_fields import UNKNOWN, Fields, Notes
from walking_robots.mdle.language.yaml_nodes import Mapping, Node, Scalar

_RUN = ('as', 'out', 'scale', 'until', 'timeout', 'on_timeout', 'times')
_STEPS = {
    'call': ('call', 'args', *_RUN),
    'run': ('run', *_RUN),
    'do': ('do', *_RUN),
    'par': ('par', 'as'),
    'if': ('if', 'then', 'else', 'as'),
    'reverse': ('reverse', 'as'),
}
_STEPS = {
    'call': ('call', 'args', *_RUN),
    'run': ('run', *_RUN),
    'do': ('do', *_RUN),
    'par': ('par', 'as'),
    'if': ('if', 'then', 'else', 'as'),
    'reverse': ('reverse', 'as'),
}


class StepNotes(Notes):
    """Reads steps, guards and timers besides values."""

    def guards(self, fields: Fields) -> tuple[Guard, ...]:
        """Read what ends an element: expressions, and with an action ``{if:, then:}``."""
        found: list[Guard] = []
        for node in self.listed(fields.get('until')):
            if isinstance(node, Mapping):
                parts = self.fields(node, 'until', ('if', 'then'))
                action = self.action(parts['then']) if 'then' in parts else None
                found.append(
                    Guard(self.expression(parts.get('if'), node.place), action, place=node.place)
                )
            else:
                found.append(Guard(self.expression(node), None, place=node.place))
        return tuple(found)

    def timeout(self, fields: Fields) -> Timeout | None:
        """Read the timer of an element."""
        node, action = fields.get('timeout'), fields.get('on_timeout')
        if node is None:
            if action is not None:
                self.wrong(action.place, "there is an 'on_timeout' and no 'timeout'")
            return None
        after = None if action is None else self.action(action)
        return Timeout(self.expression(node), after, place=node.place)

    def loop(self, node: Node) -> Loop:
        """Read ``forever``, a number, or ``while`` with a condition."""
        found: Loop = self.fragment('repetition', node, node.place, Loop('forever'))
        return found

    def steps(self, node: Node | None, missing: Place, what: str) -> tuple[Step, ...]:
        """Read the steps of a block."""
        found = tuple(self.step(item) for item in self.listed(node))
        if not found:
            self.wrong(
                node.place if node else missing, f'{what} has no steps', "list them in 'do'"
            )
        return found

    def step(self, node: Node) -> Step:
        """Read a step; its kind is the first of its keys that names one."""
        keys = [key.text for key, _ in node.pairs] if isinstance(node, Mapping) else []
        kind = next((key for key in keys if key in _STEPS), None)
        if kind is None:
            kinds = ', '.join(_STEPS)
            self.wrong(node.place, 'this is no step', f'write a mapping with one of {kinds}')
            return Reverse()
        fields = self.fields(node, f"a step '{kind}'", _STEPS[kind])
        label = self.name(fields['as']) if 'as' in fields else ''
        place = node.place
        if kind == 'par':
            parts = self.fields(fields['par'], 'par', ('mode', 'do'))
            mode: Any = self.text(parts.get('mode'), place, "'mode'")
            if mode not in ('all', 'any'):
                self.wrong(place, "the mode of 'par' has to be 'all' or 'any'")
            return Parallel(mode, self.steps(parts.get('do'), place, 'par'), label, place=place)
        if kind == 'if':
            condition = self.expression(fields['if'])
            then = self.steps(fields.get('then'), place, "'then'")
            other = self.steps(fields['else'], place, "'else'") if 'else' in fields else ()
            return Condition(condition, then, other, label, place=place)
        if kind == 'reverse':
            node = fields['reverse']
            last = isinstance(node, Scalar) and node.text == 'last'
            return Reverse(None if last else self.primary(node), label, place=place)
        return self.run(kind, fields, label, place)

    def run(self, kind: str, fields: Fields, label: str, place: Place) -> Run:
        """Read a step that runs an element or steps of its own."""
        call: Expression | None = None
        if kind != 'do':
            call = self.call(fields) if kind == 'call' else self.primary(fields['run'])
        guards = self.guards(fields)
        if len(guards) > 1:
            hint = "join them by 'or', or make a behavior of the step"
            self.wrong(guards[1].place, 'a step has one guard at most', hint)
        return Run(
            call,
            () if call else self.steps(fields['do'], place, "'do'"),
            label,
            self.name(fields['out']) if 'out' in fields else '',
            self.scale(fields['scale']) if 'scale' in fields else None,
            guards[0] if guards else None,
            self.timeout(fields),
            self.times(fields['times']) if 'times' in fields else None,
            place=place,
        )

    def call(self, fields: Fields) -> Expression:
        """Read a call with its arguments by name, by position, or both in a list."""
        base, given = self.primary(fields['call']), fields.get('args')
        if given is None:
            whole = isinstance(base, Call) or base is UNKNOWN
            return base if whole else Call(base, (), place=base.place)
        if isinstance(given, Mapping):
            named = self.named(given, 'args')
            arguments = [self.argument(value, name, place) for name, value, place in named]
        else:
            arguments = []
            for item in self.listed(given):
                if isinstance(item, Mapping):
                    named = self.named(item, 'args')
                    arguments += [self.argument(value, name, at) for name, value, at in named]
                else:
                    arguments.append(self.argument(item))
        return Call(base, tuple(arguments), place=base.place)

    def scale(self, node: Node) -> Scale:
        """Read the factors of a step."""
        fields = self.fields(node, 'scale', ('alpha', 'beta'))
        beta = self.expression(fields['beta']) if 'beta' in fields else None
        return Scale(self.vector(fields.get('alpha'), node.place), beta, place=node.place)

    def times(self, node: Node) -> Loop:
        """Read how often a step runs."""
        loop = self.loop(node)
        if loop.kind == 'while':
            hint = "put 'loop' into a behavior instead"
            self.wrong(node.place, "'times' has to be 'forever' or a number", hint)
        return loop
