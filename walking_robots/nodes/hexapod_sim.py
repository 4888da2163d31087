"""The simulated hexapod: joint commands in; joints, body, foot switches and time out."""

import sys
from typing import Any

from std_srvs.srv import SetBool, Trigger
from walking_robots_interfaces.msg import JointCommand, TerrainPatch

from walking_robots.nodes import convert
from walking_robots.nodes.base import GraphNode, RefusedError
from walking_robots.nodes.health import OK, WARN, Health
from walking_robots.nodes.hexapods import declare_hexapod
from walking_robots.nodes.patches import Patches
from walking_robots.nodes.qos import LATCHED
from walking_robots.nodes.running import run_node
from walking_robots.nodes.sim_messages import StatePublisher
from walking_robots.simulation.kinematic_hexapod import CarriedHexapod

PATIENCE = 0.2
"""Wall time, s, after which the present state is published again."""

LAG = 0.5
"""Most wall time, s, that a paced simulation makes up for."""


class HexapodSim(GraphNode):
    """Steps the backend, in lock-step with the answers to its states or by the wall clock.

    While it is paused it shows its state but withholds the foot switches, without which no
    node of the loop goes on: whatever is commanded before it goes on counts from that step.
    """

    def __init__(self, **options: Any) -> None:
        """Stand the robot on the terrain as soon as there is one."""
        super().__init__('hexapod_sim', **options)
        self._hexapod = declare_hexapod(self)
        self._lock_step: bool = self.parameter(
            'lock_step', True, 'advance when the answer to the present state is in', fixed=True
        )
        self._factor: float = self.parameter(
            'real_time_factor', 1.0, 'simulated time per wall time, 0: as fast as possible',
            low=0.0, high=1000.0,
        )  # fmt: skip
        if not self._lock_step and not self._factor:
            raise RefusedError(
                'hexapod_sim: real_time_factor must not be 0 where lock_step is false.'
            )
        self._paused: bool = self.parameter('start_paused', False, 'wait for ~/pause', fixed=True)
        described = self.parameter(
            'publish_description', False, 'publish robot_description, where no other node does',
            fixed=True,
        )  # fmt: skip
        x, y = self._hexapod.start
        far: dict[str, Any] = {'low': -1000.0, 'high': 1000.0, 'fixed': True}
        self._start = (
            self.parameter('start_x', x, 'x at which the body begins', 'm', **far),
            self.parameter('start_y', y, 'y at which the body begins', 'm', **far),
        )
        self._dt = self._hexapod.dt
        self._step_time = round(self._dt * 1e9)
        self._names = list(self._hexapod.joint_names)
        self._patches = Patches()
        self._backend: CarriedHexapod | None = None
        self._count = 0
        self._answer: convert.Array | None = None
        self._single = False
        self._due = self._shown = self._advanced = self.now()
        self._messages = StatePublisher(self, self._hexapod, description=described)
        self.listen(TerrainPatch, 'terrain/elevation', self._stand_on, LATCHED)
        self.listen(JointCommand, 'joint_command', self._command)
        self.create_service(SetBool, '~/pause', self._pause)
        self.create_service(Trigger, '~/step', self._one_step)
        self.create_service(Trigger, '~/reset', self._reset)
        self.create_timer(0.5 * PATIENCE, self._remind, clock=self.steady)
        self._pace = self.create_timer(0.005, self._tick, clock=self.steady)
        self._set_pace()

    # What comes in

    def _stand_on(self, message: Any) -> None:
        terrain = self._patches.read(message)
        if self._backend is not None:
            self._backend.terrain = terrain
            return
        self._backend = self._hexapod.on(terrain, *self._start)
        self._due = self.now()
        self._messages.rest(self._backend.state)
        self._show()

    def _command(self, message: Any) -> None:
        if self._backend is None:
            return
        stamp = convert.nanoseconds(message)
        # A command for a state that has not been yet comes from before a reset.
        if stamp > self._stamp or (self._lock_step and stamp != self._stamp):
            return
        unknown = set(message.name).difference(self._names)
        if unknown:
            raise ValueError(f'joint {min(unknown)!r} is unknown')
        self._answer = convert.joints(message.name, message.position, self._names)
        if self._lock_step:
            self._advance_when_due()

    def _pause(self, request: Any, response: Any) -> Any:
        if self._paused and not request.data:
            self._paused = False
            self._due = self.now()
            self._invite()
        self._paused = request.data
        response.success = True
        response.message = f'paused at step {self._count}' if self._paused else 'goes on'
        return response

    def _one_step(self, request: Any, response: Any) -> Any:
        response.success = self._paused and self._backend is not None
        response.message = 'one step' if response.success else 'pause first'
        if response.success:
            self._single = True
            self._due = self.now()
            self._invite()
        return response

    def _reset(self, request: Any, response: Any) -> Any:
        response.success = self._backend is not None
        response.message = 'back at the start' if response.success else 'waits for a terrain'
        if self._backend is not None:
            self._count, self._answer, self._single = 0, None, False
            self._due = self.now()
            self._messages.rest(self._backend.reset())
            self._show()
        return response

    def changing(self, values: Any) -> None:
        """Refuse a free-running simulation without a pace."""
        if values.get('real_time_factor') == 0.0 and not self._lock_step:
            raise ValueError('real_time_factor must not be 0 where lock_step is false')

    def changed(self) -> None:
        """Take over a new real_time_factor."""
        self._factor = self.get_parameter('real_time_factor').value or 0.0
        self._set_pace()

    # Time

    @property
    def _stamp(self) -> int:
        return self._count * self._step_time

    @property
    def _goes(self) -> bool:
        return self._single or not self._paused

    def _set_pace(self) -> None:
        self._due = self.now()
        if self._factor or not self._lock_step:
            self._pace.reset()
        else:
            self._pace.cancel()
            self._advance_when_due()

    def _tick(self) -> None:
        if self._lock_step:
            self._advance_when_due()
        elif self._backend is not None and self._goes and self.now() >= self._due:
            self._advance()

    def _advance_when_due(self) -> None:
        if self._answer is not None and (not self._factor or self.now() >= self._due):
            self._advance()

    def _advance(self) -> None:
        backend, now = self._backend, self.now()
        if backend is None:
            return
        if self._factor:
            self._due = max(self._due, now - LAG) + self._dt / self._factor
        self._advanced = now
        old = backend.state
        if self._answer is not None:
            self._messages.move(old, backend.step(self._answer))
        else:
            self._messages.rest(old)
        self._answer, self._single = None, False
        self._count += 1
        self._show()

    # What goes out

    def _show(self) -> None:
        if self._backend is None:
            return
        self._shown = self.now()
        self._messages.show(self._backend.state, self._stamp)
        if self._goes:
            self._invite()

    def _invite(self) -> None:
        if self._backend is not None:
            self._messages.invite(self._backend.state, self._stamp)

    def _remind(self) -> None:
        quiet = self._backend is not None and self.now() - self._shown >= PATIENCE
        if quiet and self._answer is None and (self._lock_step or self._paused):
            self._show()

    def health(self) -> Health:
        """Tell what the simulation waits for."""
        if self._backend is None:
            return WARN, 'waits for terrain/elevation: is the terrain node running?'
        if self._paused:
            return OK, f'paused at step {self._count}'
        if self._lock_step and self.now() - self._advanced > 1.0:
            late = f'waits for joint_command of step {self._count}'
            return WARN, f'{late}: are the leg_servo and gait nodes running?'
        return OK, f'step {self._count}'


def main() -> int:
    """Run the node as a process."""
    return run_node(HexapodSim)


if __name__ == '__main__':
    sys.exit(main())
