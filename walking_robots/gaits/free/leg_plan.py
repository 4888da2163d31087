"""The free gait: keep as many legs in the air as stability allows (asv.md §12.3, R7-R18)."""

from walking_robots.gaits.free.rule_engine import Rule
from walking_robots.gaits.free.situation import Situation


def stable(s: Situation) -> bool:
    """Return whether the planned support keeps its margin."""
    return s.stable()


def some_leg_has_the_least_kinematic_margin(s: Situation) -> bool:
    """Bind ``leg`` to the lift-able leg that will reach its limit first."""
    s.leg = s.least_margin_leg()
    return bool(s.leg)


def stable_without_the_leg(s: Situation) -> bool:
    """Return whether the plan stays stable without ``leg``."""
    return s.stable_without(s.leg)


def some_partner_replaces_the_leg(s: Situation) -> bool:
    """Bind ``partner`` to the place-able leg that best keeps the plan stable without ``leg``."""
    s.partner = s.best_leg_to_place(without=s.leg)
    return bool(s.partner)


def the_partner_has_more_kinematic_margin(s: Situation) -> bool:
    """Return whether ``partner`` will last longer than ``leg``."""
    return s.has_more_margin(s.partner, s.leg)


def some_leg_restores_stability(s: Situation) -> bool:
    """Bind ``leg`` to the place-able leg whose foothold restores stability best."""
    s.leg = s.best_leg_to_place()
    return bool(s.leg)


def some_leg_has_another_foothold(s: Situation) -> bool:
    """Bind ``leg`` to a leg that restores stability from an alternative foothold."""
    s.leg = s.leg_with_alternative()
    return bool(s.leg)


def some_leg_can_be_recovered(s: Situation) -> bool:
    """Bind ``leg`` to the first place-able leg with a foothold in reserve."""
    s.leg = s.leg_to_recover()
    return bool(s.leg)


def some_leg_is_at_its_limit(s: Situation) -> bool:
    """Bind ``leg`` to the first lift-able leg at its kinematic limit."""
    s.leg = s.leg_at_limit()
    return bool(s.leg)


def some_leg_waits_in_vain(s: Situation) -> bool:
    """Bind ``leg`` to a leg that cannot be spared where the body rests; repaired rules only."""
    s.leg = s.leg_that_waits_in_vain() if s.repairs.free_stuck_legs else 0
    return bool(s.leg)


def a_leg_at_its_limit_cannot_be_spared(s: Situation) -> bool:
    """Return whether a leg at its limit keeps the body waiting; only the repaired rules ask."""
    return s.repairs.free_stuck_legs and bool(s.facts.limit_leg) and s.all_wait()


def some_other_leg_can_step_aside(s: Situation) -> bool:
    """Bind ``leg`` to another leg that can be spared, ``partner`` to the one at its limit."""
    s.leg, s.partner = s.leg_to_step_aside(), s.facts.limit_leg
    return bool(s.leg)


def remember_who_stepped_aside(s: Situation) -> None:
    """Start with another leg next time."""
    s.facts.stepped_aside = s.leg


def decide_to_lift(s: Situation) -> None:
    """Lift ``leg``."""
    s.lift(s.leg, 'lift_a_leg')


def decide_to_exchange(s: Situation) -> None:
    """Place ``partner``, then lift ``leg``."""
    s.exchange(s.leg, s.partner, 'exchange_legs')


def decide_to_place(s: Situation) -> None:
    """Place ``leg``."""
    s.place(s.leg, 'place_a_leg')


def decide_to_stay(s: Situation) -> None:
    """Withdraw the lift of ``leg``."""
    s.cancel_lift(s.leg, 'stay')


def slow_down(s: Situation) -> None:
    """Ask for less speed in this step."""
    s.facts.reduce_speed += 1


def restore_limit_leg(s: Situation) -> None:
    """Leave the leg at its limit on the ground."""
    s.facts.limit_leg = 0


def withhold_the_leg(s: Situation) -> None:
    """Plan without ``leg``, which must be lifted."""
    s.facts.limit_leg = s.leg
    s.withhold(s.leg)


CHECK_KINEMATIC_LIMIT = (
    Rule(
        'check_tkm_limit',
        when=(some_leg_is_at_its_limit,),
        then=(withhold_the_leg,),
        says='leg {leg} must lift: it is about to reach the border of its working volume',
        source='asv.md R8; L5463-5469',
    ),
)

LEG_PLAN = (
    Rule(
        'lift_a_leg',
        when=(
            stable,
            some_leg_has_the_least_kinematic_margin,
            stable_without_the_leg,
        ),
        then=(decide_to_lift,),
        says='leg {leg} lifts: it has the least kinematic margin and the others stay stable',
        source='asv.md R11; L5484-5494',
    ),
    Rule(
        'exchange_legs',
        when=(
            stable,
            some_leg_has_the_least_kinematic_margin,
            some_partner_replaces_the_leg,
            the_partner_has_more_kinematic_margin,
        ),
        then=(decide_to_exchange,),
        says='leg {partner} replaces leg {leg}: its foothold lasts longer',
        source='asv.md R12; L5496-5504',
    ),
    Rule(
        'stable',
        when=(stable,),
        then=(),
        says='',
        source='asv.md R13; L5475',
    ),
    Rule(
        'place_a_leg',
        when=(some_leg_restores_stability,),
        then=(decide_to_place,),
        says='leg {leg} is placed: without it stability would be lost',
        source='asv.md R14; L5506-5511',
    ),
    Rule(
        'try_new_foothold',
        when=(some_leg_has_another_foothold,),
        then=(decide_to_place,),
        says='leg {leg} is placed on another foothold, the best one does not keep stability',
        source='asv.md R16; L5520-5526',
    ),
    Rule(
        'recovery',
        when=(some_leg_can_be_recovered,),
        then=(decide_to_place, restore_limit_leg, slow_down),
        says='leg {leg} is placed to recover and the body slows down',
        source='asv.md R15b, R17; L5528-5535',
    ),
    Rule(
        'stay',
        when=(some_leg_waits_in_vain,),
        then=(decide_to_stay, restore_limit_leg),
        says='leg {leg} stays on the ground: the body rests where it cannot be spared',
        source='not in the original, which waits for ever (asv.md §6.6)',
    ),
    Rule(
        'step_aside',
        when=(
            a_leg_at_its_limit_cannot_be_spared,
            some_other_leg_can_step_aside,
        ),
        then=(decide_to_lift, remember_who_stepped_aside, restore_limit_leg),
        says='leg {leg} steps aside, so that leg {partner} at its limit can be spared',
        source='not in the original, which waits for ever (asv.md §6.6)',
    ),
    Rule(
        'wait_for_legs',
        when=(),
        then=(slow_down, restore_limit_leg),
        says='no foothold helps: the body slows down and waits for the legs',
        source='asv.md R15c, R18; L5513-5518, L5537-5543',
    ),
)
"""The alternatives of R9: exactly one is carried out in each step."""
