"""Make a program of YAML nodes; the keys are those of yaml_form.py."""

from collections.abc import Callable
from typing import Literal, TypeVar

from walking_robots.mdle.language.ast import (
    Atom,
    Cause,
    Constant,
    Control,
    Emission,
    Encapsulation,
    Filter,
    Group,
    Handler,
    Import,
    Interrupt,
    Law,
    LawCall,
    Place,
    Program,
    Segment,
    Segments,
)
from walking_robots.mdle.language.yaml_fields import Named
from walking_robots.mdle.language.yaml_nodes import Listing, Mapping, Node, Scalar
from walking_robots.mdle.language.yaml_steps import StepNotes

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

Found = TypeVar('Found')


class Reading(StepNotes):
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
        return Import(found, alias.strip(), place=node.place)

    def constant(self, item: Named) -> Constant:
        """Read a constant."""
        name, node, place = item
        if not isinstance(node, Mapping):
            return Constant(name, '', self.expression(node), place=place)
        fields = self.fields(node, f"constant '{name}'", ('type', 'value'))
        type_ = self.fragment('type', fields.get('type'), place, '')
        return Constant(name, type_, self.expression(fields.get('value'), place), place=place)

    def group(self, item: Named) -> Group:
        """Read a group of robots."""
        members = tuple(self.name(member) for member in self.listed(item.value))
        if not members:
            self.wrong(item.value.place, f"group '{item.name}' has no members")
        return Group(item.name, members, place=item.place)

    def interrupt(self, item: Named) -> Interrupt:
        """Read a named condition."""
        name, node, place = item
        if not isinstance(node, Mapping):
            return Interrupt(name, (), self.expression(node), (), place=place)
        fields = self.fields(node, f"interrupt '{name}'", ('params', 'if', 'with'))
        filters: list[Filter] = []
        for part in self.listed(fields.get('with')):
            filters += self.fragment('filters', part, place, ())
        parameters = self.parameters(fields.get('params'), 'params')
        condition = self.expression(fields.get('if'), place)
        return Interrupt(name, parameters, condition, tuple(filters), place=place)

    def law(self, item: Named) -> Law:
        """Read a law."""
        name, node, place = item
        fields = self.fields(node, f"law '{name}'", ('params', 'on', 'u', 'extern'))
        parameters = self.parameters(fields.get('params'), 'params')
        space = self.name(fields.get('on'), place, "'on'")
        if 'extern' in fields:
            if 'u' in fields:
                self.wrong(fields['u'].place, f"law '{name}' has both 'u' and 'extern'")
            return Law(name, parameters, space, None, self.text(fields['extern']), place=place)
        return Law(name, parameters, space, self.vector(fields.get('u'), place), '', place=place)

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
                Emission(name, self.expression(value), place=at)
                for name, value, at in self.named(fields.get('emit'), 'emit')
            ),
            tuple(self.primary(part) for part in self.listed(fields.get('needs'))),
            self.truth(irreversible) if irreversible else False,
            place=place,
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
                Segment(vector, self.expression(parts.get('for'), item.place), place=item.place)
            )
        if not segments:
            self.wrong(node.place, 'a control needs a segment')
        return Segments(tuple(segments))

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
            place=place,
        )

    def handler(self, node: Node) -> Handler:
        """Read a handler."""
        fields = self.fields(node, 'on', ('cause', 'do'))
        cause: Cause = self.fragment('cause', fields.get('cause'), node.place, Cause('fail'))
        return Handler(cause, self.action(fields.get('do'), node.place), place=node.place)
