"""The leg servo: what a gait wants of the legs in, joint commands out."""

from typing import Any

from walking_robots.nodes.common.health import OK, Health, waiting
from walking_robots.nodes.common.running import run_node
from walking_robots.nodes.hexapod.feet_servo import FeetServo
from walking_robots.nodes.hexapod.foothold_servo import RuleServo
from walking_robots.nodes.hexapod.servo_node import ServoNode


class LegServoNode(ServoNode):
    """Moves the joints as a gait commands: by footholds in the free gait, by feet otherwise."""

    def __init__(self, **options: Any) -> None:
        """Wait for the first state, by which the servo takes over the legs."""
        super().__init__(**options)
        self._servo = RuleServo(self) if self.hexapod.free else FeetServo(self)

    def rest(self, why: str) -> None:
        """Hold the joints where they are."""
        self._servo.hold()

    def health(self) -> Health:
        """Return what the servo waits for."""
        dt = self.hexapod.dt
        for synchronizer in self._servo.inputs:
            found = waiting(synchronizer, dt, self._servo.SOURCES)
            if found is not None:
                return found
        return OK, f'step {round(self._servo.answered * 1e-9 / dt)}'


def main() -> int:
    """Run the node as a process."""
    return run_node(LegServoNode)
