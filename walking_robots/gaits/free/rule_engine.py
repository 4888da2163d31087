"""A small engine for rules that read like the paper.

A rule is data: a name, conditions tried left to right, actions, a sentence and its source.
Rules of one group are alternatives: the first whose conditions all hold is carried out, and
the engine records it, so that a person can see why a leg was lifted.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar


class RuleContext(Protocol):
    """What rules look at and act on; ``leg`` and ``partner`` are bound by conditions."""

    leg: int
    partner: int


S = TypeVar('S', bound=RuleContext)
Condition = Callable[[S], bool]
Action = Callable[[S], None]


@dataclass(frozen=True)
class Rule(Generic[S]):
    """One alternative of a group.

    ``says`` explains the rule in words and may name ``{leg}`` and ``{partner}``; an empty
    sentence keeps a rule out of the record. ``source`` points to the specification and to
    the lines of the original listing.
    """

    name: str
    when: tuple[Condition[S], ...]
    then: tuple[Action[S], ...]
    says: str
    source: str


@dataclass(frozen=True)
class Firing:
    """A rule that was carried out, and for which legs."""

    rule: str
    sentence: str
    leg: int = 0
    partner: int = 0


def fire_first(rules: Sequence[Rule[S]], situation: S, fired: list[Firing]) -> Rule[S] | None:
    """Carry out the first rule whose conditions hold and record it; None when none does."""
    for rule in rules:
        situation.leg = situation.partner = 0
        for condition in rule.when:
            if not condition(situation):
                break
        else:
            for action in rule.then:
                action(situation)
            if rule.says:
                leg, partner = situation.leg, situation.partner
                sentence = rule.says.format(leg=leg, partner=partner)
                fired.append(Firing(rule.name, sentence, leg, partner))
            return rule
    return None
