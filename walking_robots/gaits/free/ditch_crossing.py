"""The ditch crossing: a fixed sequence of states in five cycles (asv.md §12.4, R20-R25).

Every state is a group of rules: the first alternative says when the state is done, the
others what to do until then.
"""

from collections.abc import Callable

from walking_robots.gaits.free.rule_engine import Rule
from walking_robots.gaits.free.situation import Situation
from walking_robots.legs.states import PlanState

PAIRS = {'front': (1, 2), 'middle': (3, 4), 'rear': (5, 6)}

START = 'start'
DONE = 'one_plan_cycle_done'

CYCLES: dict[int, tuple[str, ...]] = {
    1: (
        'place_legs_in_the_air',
        'back_middle_legs',
        'forward_rear_legs',
        'forward_middle_legs',
        'forward_front_legs',
        'lift_middle_legs_and_move',
    ),
    2: ('back_middle_legs', 'forward_rear_legs', 'forward_middle_legs'),
    3: ('move_forward_front_legs', 'move_back_middle_legs', 'move_forward_rear_legs'),
    4: ('move_forward_middle_legs',),
    5: ('move_forward_front_legs', 'move_back_middle_legs', 'move_forward_rear_legs'),
}
"""States of each cycle: two of preparation, three of crossing (L5776-5885)."""

LAST_CYCLE = 6

Condition = Callable[[Situation], bool]
Action = Callable[[Situation], None]


def stop(s: Situation) -> None:
    """Ask the body to rest."""
    s.facts.stops += 1


def move(s: Situation) -> None:
    """Ask the body to go on."""
    s.facts.moves += 1


def succeed(s: Situation) -> None:
    """Enter the next state of the cycle."""
    states = CYCLES[s.facts.plan_cycle]
    place = states.index(s.facts.plan_state) + 1
    s.facts.plan_state = states[place] if place < len(states) else DONE


def all_legs_stand(s: Situation) -> bool:
    """Return whether all legs support the body."""
    return len(s.support) == len(s.model.legs)


def movement_done(s: Situation) -> bool:
    """Return whether the body has gone as far as this state lets it.

    The original predicts one second of unchanged speed, so that a faster body stops shorter
    of the limits.
    """
    if not s.facts.move_done:
        if s.repairs.stop_where_it_ends:
            s.facts.move_done = not s.would_rest_well(s.planned_support)
        else:
            s.facts.move_done = bool(s.leg_at_limit()) or not s.stable()
    return s.facts.move_done


def body_may_receive_feet(s: Situation) -> bool:
    """Return whether a foot may be placed: at rest, if the repair of DEF-13 is on."""
    return not s.repairs.place_at_rest or s.outlook.present.rates.at_rest


def pair_lifted(row: str) -> Condition:
    """Make the condition that both legs of a row have been in the air in this state."""
    legs = PAIRS[row]

    def lifted(s: Situation) -> bool:
        if row not in s.facts.lifted and not any(leg in s.support for leg in legs):
            s.facts.lifted |= {row}
        return row in s.facts.lifted

    return lifted


def pair_placed(row: str) -> Condition:
    """Make the condition that both legs of a row support the body."""
    legs = PAIRS[row]
    return lambda s: all(leg in s.support for leg in legs)


def last_leg_cannot_be_spared(row: str) -> Condition:
    """Make the condition that one leg of a row waits for the permission to follow the other."""

    def waits(s: Situation) -> bool:
        standing = [leg for leg in PAIRS[row] if leg in s.support]
        return (
            s.repairs.move_on_the_last_leg
            and len(standing) == 1
            and s.reports[standing[0]].plan is PlanState.PLANNED_LIFT
            and not s.stands_without(standing[0])
        )

    return waits


def body_may_move_on(s: Situation) -> bool:
    """Return whether the body would still rest well on all standing legs one step further."""
    return s.would_rest_well(s.support)


def forget(row: str) -> Action:
    """Make the action that clears the memories of a finished state."""

    def clear(s: Situation) -> None:
        s.facts.lifted -= {row}
        s.facts.move_done = False

    return clear


def lift_one(row: str) -> Action:
    """Make the action that lifts the next leg of a row, if one can be lifted."""

    def lift(s: Situation) -> None:
        legs = [leg for leg in PAIRS[row] if leg in s.liftable]
        if legs:
            # The leg that stays longer should be the one that lets the body go further.
            s.leg = s.rearmost(legs) if s.repairs.move_on_the_last_leg else legs[0]
            s.lift(s.leg, s.facts.plan_state)

    return lift


def place_one(*rows: str, back: bool = False) -> Action:
    """Make the action that places the next leg of some rows that has a foothold."""

    def place(s: Situation) -> None:
        if not body_may_receive_feet(s):
            return
        for leg in (leg for row in rows for leg in PAIRS[row]):
            if leg in s.placeable and s.foothold(leg) is not None:
                s.leg = leg
                if back:
                    s.take_rearmost_foothold(leg)
                s.place(leg, s.facts.plan_state)
                return

    return place


def _rearrange(row: str, source: str, *, back: bool = False) -> tuple[Rule[Situation], ...]:
    """Make a state that moves a pair to an end of its working volume, the body at rest."""
    where = 'rear' if back else 'front'
    return (
        Rule(
            'pair_rearranged',
            when=(pair_lifted(row), pair_placed(row)),
            then=(forget(row), succeed, stop),
            says=f'the {row} legs stand at the {where} end of their working volume',
            source=source,
        ),
        Rule(
            'place_the_pair',
            when=(pair_lifted(row),),
            then=(place_one(row, back=back), stop),
            says=f'the body waits while the {row} legs are placed at the {where}',
            source=source,
        ),
        Rule(
            'lift_the_pair',
            when=(),
            then=(lift_one(row), stop),
            says=f'the body waits while the {row} legs are lifted',
            source=source,
        ),
    )


def _move_and_place(row: str, source: str, *, back: bool = False) -> tuple[Rule[Situation], ...]:
    """Make a state that lifts a pair, moves the body as far as it may, and places the pair."""
    where = 'rear' if back else 'front'
    return (
        Rule(
            'pair_transferred',
            when=(pair_lifted(row), pair_placed(row)),
            then=(forget(row), stop, succeed),
            says=f'the {row} legs have been transferred',
            source=source,
        ),
        Rule(
            'place_the_pair',
            when=(pair_lifted(row), movement_done),
            then=(place_one(row, back=back), stop),
            says=f'the body has come as far as it may; the {row} legs are placed at the {where}',
            source=source,
        ),
        Rule(
            'move_the_body',
            when=(pair_lifted(row),),
            then=(move,),
            says=f'the body moves with the {row} legs in the air',
            source=source,
        ),
        Rule(
            'move_until_the_last_leg_can_be_spared',
            when=(last_leg_cannot_be_spared(row), body_may_move_on),
            then=(move,),
            says=f'the body moves on until the last of the {row} legs can be spared',
            source='not in the original, which halts (asv.md §20.4)',
        ),
        Rule(
            'lift_the_pair',
            when=(),
            then=(lift_one(row), stop),
            says=f'the body waits while the {row} legs are lifted',
            source=source,
        ),
    )


STATES: dict[str, tuple[Rule[Situation], ...]] = {
    'place_legs_in_the_air': (
        Rule(
            'all_legs_stand',
            when=(all_legs_stand,),
            then=(succeed, stop),
            says='all legs stand before the ditch',
            source='asv.md §12.4; L6128-6140',
        ),
        Rule(
            'place_the_legs',
            when=(),
            then=(place_one('front', 'middle', 'rear'), stop),
            says='the body waits while the legs in the air are placed',
            source='asv.md §12.4; L6677-6688',
        ),
    ),
    'back_middle_legs': _rearrange('middle', 'asv.md §12.4; L6004-6015', back=True),
    'forward_front_legs': _rearrange('front', 'asv.md §12.4; L6017-6029'),
    'forward_middle_legs': _rearrange('middle', 'asv.md §12.4; L6032-6044'),
    'forward_rear_legs': _rearrange('rear', 'asv.md §12.4; L6047-6059'),
    'lift_middle_legs_and_move': (
        Rule(
            'body_moved',
            when=(movement_done,),
            then=(stop, succeed),
            says='the body stands as far over the ditch as the front and rear legs allow',
            source='asv.md §12.4; L6061-6068',
        ),
        Rule(
            'lift_and_move',
            when=(),
            then=(lift_one('middle'), move),
            says='the middle legs are lifted and the body moves toward the ditch',
            source='asv.md §12.4; L6069-6073',
        ),
    ),
    'move_back_middle_legs': _move_and_place('middle', 'asv.md §12.4; L6324-6355', back=True),
    'move_forward_front_legs': _move_and_place('front', 'asv.md §12.4; L6357-6386'),
    'move_forward_middle_legs': _move_and_place('middle', 'asv.md §12.4; L6388-6418'),
    'move_forward_rear_legs': _move_and_place('rear', 'asv.md §12.4; L6420-6448'),
}


def idle_step(s: Situation) -> bool:
    """Change the cycle if one has ended; a change takes one step without leg planning.

    Raise LookupError for a cycle or state that does not exist (DEF-4: never fall through).
    """
    facts = s.facts
    if facts.plan_cycle == LAST_CYCLE:
        facts.plan_cycle = 1
        facts.ditch_mode = False
        move(s)
        return True
    if facts.plan_state == DONE:
        facts.plan_state = START
        facts.plan_cycle += 1
        return True
    if facts.plan_cycle not in CYCLES:
        raise LookupError(f'there is no ditch cycle {facts.plan_cycle}')
    if facts.plan_state == START:
        facts.plan_state = CYCLES[facts.plan_cycle][0]
    if facts.plan_state not in STATES:
        raise LookupError(f'there is no ditch state {facts.plan_state!r}')
    return False
