"""What a robot on errands believes, and that as a problem of planning in PDDL."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from walking_robots.ars_magna.geometry.point import ORIGIN, Point
from walking_robots.ars_magna.plans.errands import Errand
from walking_robots.ars_magna.plans.looking import FAR
from walking_robots.ars_magna.sensing.noise import correctness, deviation
from walking_robots.ars_magna.sensing.sensor_model import SensorModel
from walking_robots.ars_magna.sensing.specifications import Between, OneOf

RARE = 0.001
"""A step is tried so often that it fails by chance alone no more often than this."""

_ACTIONS: Mapping[str, tuple[str, str, str]] = {
    'find': (
        '?t - thing ?p - place',
        '(lost ?t) (empty) (at ?p)',
        '(holds ?t) (at somewhere) (not (lost ?t)) (not (empty)) (not (at ?p))',
    ),
    'take': (
        '?t - thing ?p - place',
        '(lies ?t ?p) (empty) (at ?p)',
        '(holds ?t) (not (lies ?t ?p)) (not (empty))',
    ),
    'go': ('?p - place ?q - place', '(at ?p)', '(at ?q) (not (at ?p))'),
    'put': (
        '?t - thing ?p - place',
        '(holds ?t) (at ?p) (goal ?t ?p)',
        '(done ?t) (empty) (not (holds ?t))',
    ),
}
"""Parameters, condition and effects of each action; where a lost thing is found is not known."""


@dataclass
class ErrandBelief:
    """What the robot believes of its errands, which are numbered.

    at: of the robot, cells from where it began, None between places; held: the errand whose thing
    it holds; lies: where things were left; done: those that are at their places; misses: how often
    an errand has failed.
    """

    errands: Sequence[Errand]
    model: SensorModel
    at: Point | None = ORIGIN
    held: int | None = None
    lies: dict[int, Point] = field(default_factory=dict)
    done: set[int] = field(default_factory=set)
    misses: Counter[int] = field(default_factory=Counter)

    @property
    def places(self) -> list[Point]:
        """Return all places that have a name, place0 and so on."""
        known = [errand.place for errand in self.errands] + [*self.lies.values()]
        return list(dict.fromkeys(known if self.at is None else [self.at, *known]))

    @property
    def wanted(self) -> list[int]:
        """Return the errands to plan for: of those left, the ones that failed least often."""
        left = [n for n in range(len(self.errands)) if n not in self.done]
        least = min((self.misses[n] for n in left), default=0)
        return [n for n in left if self.misses[n] == least or n == self.held]

    def success(self, action: str, errand: int) -> float:
        """Return the probability that one try of an action does what it is to do.

        To find is one look at a thing `FAR` away: that it is not overlooked, and read as what it
        is; to take is one grasp. By the parameters of the noise (ars_magna.md §7.1, §7.2).
        """
        parameters = self.model.parameters
        if action == 'take':
            return 1.0 - parameters.prob_miss_grasp
        if action != 'find' or parameters.senses_exactly:
            return 1.0
        found = 1.0 - self.model.miss_rate
        for one in self.model.constraints(self.errands[errand].what):
            attribute = self.model.attributes[one.attribute]
            if isinstance(one, OneOf):
                found *= correctness(attribute, FAR, parameters)
            elif isinstance(one, Between):
                half = (one.high - one.low) / 2.0 + (one.threshold or 0.5)
                sigma = deviation(attribute, FAR, parameters)
                found *= math.erf(half / (sigma * math.sqrt(2.0))) if sigma else 1.0
        return found

    def tries(self, action: str, errand: int) -> int:
        """Return how many tries leave no more than `RARE` to chance."""
        failure = 1.0 - self.success(action, errand)
        return 1 if failure <= RARE else math.ceil(math.log(RARE) / math.log(failure))

    def domain(self, probabilistic: bool = False) -> str:
        """Return the domain in PDDL; with success probabilities (of the worst errand) in PPDDL."""
        more = ' :probabilistic-effects' if probabilistic else ''
        lines = [
            f'(define (domain errands) (:requirements :strips :typing{more})',
            '(:types thing place) (:constants somewhere - place)',
            '(:predicates (at ?p - place) (lost ?t - thing) (lies ?t - thing ?p - place)',
            '  (holds ?t - thing) (empty) (goal ?t - thing ?p - place) (done ?t - thing))',
        ]
        for name, (parameters, condition, effects) in _ACTIONS.items():
            effect = f'(and {effects})'
            if probabilistic:
                least = min(self.success(name, number) for number in range(len(self.errands)))
                effect = f'(probabilistic {least:.4f} {effect})'
            lines.append(
                f'(:action {name} :parameters ({parameters}) :precondition (and {condition})\n'
                f'  :effect {effect})'
            )
        return '\n'.join((*lines, ')\n'))

    def problem(self) -> str:
        """Return what is so, and what is to be, in PDDL."""
        places, wanted = self.places, self.wanted
        facts = ['(at somewhere)' if self.at is None else f'(at place{places.index(self.at)})']
        facts += ['(empty)'] if self.held is None else [f'(holds thing{self.held})']
        for number in wanted:
            facts.append(f'(goal thing{number} place{places.index(self.errands[number].place)})')
            if number in self.lies:
                facts.append(f'(lies thing{number} place{places.index(self.lies[number])})')
            elif number != self.held:
                facts.append(f'(lost thing{number})')
        things = ' '.join(f'thing{number}' for number in wanted)
        named = ' '.join(f'place{number}' for number in range(len(places)))
        goals = ' '.join(f'(done thing{number})' for number in wanted)
        objects = f'(:objects {things} - thing {named} - place)'
        return (
            f'(define (problem today) (:domain errands)\n{objects}\n'
            f'(:init {" ".join(facts)})\n(:goal (and {goals})))\n'
        )
