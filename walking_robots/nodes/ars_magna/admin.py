"""Services of ARS MAGNA for experimenters, apart from robots and their programs (§1.11, §8.2)."""

from collections.abc import Callable
from functools import partial
from typing import Any

from std_srvs.srv import Trigger
from walking_robots_interfaces.srv import ArsEditThing, ArsListThings, ArsSetPose

from walking_robots.ars_magna.inputs import normal_name
from walking_robots.ars_magna.simulation.experimenter import Experimenter, Inside, Location
from walking_robots.ars_magna.simulation.simulator import Simulator
from walking_robots.nodes.ars_magna.conversions import thing_to_msg, value_from_msg
from walking_robots.nodes.ars_magna.parameters import ArsParameters
from walking_robots.nodes.common.node import GraphNode


class Admin:
    """The services below ``admin``; what they change counts from the next tick on."""

    def __init__(
        self,
        node: GraphNode,
        own: ArsParameters,
        simulator: Simulator,
        forget: Callable[[], None],
        shown: Callable[[], None],
    ) -> None:
        """Offer them on ``node``.

        forget: forgets the messages so far; shown: is called when something has changed.
        """
        self._own, self._simulator = own, simulator
        self._forget, self._shown = forget, shown
        self._experimenter = Experimenter(simulator)
        for kind, name, act in (
            (Trigger, 'clean', self._clean),
            (Trigger, 'dirty', self._dirty),
            (Trigger, 'flush_messages', self._flush),
            (ArsSetPose, 'set_pose', self._set_pose),
            (ArsListThings, 'things', self._things),
        ):
            node.provide(kind, f'admin/{name}', act)
        for name, edit in (
            ('new_thing', self._new_thing),
            ('set_attributes', self._set_attributes),
            ('move_thing', self._move_thing),
        ):
            node.provide(ArsEditThing, f'admin/{name}', partial(self._edit, edit))

    def _edit(self, edit: Callable[[Any], str], request: Any, response: Any) -> str:
        """Edit a thing, and give it."""
        label = edit(request)
        response.thing = thing_to_msg(self._experimenter.thing(label), attributes=True)
        self._shown()
        return 'done'

    # Noise and messages

    def _clean(self, request: Any, response: Any) -> str:
        self._experimenter.clean()
        self._own.show(self._experimenter.parameters)
        return 'there is no noise'

    def _dirty(self, request: Any, response: Any) -> str:
        self._experimenter.dirty()
        self._own.show(self._experimenter.parameters)
        return 'noise is as it was before'

    def _flush(self, request: Any, response: Any) -> str:
        self._forget()
        return 'messages so far are forgotten'

    # Robots and things

    def _set_pose(self, request: Any, response: Any) -> str:
        if len(request.position) not in (0, 2) or len(request.angle) > 1:
            raise ValueError('give x and y, an angle, or both')
        position = (request.position[0], request.position[1]) if request.position else None
        angle = request.angle[0] if request.angle else None
        self._experimenter.set_pose(request.robot, position, angle)
        self._shown()
        return 'done'

    def _things(self, request: Any, response: Any) -> None:
        name = normal_name(request.name)
        response.tick = self._simulator.now
        response.things = [
            thing_to_msg(thing, attributes=True)
            for thing in self._experimenter.things()
            if not name or name in (thing.name, normal_name(thing.label))
        ]

    def _new_thing(self, request: Any) -> str:
        return self._experimenter.new_thing(
            request.thing, _location(request), _attributes(request), request.prototype or None
        )

    def _set_attributes(self, request: Any) -> str:
        label = self._experimenter.thing(request.thing).label
        self._experimenter.set_attributes(label, _attributes(request))
        return label

    def _move_thing(self, request: Any) -> str:
        label = self._experimenter.thing(request.thing).label
        self._experimenter.move_thing(label, _location(request))
        return label


def _attributes(request: Any) -> dict[str, Any]:
    return {entry.name: value_from_msg(entry) for entry in request.attributes}


def _location(request: Any) -> Location:
    return Inside(request.inside) if request.inside else (request.x, request.y)
