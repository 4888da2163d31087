"""The switches that repair the original program, one by one (asv.md §17).

Three sets of them have names. ``original`` turns every switch off: the program as its authors
listed it. ``faithful`` is the program whose figures the specification gives (asv.md §20); it
mends what keeps the listing from doing what its text says. ``repaired`` turns everything on,
the improvements beyond the paper included.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Repairs:
    """What differs from the original program; every field is off in ``original``."""

    use_planning_push: bool = False
    """DEF-1: add the planning-level push, less its part along the command."""
    push_in_body_axes: bool = False
    """DEF-5: turn the recovery push into body axes before adding it to the command."""
    level_in_body: bool = False
    """DEF-6: level a tilted body on exactly flat ground."""
    ditch_from_terrain: bool = False
    """DEF-7: take the near edge of the ditch from vision, not from the constant 21 ft."""
    renew_third_column: bool = False
    """DEF-10: keep the predicted rotation a rotation."""
    test_then_keep_foothold: bool = False
    """DEF-11: place an alternative foothold as it was tested."""
    push_at_full_strength: bool = False
    """DEF-21: slow down the operator's command, not the push that restores stability."""
    place_at_rest: bool = False
    """DEF-13: in the ditch, place a leg only when the body has come to rest."""
    cancel_lifts_at_ditch: bool = False
    """DEF-14: withdraw lifts that have not begun when the ditch coordinator takes over."""
    plane_from_feet: bool = False
    """DEF-19: estimate the support plane from placed feet, not from candidates."""
    single_body_request: bool = False
    """§13.4: forget a stop or move request that was not used in its step."""
    pin_stance_feet: bool = False
    """§7.4: keep supporting feet where they stand while the body turns."""
    stop_where_it_ends: bool = False
    """§20.9: end a ditch movement by where the body would come to rest."""
    free_gait_over_narrow_ditches: bool = False
    """§20.6: leave ditches that the free gait crosses more surely to the free gait."""
    move_on_the_last_leg: bool = False
    """§20.4: while one leg of a pair cannot be spared, move the body on until it can."""
    limit_speed_in_ditch: bool = False
    """§20.7: cross no faster than the sequence can stop."""
    free_stuck_legs: bool = False
    """Move another leg for one that is at its limit and cannot be spared."""


ORIGINAL = Repairs()
FAITHFUL = Repairs(
    level_in_body=True,
    ditch_from_terrain=True,
    renew_third_column=True,
    test_then_keep_foothold=True,
)
REPAIRED = Repairs(**dict.fromkeys(Repairs.__dataclass_fields__, True))

RULE_SETS = {'original': ORIGINAL, 'faithful': FAITHFUL, 'repaired': REPAIRED}
