"""What experimenters may ask of ARS MAGNA, apart from robots and their programs (§1.11, §8.2)."""

from collections.abc import Callable
from typing import Any

from std_srvs.srv import Trigger
from walking_robots_interfaces.srv import ArsEditThing, ArsListThings, ArsSetPose

from walking_robots.ars_magna.inputs import normal_name
from walking_robots.ars_magna.simulation.experimenter import Experimenter
from walking_robots.ars_magna.simulation.placing import Inside, Location
from walking_robots.ars_magna.simulation.simulator import Simulator
from walking_robots.nodes.ars_magna.conversions import value_from_msg
from walking_robots.nodes.ars_magna.parameters import ArsParameters
from walking_robots.nodes.ars_magna.truth_conversions import thing_to_msg
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
        for kind, name, answer in (
            (Trigger, 'clean', self._clean),
            (Trigger, 'dirty', self._dirty),
            (Trigger, 'flush_messages', self._flush),
            (ArsSetPose, 'set_pose', self._set_pose),
            (ArsListThings, 'things', self._things),
            (ArsEditThing, 'new_thing', self._new_thing),
            (ArsEditThing, 'set_attributes', self._set_attributes),
            (ArsEditThing, 'move_thing', self._move_thing),
        ):
            node.create_service(kind, f'admin/{name}', answer)

    # Noise and messages

    def _clean(self, request: Any, response: Any) -> Any:
        self._experimenter.clean()
        return self._said(response, 'there is no noise')

    def _dirty(self, request: Any, response: Any) -> Any:
        self._experimenter.dirty()
        return self._said(response, 'noise is as it was before')

    def _said(self, response: Any, sentence: str) -> Any:
        self._own.show(self._experimenter.parameters)
        response.success, response.message = True, sentence
        return response

    def _flush(self, request: Any, response: Any) -> Any:
        self._forget()
        response.success, response.message = True, 'messages so far are forgotten'
        return response

    # Robots and things

    def _set_pose(self, request: Any, response: Any) -> Any:
        def put() -> None:
            if len(request.position) not in (0, 2) or len(request.angle) > 1:
                raise ValueError('give x and y, an angle, or both')
            position = (request.position[0], request.position[1]) if request.position else None
            angle = request.angle[0] if request.angle else None
            self._experimenter.set_pose(request.robot, position, angle)

        return self._tried(response, put)

    def _things(self, request: Any, response: Any) -> Any:
        name = normal_name(request.name)
        response.tick = self._simulator.now
        response.things = [
            thing_to_msg(thing, attributes=True)
            for thing in self._experimenter.things()
            if not name or name in (thing.name, normal_name(thing.label))
        ]
        return response

    def _new_thing(self, request: Any, response: Any) -> Any:
        def make() -> str:
            attributes = {entry.name: value_from_msg(entry) for entry in request.attributes}
            return self._experimenter.new_thing(
                request.thing, _location(request), attributes, request.prototype or None
            )

        return self._edited(response, make)

    def _set_attributes(self, request: Any, response: Any) -> Any:
        def change() -> str:
            attributes = {entry.name: value_from_msg(entry) for entry in request.attributes}
            label = self._experimenter.thing(request.thing).label
            self._experimenter.set_attributes(label, attributes)
            return label

        return self._edited(response, change)

    def _move_thing(self, request: Any, response: Any) -> Any:
        def move() -> str:
            label = self._experimenter.thing(request.thing).label
            self._experimenter.move_thing(label, _location(request))
            return label

        return self._edited(response, move)

    def _edited(self, response: Any, edit: Callable[[], str]) -> Any:
        """Edit a thing and return it."""

        def act() -> None:
            thing = self._experimenter.thing(edit())
            response.thing = thing_to_msg(thing, attributes=True)

        return self._tried(response, act)

    def _tried(self, response: Any, act: Callable[[], None]) -> Any:
        try:
            act()
        except ValueError as error:
            response.success, response.message = False, str(error)
            return response
        self._shown()
        response.success, response.message = True, 'done'
        return response


def _location(request: Any) -> Location:
    return Inside(request.inside) if request.inside else (request.x, request.y)
