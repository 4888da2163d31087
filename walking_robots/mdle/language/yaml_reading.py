"""Make a program of YAML nodes; the keys are those of yaml_form.py."""

from collections.abc import Callable
from typing import Any, Literal, TypeVar

from walking_robots.mdle.language.expressions import Call, Expression, Place
from walking_robots.mdle.language.program import (
    Atom,
    Cause,
    Condition,
    Constant,
    Control,
    Emission,
    Encapsulation,
    Filter,
    Group,
    Guard,
    Handler,
    Import,
    Interrupt,
    Law,
    LawCall,
    Loop,
    Parallel,
    Program,
    Reverse,
    Run,
    Scale,
    Segment,
    Segments,
    Step,
    Timeout,
)
from walking_robots.mdle.language.yaml_fields import UNKNOWN, Fields, Named, Notes
from walking_robots.mdle.language.yaml_nodes import Listing, Mapping, Node, Scalar

__all__ = ['Reading']

_PROGRAM = (
    'mdle', 'imports', 'constants', 'groups', 'interrupts', 'laws', 'atoms', 'behaviors', 'plans',
)  # fmt: skip
_ATOM = (
    'on', 'params', 'outs', 'control', 'until', 'timeout', 'on_timeout', 'emit', 'needs',
    'irreversible',
)  # fmt: skip
_CONTAINER = (
    'params', 'outs', 'until', 'timeout', 'on_timeout', 'loop', 'on', 'finally', 'requires', 'do',
)  # fmt: skip
_RUN = ('as', 'out', 'scale', 'until', 'timeout', 'on_timeout', 'times')
_STEPS = {
    'call': ('call', 'args', *_RUN),
    'run': ('run', *_RUN),
    'do': ('do', *_RUN),
    'par': ('par', 'as'),
    'if': ('if', 'then', 'else', 'as'),
    'reverse': ('reverse', 'as'),
}

Found = TypeVar('Found')


class Reading(Notes):
    """Reads a program; what was wrong with it is in ``found`` afterwards."""

    def program(self, root: Node) -> Program:
        """Read the whole."""
        fields = self.fields(root, 'the program', _PROGRAM)
        start = Place(1, 1)
        version = self.text(fields.get('mdle'), root.place, "'mdle: 1'")
        if version not in ('', '1'):
            text = f'language version {version[:20]} not supported (1)'
            self.wrong(fields['mdle'].place, text, code='E102')

        def each(key: str, read: Callable[[Named], Found]) -> tuple[Found, ...]:
            return tuple(read(item) for item in self.named(fields.get(key), key))

        return Program(
            1,
            tuple(self.importation(item, start) for item in self.listed(fields.get('imports'))),
            each('constants', self.constant),
            each('groups', self.group),
            each('interrupts', self.interrupt),
            each('laws', self.law),
            each('atoms', self.atom),
            each('behaviors', lambda item: self.container('behavior', item)),
            each('plans', lambda item: self.container('plan', item)),
        )

    def importation(self, node: Node, missing: Place) -> Import:
        """Read an import."""
        text = self.text(node, missing, 'an import')
        path, _, alias = text.partition(' as ')
        if alias:
            line, column = node.place
            self.name(Scalar(Place(line, column + len(path) + 4), alias.strip()))
        found: tuple[str, ...] = self.source('path', path, node.place, ('',)) if text else ('',)
        return Import(found, alias.strip(), node.place)

    def constant(self, item: Named) -> Constant:
        """Read a constant."""
        name, node, place = item
        if not isinstance(node, Mapping):
            return Constant(name, '', self.expression(node), place)
        fields = self.fields(node, f"constant '{name}'", ('type', 'value'))
        type_ = self.fragment('type', fields.get('type'), place, '')
        return Constant(name, type_, self.expression(fields.get('value'), place), place)

    def group(self, item: Named) -> Group:
        """Read a group of robots."""
        members = tuple(self.name(member) for member in self.listed(item.value))
        if not members:
            self.wrong(item.value.place, f"group '{item.name}' has no members")
        return Group(item.name, members, item.place)

    def interrupt(self, item: Named) -> Interrupt:
        """Read a named condition."""
        name, node, place = item
        if not isinstance(node, Mapping):
            return Interrupt(name, (), self.expression(node), (), place)
        fields = self.fields(node, f"interrupt '{name}'", ('params', 'if', 'with'))
        filters: list[Filter] = []
        for part in self.listed(fields.get('with')):
            filters += self.fragment('filters', part, place, ())
        parameters = self.parameters(fields.get('params'), 'params')
        condition = self.expression(fields.get('if'), place)
        return Interrupt(name, parameters, condition, tuple(filters), place)

    def law(self, item: Named) -> Law:
        """Read a law."""
        name, node, place = item
        fields = self.fields(node, f"law '{name}'", ('params', 'on', 'u', 'extern'))
        parameters = self.parameters(fields.get('params'), 'params')
        space = self.name(fields.get('on'), place, "'on'")
        if 'extern' in fields:
            if 'u' in fields:
                self.wrong(fields['u'].place, f"law '{name}' has both 'u' and 'extern'")
            return Law(name, parameters, space, None, self.text(fields['extern']), place)
        return Law(name, parameters, space, self.vector(fields.get('u'), place), '', place)

    def atom(self, item: Named) -> Atom:
        """Read an atom."""
        name, node, place = item
        fields = self.fields(node, f"atom '{name}'", _ATOM)
        irreversible = fields.get('irreversible')
        return Atom(
            name,
            self.name(fields.get('on'), place, "'on'"),
            self.parameters(fields.get('params'), 'params'),
            self.parameters(fields.get('outs'), 'outs'),
            self.control(fields['control'], place) if 'control' in fields else None,
            self.guards(fields),
            self.timeout(fields),
            tuple(
                Emission(name, self.expression(value), at)
                for name, value, at in self.named(fields.get('emit'), 'emit')
            ),
            tuple(self.primary(part) for part in self.listed(fields.get('needs'))),
            self.truth(irreversible) if irreversible else False,
            place,
        )

    def truth(self, node: Node) -> bool:
        """Read ``true`` or ``false``."""
        text = self.text(node)
        if text not in ('true', 'false'):
            self.wrong(node.place, "this has to be 'true' or 'false'")
        return text == 'true'

    def control(self, node: Node, missing: Place) -> Control:
        """Read a control: a law, a vector, or segments."""
        if isinstance(node, Scalar):
            return LawCall(self.primary(node))
        if isinstance(node, Listing):
            return self.vector(node, missing)
        fields = self.fields(node, 'control', ('segments',))
        segments: list[Segment] = []
        for item in self.listed(fields.get('segments')):
            parts = self.fields(item, 'a segment', ('u', 'for'))
            vector = self.vector(parts.get('u'), item.place)
            segments.append(
                Segment(vector, self.expression(parts.get('for'), item.place), item.place)
            )
        if not segments:
            self.wrong(node.place, 'a control needs a segment')
        return Segments(tuple(segments))

    def guards(self, fields: Fields) -> tuple[Guard, ...]:
        """Read what ends an element: expressions, and with an action ``{if:, then:}``."""
        found: list[Guard] = []
        for node in self.listed(fields.get('until')):
            if isinstance(node, Mapping):
                parts = self.fields(node, 'until', ('if', 'then'))
                action = self.action(parts['then']) if 'then' in parts else None
                found.append(
                    Guard(self.expression(parts.get('if'), node.place), action, node.place)
                )
            else:
                found.append(Guard(self.expression(node), None, node.place))
        return tuple(found)

    def timeout(self, fields: Fields) -> Timeout | None:
        """Read the timer of an element."""
        node, action = fields.get('timeout'), fields.get('on_timeout')
        if node is None:
            if action is not None:
                self.wrong(action.place, "there is an 'on_timeout' and no 'timeout'")
            return None
        after = None if action is None else self.action(action)
        return Timeout(self.expression(node), after, node.place)

    def container(self, kind: Literal['behavior', 'plan'], item: Named) -> Encapsulation:
        """Read a behavior or a plan."""
        name, node, place = item
        what = f"{kind} '{name}'"
        fields = self.fields(node, what, _CONTAINER)
        return Encapsulation(
            kind,
            name,
            self.steps(fields.get('do'), place, what),
            self.parameters(fields.get('params'), 'params'),
            self.parameters(fields.get('outs'), 'outs'),
            self.guards(fields),
            self.timeout(fields),
            self.loop(fields['loop']) if 'loop' in fields else None,
            tuple(self.handler(part) for part in self.listed(fields.get('on'))),
            tuple(self.primary(part) for part in self.listed(fields.get('finally'))),
            tuple(self.primary(part) for part in self.listed(fields.get('requires'))),
            place,
        )

    def loop(self, node: Node) -> Loop:
        """Read ``forever``, a number, or ``while`` with a condition."""
        found: Loop = self.fragment('repetition', node, node.place, Loop('forever'))
        return found

    def handler(self, node: Node) -> Handler:
        """Read a handler."""
        fields = self.fields(node, 'on', ('cause', 'do'))
        cause: Cause = self.fragment('cause', fields.get('cause'), node.place, Cause('fail'))
        return Handler(cause, self.action(fields.get('do'), node.place), node.place)

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
            return Parallel(mode, self.steps(parts.get('do'), place, 'par'), label, place)
        if kind == 'if':
            condition = self.expression(fields['if'])
            then = self.steps(fields.get('then'), place, "'then'")
            other = self.steps(fields['else'], place, "'else'") if 'else' in fields else ()
            return Condition(condition, then, other, label, place)
        if kind == 'reverse':
            node = fields['reverse']
            last = isinstance(node, Scalar) and node.text == 'last'
            return Reverse(None if last else self.primary(node), label, place)
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
            place,
        )

    def call(self, fields: Fields) -> Expression:
        """Read a call with its arguments by name, by position, or both in a list."""
        base, given = self.primary(fields['call']), fields.get('args')
        if given is None:
            whole = isinstance(base, Call) or base is UNKNOWN
            return base if whole else Call(base, (), base.place)
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
        return Call(base, tuple(arguments), base.place)

    def scale(self, node: Node) -> Scale:
        """Read the factors of a step."""
        fields = self.fields(node, 'scale', ('alpha', 'beta'))
        beta = self.expression(fields['beta']) if 'beta' in fields else None
        return Scale(self.vector(fields.get('alpha'), node.place), beta, node.place)

    def times(self, node: Node) -> Loop:
        """Read how often a step runs."""
        loop = self.loop(node)
        if loop.kind == 'while':
            hint = "put 'loop' into a behavior instead"
            self.wrong(node.place, "'times' has to be 'forever' or a number", hint)
        return loop
