"""Orders for the joints from servo modes, targets and forces of legs (biped.md §2.4, §2.5)."""

from collections.abc import Sequence

from walking_robots.gaits.biped.memory import JointOrders, Joints, Legs
from walking_robots.gaits.biped.parameters import WalkParameters
from walking_robots.gaits.biped.states import SETTLE, Servo, WalkPhase, modes_of
from walking_robots.gaits.biped.virtual_legs import VirtualLeg
from walking_robots.robots.impedance import LIMP, JointOrder
from walking_robots.robots.kwalk import LEFT, RIGHT, Kwalk


def within(target: float, found: float, room: float) -> float:
    """Return what is nearest to a target within ``room`` of what was found (§2.4)."""
    low, high = found - room, found + room
    if target <= low:
        return low
    return target if target < high else high


class JointServos:
    """Puts orders for the four joints of a robot; holds constants, remembers nothing."""

    def __init__(self, robot: Kwalk, parameters: WalkParameters, leg: VirtualLeg) -> None:
        """Derive damping and modes."""
        self._leg, self._parameters = leg, parameters
        self._damping = parameters.damping(robot)
        ways = parameters.ways
        self._modes = modes_of(
            balance_at_start=ways.balance_at_start,
            swing_hip_in_lift=ways.swing_hip_in_lift,
            carry_shank=ways.carry_shank,
            damped_hip=ways.lowering == 'damped',
        )
        self._most = robot.knee_effort

    def orders(
        self,
        phase: WalkPhase,
        half: int,
        joints: Joints,
        legs: Legs,
        hips: Sequence[float],
        knees: Sequence[float],
        forces: tuple[float, float],
    ) -> JointOrders:
        """Return the orders of a phase; half: the leg that carries.

        hips, knees: targets, right and left, rad or m; forces: of the legs, N.
        """
        modes, parameters, damping = self._modes[phase], self._parameters, self._damping
        down = parameters.lowering_damping
        stiffness, rate = parameters.knee_stiffness, damping.knee
        if phase <= SETTLE:
            stiffness, rate = parameters.start_knee_stiffness, damping.start_knee
        found = []
        for i in (RIGHT, LEFT):
            hip, knee = modes[:2] if i == half else modes[2:]
            found.append(_order(hip, hips[i], 0.0, parameters.hip_stiffness, damping.hip, down))
            push = within(self._leg.knee_effort(forces[i], legs[i].length), 0.0, self._most)
            target = within(knees[i], joints[2 * i + 1], self._most / stiffness)
            found.append(_order(knee, target, push, stiffness, rate, down))
        return (found[0], found[1], found[2], found[3])


def _order(
    mode: Servo, target: float, push: float, stiffness: float, damping: float, down: float
) -> JointOrder:
    """Return the order of a servo mode (§2.5)."""
    if mode == 'ff':
        return JointOrder(0.0, 0.0, 0.0, 0.0, push)
    if mode == 'pd':
        return JointOrder(target, 0.0, stiffness, damping)
    if mode == 'pd+ff':
        return JointOrder(target, 0.0, stiffness, damping, push)
    if mode == 'ff+damping':
        return JointOrder(0.0, 0.0, 0.0, down, push)
    return LIMP
