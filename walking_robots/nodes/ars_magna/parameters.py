"""The parameters of the node of ARS MAGNA, declared with range and unit."""

from collections.abc import Mapping
from typing import Any

from rclpy.parameter import Parameter

from walking_robots.ars_magna.design.files import load_design
from walking_robots.ars_magna.design.model import WorldDesign
from walking_robots.ars_magna.parameters import PARAMETERS, ParameterInfo, Parameters
from walking_robots.documents.shipped_worlds import A_WORLD, find_world
from walking_robots.nodes.common.node import ConfigurationError, GraphNode, one_of

LOCK_STEP, FREE_RUNNING = 'lock-step', 'free-running'
_DERIVED = ''
"""Stands for a value that is derived from others."""


def _reasonable(factor: float) -> None:
    """Refuse a factor of time with which the next tick would never come."""
    if 0.0 < factor < 0.001:
        raise ValueError(f'real_time_factor must be 0, or from 0.001 on, not {factor:g}')


class ArsParameters:
    """The parameters of a node: the world, time, and all of ars_magna.md §3.

    ``parameters`` are those of the simulation at the start; what is not set is as the world's
    file says.
    """

    def __init__(self, node: GraphNode) -> None:
        """Declare them and read the world; raise ConfigurationError for a wrong one."""
        self._node = node
        world = node.parameter(
            'world', '', 'world file, or the name of a shipped one; empty: big_room', fixed=True
        )
        definitions = node.parameter(
            'definitions', [''], 'more files of definitions, robots and parameters', fixed=True
        )
        self.seed: int = node.parameter(
            'seed', 0, 'of all noise', low=0, high=2**31 - 1, fixed=True
        )
        node.parameter(
            'mode',
            FREE_RUNNING,
            'free-running, or lock-step: only as admin/step asks',
            check=one_of('mode', (LOCK_STEP, FREE_RUNNING)),
        )
        node.parameter(
            'real_time_factor',
            1.0,
            'simulated time per wall time while free-running, 0: as fast as possible',
            low=0.0,
            high=1000.0,
            check=_reasonable,
        )
        try:
            self.design: WorldDesign = load_design(
                find_world(world or A_WORLD), *map(find_world, filter(None, definitions or ()))
            )
        except ValueError as error:
            raise ConfigurationError(f'{node.get_name()}: {str(error).rstrip(".")}.') from None
        for name, info in PARAMETERS.items():
            self._declare(name, info, getattr(self.design.parameters, name))
        try:
            self.parameters = self.in_force(self.design.parameters)
        except ValueError as error:
            raise ConfigurationError(f'{node.get_name()}: {error}.') from None

    def _declare(self, name: str, info: ParameterInfo, value: Any) -> None:
        """Declare one of the simulation's parameters; its default is what the world says."""
        number = info.kind in ('number', 'whole') and not info.optional
        self._node.parameter(
            name,
            _written(value),
            f'{info.meaning} ({info.id})' if info.id else info.meaning,
            info.unit,
            low=info.low if number else None,
            high=info.high if number else None,
            check=lambda found: _check(name, info, found),
            any_type=info.optional,
        )

    @property
    def mode(self) -> str:
        """Return how time passes."""
        return str(self._node.get_parameter('mode').value)

    @property
    def real_time_factor(self) -> float:
        """Return simulated time per wall time while free-running."""
        return float(self._node.get_parameter('real_time_factor').value or 0.0)

    def of_simulation(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return those of some values of the node that are the simulation's, as it takes them."""
        return _read({name: value for name, value in values.items() if name in PARAMETERS})

    def in_force(self, parameters: Parameters) -> Parameters:
        """Return the simulation's parameters with the values that the node's have."""
        values = {name: self._node.get_parameter(name).value for name in PARAMETERS}
        return parameters.with_values(**_read(values))

    def show(self, parameters: Parameters) -> None:
        """Set the node's parameters to what is in force."""
        changed = [
            Parameter(name, value=_written(getattr(parameters, name)))
            for name in PARAMETERS
            if self._node.get_parameter(name).value != _written(getattr(parameters, name))
        ]
        self._node.set_parameters_atomically(changed)


def _check(name: str, info: ParameterInfo, value: Any) -> None:
    try:
        info.checked(_read({name: value})[name])
    except ValueError as error:
        raise ValueError(f'parameter {name} {error}') from None


def _written(value: Any) -> Any:
    """Return a value as parameters of nodes hold it."""
    if value is None:
        return _DERIVED
    return list(value) if isinstance(value, tuple) else value


def _read(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values as the simulation takes them."""
    return {
        name: None if value == _DERIVED else value.tolist() if hasattr(value, 'tolist') else value
        for name, value in values.items()
    }
