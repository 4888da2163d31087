"""Test that states and reasons are said as the controller means them."""

import pytest

from walking_robots.gaits.biped.machine import EXITS
from walking_robots.gaits.biped.states import FALLEN, STATES, WalkPhase, half_of, phase_of
from walking_robots.robots.kwalk import LEFT, RIGHT
from walking_robots.viewer.biped.colours import LegAction, actions
from walking_robots.viewer.biped.history import StateExitLog
from walking_robots.viewer.biped.state import Left
from walking_robots.viewer.biped.words import phase_number, purpose, reason, state_words

MOVING = {
    WalkPhase.LIFT: (LegAction.LIFTED, 'Lifts'),
    WalkPhase.SWING: (LegAction.SWINGS, 'Swings'),
    WalkPhase.LOWER: (LegAction.LOWERED, 'Lowers'),
    WalkPhase.STUMBLE: (LegAction.RAISED, 'Stumbles with'),
    WalkPhase.STEP_BACK: (LegAction.STEPS_BACK, 'Steps back with'),
}


@pytest.mark.parametrize('state', [*range(4, FALLEN), *range(FALLEN + 1, STATES)])
def test_the_leg_that_moves_is_coloured_and_named(state: int) -> None:
    phase, carrying = phase_of(state), half_of(state)
    doing = actions(state)
    assert doing[carrying] is LegAction.CARRIES
    other = LEFT - carrying
    assert phase_number(state) == (carrying, [WalkPhase.DOUBLE, *MOVING].index(phase))
    if phase is WalkPhase.DOUBLE:
        assert doing[other] is LegAction.CARRIES
        assert f'over the {"left" if carrying == LEFT else "right"} foot' in purpose(state)
    else:
        action, verb = MOVING[phase]
        assert doing[other] is action
        assert state_words(state) == f'{verb} the {"left" if other == LEFT else "right"} foot'


def test_states_without_a_walk_have_words_and_colours() -> None:
    for state in (None, *range(4), FALLEN):
        assert state_words(state) and purpose(state)
        assert phase_number(state) is None
    assert actions(None) == actions(WalkPhase.SETTLE) == (LegAction.HELD, LegAction.HELD)
    assert actions(WalkPhase.BALANCE) == (LegAction.CARRIES, LegAction.CARRIES)
    assert actions(FALLEN) == (LegAction.LIMP, LegAction.LIMP)
    assert state_words(FALLEN) == 'Has fallen'
    assert (RIGHT, LEFT) == (0, 1), 'pairs are right and left'


def test_every_way_out_of_a_state_has_words() -> None:
    names = {way.name for ways in EXITS.values() for way in ways} | {'fallen'}
    for name in names:
        assert reason(name) != name
    assert reason('something else') == 'something else'


def test_the_last_reasons_are_kept_until_time_runs_back() -> None:
    reasons = StateExitLog(2)
    reasons.add(1.0, (Left(0.9, 4, 'enough energy'), Left(1.0, 5, 'clear')))
    reasons.add(1.1, (Left(1.1, 6, 'far enough'),))
    assert [entry.state for entry in reasons.latest()] == [6, 5]
    reasons.add(0.1, (Left(1.2, 7, 'landed'), Left(0.1, 2, 'settled')))
    assert [entry.why for entry in reasons.latest()] == ['settled'], 'not what was before'
