"""The rule engine, and rules that explain themselves."""

from dataclasses import dataclass, field

import pytest

from walking_robots.gaits.free.ditch_crossing import CYCLES, DONE, STATES, idle_step
from walking_robots.gaits.free.leg_plan import CHECK_KINEMATIC_LIMIT, LEG_PLAN
from walking_robots.gaits.free.memory import PlanFacts
from walking_robots.gaits.free.rule_engine import Firing, Rule, fire_first

ALL_RULES = [*CHECK_KINEMATIC_LIMIT, *LEG_PLAN, *(r for rules in STATES.values() for r in rules)]


@dataclass
class Board:
    leg: int = 0
    partner: int = 0
    log: list[str] = field(default_factory=list)


def rule(name: str, holds: bool, says: str = 'leg {leg} did it') -> Rule[Board]:
    def condition(board: Board) -> bool:
        board.log.append(f'{name}?')
        board.leg = 3
        return holds

    return Rule(name, (condition,), (lambda board: board.log.append(name),), says, 'here')


def test_the_first_rule_that_holds_is_carried_out_and_recorded():
    board, fired = Board(), []
    found = fire_first([rule('a', False), rule('b', True), rule('c', True)], board, fired)
    assert found is not None and found.name == 'b'
    assert board.log == ['a?', 'b?', 'b']
    assert fired == [Firing('b', 'leg 3 did it', 3, 0)]


def test_a_silent_rule_is_not_recorded_and_no_rule_may_hold():
    fired: list[Firing] = []
    fire_first([rule('quiet', True, '')], Board(), fired)
    assert fire_first([rule('a', False)], Board(), fired) is None
    assert fired == []


@pytest.mark.parametrize('rule', ALL_RULES, ids=lambda rule: rule.name)
def test_every_rule_names_its_source_and_speaks_in_words(rule):
    assert 'asv.md' in rule.source
    assert rule.says.format(leg=1, partner=2) == rule.says.format(leg=1, partner=2).strip()


def test_every_state_of_every_cycle_has_rules_that_end_in_an_alternative_without_conditions():
    for states in CYCLES.values():
        for state in states:
            assert STATES[state][-1].when == ()


@dataclass
class Crossing:
    facts: PlanFacts
    leg: int = 0
    partner: int = 0


def test_def_4_an_unknown_state_is_an_error_not_a_fall_through():
    with pytest.raises(LookupError, match='waltz'):
        idle_step(Crossing(PlanFacts(ditch_mode=True, plan_state='waltz')))
    with pytest.raises(LookupError, match='9'):
        idle_step(Crossing(PlanFacts(ditch_mode=True, plan_cycle=9)))


def test_cycles_change_by_one_idle_step_each_and_the_last_one_ends_the_mode():
    crossing = Crossing(PlanFacts(ditch_mode=True, plan_cycle=5, plan_state=DONE))
    assert idle_step(crossing) and crossing.facts.plan_cycle == 6
    assert idle_step(crossing)
    assert not crossing.facts.ditch_mode and crossing.facts.moves == 1
    assert crossing.facts.plan_cycle == 1
