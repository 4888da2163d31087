"""Legs that do not follow are found, and those that are late or give way are not."""

import numpy as np

from walking_robots.legs.servo_faults import ASTRAY, LAG, PATIENCE, FaultDetector
from walking_robots.robots.articulated import Servo

DT = 0.02
STEPS = 200
IDEAL = Servo()


def commands() -> np.ndarray:
    """Return joints that swing to and fro by 0.3 rad, (STEPS, 6, 3)."""
    swing = 0.3 * np.sin(np.arange(STEPS) * DT * 2.0 * np.pi)
    return np.broadcast_to(swing[:, None, None], (STEPS, 6, 3)).copy()


def found(commanded: np.ndarray, measured: np.ndarray, servo: Servo = IDEAL) -> dict[int, float]:
    """Return when each leg, counted from 0, is found failed, s."""
    detector, times = FaultDetector(servo, DT), {}
    for step, (ordered, is_at) in enumerate(zip(commanded, measured, strict=True)):
        times |= dict.fromkeys(detector.add(ordered, is_at), step * DT)
    return times


def test_a_joint_that_is_stuck_is_found() -> None:
    ordered = commands()
    measured = ordered.copy()
    measured[50:, 3, 1] = measured[50, 3, 1]
    assert 1.0 + PATIENCE <= found(ordered, measured)[3] < 2.0


def test_a_servo_that_is_late_is_sound() -> None:
    ordered = commands()
    for servo in (Servo(), Servo(delay=0.1)):
        late = round((LAG + servo.delay) / DT)
        assert not found(ordered[late:], ordered[:-late], servo)
    measured = ordered[2 * late :].copy()
    measured[:, 2] = ordered[: -2 * late, 2]
    assert set(found(ordered[2 * late :], measured)) == {2}


def test_no_leg_is_blamed_where_none_moves() -> None:
    """As when the process of the servo stands still, or the power is off."""
    ordered = commands()
    measured = ordered.copy()
    measured[50:] = measured[50]
    assert not found(ordered, measured)
    # All legs but one are to stand.
    ordered[50:, :5] = ordered[50, :5]
    assert not found(ordered, measured)


def test_a_servo_that_gives_way_is_sound() -> None:
    ordered = commands()
    assert not found(ordered, ordered - 0.9 * ASTRAY * Servo.compliance)
    soft = Servo(compliance=0.2)
    assert not found(ordered, ordered - 0.9 * ASTRAY * soft.compliance, soft)
    assert not found(ordered, ordered - 0.9 * ASTRAY * 0.08 - 0.05, Servo(backlash=0.05))


def test_a_blow_that_is_over_soon_is_no_failure() -> None:
    ordered = commands()
    measured = ordered.copy()
    measured[50 : 50 + round(0.8 * PATIENCE / DT), 2, 0] += 0.5
    assert not found(ordered, measured)
