"""Every fault of servos and their bus, idle, walking and starting, in simulated time."""

import math
from itertools import product

import pytest
from servo_stage import JOINTS, BusStage

from walking_robots.servos.report import BusPhase
from walking_robots.simulation.servos.faults import FAULTS, OF_BUS

SERVO = 8
SOON = 0.2
"""Time, s, after a lost bus within which the robot rests."""
TURN = 0.2
"""Time, s, in which a servo of the walk moves, even if it turns back in between."""
LOST = ('cut_cable', 'power_off')
"""Faults after which nobody answers."""
HALTING = ('hot', 'undervolted', 'dead', 'other_model', 'twin')
"""Faults of a servo that halt the robot within a round of looks at all servos."""
ROUND = 2 * len(JOINTS) * 0.02 + 0.2
STATES = ('idle', 'walking', 'starting')
CASES = [(*case, 1) for case in product(FAULTS, STATES, ('XL430-W250',))]
CASES += [(*case, 77) for case in product(FAULTS, STATES[1:], ('AX-12A',))]


@pytest.mark.parametrize(('fault', 'state', 'model', 'seed'), CASES)
def test_a_fault(fault: str, state: str, model: str, seed: int) -> None:
    stage = BusStage(model, seed)
    walking = state != 'idle'
    name = fault if fault in OF_BUS else f'{fault}:{SERVO}'
    if state == 'starting':
        stage.run(0.05, walking)
    else:
        stage.started().run(1.0, walking)
        assert (stage.moved_at > stage.now - TURN) == walking
    begun = stage.now
    stage.emulated.inject(name, math.inf)
    stage.run(1.8, walking)
    phase, last = stage.report().phase, stage.moved_at
    if state == 'idle':
        assert last < begun
    if fault in LOST:
        assert phase in (BusPhase.CLOSED, BusPhase.CHECKING, BusPhase.HALTED)
        assert last < begun + SOON
    elif fault in HALTING:
        assert phase is BusPhase.HALTED
        assert str(SERVO) in stage.report().trouble
        assert last < begun + ROUND + SOON
    elif fault == 'stuck' and walking and state != 'starting':
        assert f'servo {SERVO} ' in stage.report().trouble or any(
            one.lags for one in stage.report().servos if one.servo == SERVO
        )

    # The fault is over, and somebody still commands: it goes on only when told to.
    halted = phase not in (BusPhase.MOVING, BusPhase.HOLDING)
    stage.emulated.inject(name, 0.0)
    stage.emulated.servo(SERVO).heat = 30.0
    stage.emulated.advance(0.01)
    over = stage.now
    stage.run(1.5, walking)
    if halted and not (fault in LOST and state == 'starting'):
        assert stage.report().phase is BusPhase.HALTED, stage.report()
        assert stage.moved_at < over
    if stage.report().phase is BusPhase.HALTED:
        stage.driver.resume()
    assert stage.until(lambda report: report.phase in (BusPhase.HOLDING, BusPhase.MOVING), 3.0)
    stage.run(0.8, walking=True)
    assert stage.report().phase is BusPhase.MOVING, stage.report()
    assert stage.moved_at > stage.now - TURN
