"""State machines, timing and lift queue of the legs: A12, A13, A16 of asv.md §19.1."""

import math

import pytest

from walking_robots.geometry.pose import Pose, Rates
from walking_robots.legs.control_machine import next_control
from walking_robots.legs.servo import LegServo, ServoState, initial_state, recovered_state
from walking_robots.legs.states import ControlState, Decision, DecisionKind, PlanState
from walking_robots.robots.asv import ASV, ft

POSE = Pose(ASV.start_position)
REST = Rates()
BEARS = [leg.starts_supporting for leg in ASV.legs]


class Standing:
    """A servo over flat ground with the body at rest and its own foot switches."""

    def __init__(self, pin: bool = True) -> None:
        self.servo = LegServo(ASV, initial_state(ASV, POSE, BEARS), pin_stance=pin)

    def contacts(self) -> list[bool]:
        limit = ASV.timing.contact_threshold
        return [POSE.apply(foot)[2] < limit for foot in self.servo.state.feet()]

    def step(self, *decisions: Decision) -> dict[int, tuple[PlanState, ControlState]]:
        state = self.servo.step(decisions, POSE, REST, self.contacts())
        return {leg.number: (leg.plan, leg.control) for leg in state.legs}

    def place_all(self) -> None:
        """Put every leg on the ground and wait until all support."""
        for leg in (2, 3, 6):
            self.step(place(leg))
        for _ in range(25):
            self.step()


def place(leg: int) -> Decision:
    x, y, _ = ASV.legs[leg - 1].start_foot
    body = POSE.position
    return Decision(DecisionKind.PLACE, leg, 0, (body[0] + x, body[1] + y, 0.0))


def first(states: list, leg: int, state: object) -> int:
    """Return the number of the first step in which a leg is in a state."""
    return next(k for k, legs in enumerate(states) if any(s is state for s in legs[leg]))


@pytest.mark.parametrize(
    ('control', 'plan', 'steps', 'after'),
    [
        (ControlState.ADVANCE, PlanState.PLANNED_CONTACT, 6, ControlState.DESCENT),
        (ControlState.CONTACT, PlanState.ELIGIBLE_TO_LIFT, 10, ControlState.SUPPORT),
        (ControlState.LIFT, PlanState.ACTUAL_LIFT, 4, ControlState.RETURN),
        (ControlState.RETURN, PlanState.ACTUAL_LIFT, 6, ControlState.READY),
    ],
)
def test_a12_durations(control, plan, steps, after):
    state, spent, count = control, 0, 0
    while state is control:
        state, spent = next_control(state, spent, plan, ASV.timing, contact=False)
        count += 1
    assert (count, state, spent) == (steps, after, 0)


def test_a12_descent_takes_four_steps():
    standing = Standing()
    states = [standing.step(place(2))] + [standing.step() for _ in range(20)]
    down = first(states, 2, ControlState.CONTACT) - first(states, 2, ControlState.DESCENT)
    assert down == 4


def test_a13_placing():
    standing = Standing()
    heights = []
    states = []
    for k in range(25):
        states.append(standing.step(*([place(2)] if k == 0 else [])))
        heights.append(standing.servo.state.feet()[1][2])
    assert states[0][2] == (PlanState.PLANNED_CONTACT, ControlState.ADVANCE)
    assert first(states, 2, ControlState.DESCENT) == 6
    assert heights[8] > ft(-5.4) + 0.01 and heights[9] == pytest.approx(ft(-5.4))
    assert first(states, 2, ControlState.CONTACT) == 10
    assert first(states, 2, PlanState.ELIGIBLE_TO_LIFT) == 11
    assert first(states, 2, ControlState.SUPPORT) == 20


def test_a13_lifting():
    standing = Standing()
    standing.place_all()
    states = [standing.step(Decision(DecisionKind.LIFT, 3))] + [standing.step() for _ in range(15)]
    assert states[0][3] == (PlanState.PLANNED_LIFT, ControlState.SUPPORT)
    assert first(states, 3, ControlState.LIFT) == 1
    assert first(states, 3, ControlState.RETURN) == 5
    assert first(states, 3, ControlState.READY) == 11
    assert first(states, 3, PlanState.AVAILABLE) == 12


def test_a13_exchange():
    standing = Standing()
    foothold = place(3).foothold
    exchange = Decision(DecisionKind.EXCHANGE, 5, 3, foothold)
    states = [standing.step(exchange, place(6))] + [standing.step() for _ in range(15)]
    assert states[0][3] == (PlanState.PLANNED_CONTACT, ControlState.ADVANCE)
    assert states[0][5][0] is PlanState.PLANNED_EXCHANGE
    assert first(states, 5, ControlState.LIFT) == 11


def test_a16_the_queue_lifts_one_leg_a_step():
    standing = Standing()
    standing.place_all()
    states = [standing.step(Decision(DecisionKind.LIFT, 4), Decision(DecisionKind.LIFT, 3))] + [
        standing.step() for _ in range(4)
    ]
    assert standing.servo.state.lift_queue == ()
    assert first(states, 4, ControlState.LIFT) == 1, 'the head of the queue goes first'
    assert first(states, 3, ControlState.LIFT) == 2


def test_a_leg_that_cannot_be_spared_blocks_those_behind_it():
    standing = Standing()
    standing.step(Decision(DecisionKind.LIFT, 1), Decision(DecisionKind.LIFT, 4))
    for _ in range(5):
        states = standing.step()
    assert states[1][0] is PlanState.PLANNED_LIFT
    assert states[4] == (PlanState.PLANNED_LIFT, ControlState.SUPPORT)
    assert standing.servo.state.lift_queue == (1, 4)
    states = standing.step(Decision(DecisionKind.CANCEL_LIFT, 1))
    assert states[1] == (PlanState.ELIGIBLE_TO_LIFT, ControlState.SUPPORT)
    assert standing.servo.state.lift_queue == (4,)


def test_standing_feet_go_with_odometry():
    """Feet that are all measured beside their places have not slipped: odometry has drifted."""
    standing = Standing()
    standing.place_all()
    servo = standing.servo
    before = servo.state
    places = [leg.path.stance for leg in before.legs]
    servo.follow_odometry([True] * 6, places)
    assert servo.state is before
    places = [(x + 0.02, y - 0.01, z) for x, y, z in places]
    for _ in range(200):
        servo.follow_odometry([True] * 6, places)
    assert servo.state.drift == pytest.approx(
        (0.02, -0.01, 0.0), abs=1.1e-3 * ASV.timing.lift_height
    )
    for leg, place in zip(servo.state.legs, places, strict=True):
        assert leg.path.stance == pytest.approx(place, abs=1.1e-3 * ASV.timing.lift_height)
    # The body that goes with them has its feet where they were.
    drifted = POSE._replace(
        position=tuple(a + b for a, b in zip(POSE.position, servo.state.drift, strict=True))
    )
    servo.step((), drifted, REST, [True] * 6)
    for foot, was in zip(servo.state.feet(), before.feet(), strict=True):
        assert foot == pytest.approx(was)


def test_a_foot_that_slips_is_no_drift_of_the_others():
    standing = Standing()
    standing.place_all()
    servo = standing.servo
    places = [leg.path.stance for leg in servo.state.legs]
    for _ in range(20):
        slipped = [(places[0][0] + 0.1, *places[0][1:]), *places[1:]]
        servo.follow_odometry([True] * 6, slipped)
        servo.step((), POSE, REST, [True] * 6, places=slipped)
    assert math.hypot(*servo.state.drift) < 0.02


def test_a_lift_is_granted_by_where_feet_stand():
    """Odometry that drifts has footholds elsewhere than the feet that stand on them."""
    standing = Standing()
    standing.place_all()
    legs = standing.servo.state.legs
    away = tuple(
        leg._replace(path=leg.path._replace(foothold=(leg.path.stance[0] + 10.0, 0.0, 0.0)))
        for leg in legs
    )
    servo = LegServo(ASV, ServoState(away))
    found = servo.step([Decision(DecisionKind.LIFT, 4)], POSE, REST, standing.contacts())
    found = servo.step([], POSE, REST, standing.contacts())
    assert found.legs[3].control is ControlState.LIFT


def test_a_foot_that_lost_its_ground_is_lifted_at_once_and_supports_nothing():
    """The leg at the head waits for it to stand, so that both would wait for ever."""
    standing = Standing()
    standing.place_all()
    standing.step(Decision(DecisionKind.EXCHANGE, 5, 3, place(3).foothold))
    servo, contacts = standing.servo, standing.contacts()
    contacts[2] = False
    lost = servo.step([Decision(DecisionKind.LIFT, 3)], POSE, REST, contacts)
    assert (lost.legs[4].plan, lost.lift_queue) == (PlanState.PLANNED_EXCHANGE, (5, 3))
    found = servo.step([], POSE, REST, contacts)
    assert found.legs[2].control is ControlState.LIFT and found.lift_queue == (5,)
    standing = Standing()
    standing.place_all()
    contacts = [leg in (1, 4, 5) for leg in range(1, 7)]
    for _ in range(3):
        found = standing.servo.step([Decision(DecisionKind.LIFT, 4)], POSE, REST, contacts)
    assert found.legs[3].plan is PlanState.PLANNED_LIFT, 'the other feet are in the air'


def test_lifted_foot_returns_above_the_ground_it_left():
    standing = Standing()
    standing.place_all()
    standing.step(Decision(DecisionKind.LIFT, 3))
    for _ in range(12):
        standing.step()
    leg = standing.servo.state.legs[2]
    assert leg.control is ControlState.READY
    assert leg.path.foot == pytest.approx((0.0, ft(3), ft(-4)))


@pytest.mark.parametrize(('pin', 'drift'), [(True, 1e-12), (False, 1e-4)])
def test_supporting_feet_stay_where_they_are_in_a_turn(pin, drift):
    servo = LegServo(ASV, initial_state(ASV, POSE, BEARS), pin_stance=pin)
    from walking_robots.geometry.pose import advance

    pose, rates = POSE, Rates(wz=0.1)
    places = []
    for _ in range(30):
        pose = advance(pose, rates, 0.1)
        state = servo.step((), pose, rates, [True] * 6)
        places.append(pose.apply(state.feet()[0]))
    moved = max(abs(a - b) for a, b in zip(places[0], places[-1], strict=True))
    assert moved <= drift if pin else moved > drift


def test_recovered_legs_carry_where_they_touch():
    feet = [leg.start_foot for leg in ASV.legs]
    state = recovered_state(ASV, feet, [True, True, True, False, True, True])
    assert [leg.control.carries for leg in state.legs] == [True, True, True, False, True, True]
    servo = LegServo(ASV, state)
    for _ in range(8):
        state = servo.step((), POSE, REST, [True, True, True, False, True, True])
    assert state.legs[3].plan is PlanState.AVAILABLE
    assert state.feet()[0] == pytest.approx(feet[0])


def test_a_foot_that_looks_for_ground_does_not_have_to_be_reached():
    standing = Standing()
    standing.place_all()
    contacts = standing.contacts()
    assert standing.servo.state.bearing(contacts) == 6 * (True,)
    contacts[2] = False
    assert standing.servo.state.bearing(contacts) == (True, True, False, True, True, True)
