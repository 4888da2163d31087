"""Compare errands by a planner with those of the hand-written program: ten things in the house.

The things lie where a seed puts them, five are to come home and five to a place 3 m beside it.
Run it with ``python -m benchmarks.errands --seeds 1000 1019``; both programs have the same worlds.
"""

import argparse
import random
import statistics
import time
from dataclasses import replace

from walking_robots.ars_magna.design.files import load_design
from walking_robots.ars_magna.design.model import ThingDesign, WorldDesign
from walking_robots.ars_magna.interfaces.belief import ErrandBelief
from walking_robots.ars_magna.interfaces.planned import plan_of
from walking_robots.ars_magna.plans.errands import errands_of, request_of
from walking_robots.ars_magna.sensing.attributes import Value
from walking_robots.ars_magna.sensing.sensor_model import SensorModel
from walking_robots.documents.shipped_worlds import find_world
from walking_robots.trials.ars_magna.trial import ArsTrial, run

__all__ = ['house_with_toys']

COLORS = ('red', 'green', 'blue', 'violet', 'lightblue')
SHAPES = ('ball', 'doll')
TOYS = [(color, shape) for color in COLORS for shape in SHAPES]
REQUEST = '; '.join(
    f'color={color} shape={shape} to {3 * (number % 2)},0'
    for number, (color, shape) in enumerate(TOYS)
)
MOST_TICKS = 200_000


def house_with_toys(seed: int) -> WorldDesign:
    """Return the house with ten things on its floor, none beside another."""
    design, chance = load_design(find_world('house')), random.Random(seed)
    taken = [(thing.x or 0.0, thing.y or 0.0) for thing in design.things]
    taken += [(4.0, 3.0), (7.0, 3.0)]
    toys = []
    for color, shape in TOYS:
        while True:
            x, y = chance.randrange(1, 33), chance.randrange(1, 19)
            free = not design.grid.filled[design.grid.rows - 1 - y, x]
            if free and all(max(abs(x - a), abs(y - b)) >= 2 for a, b in taken):
                break
        taken.append((x, y))
        attributes: dict[str, Value] = {'size': 1.0, 'weight': 0.5, 'color': color, 'shape': shape}
        toys.append(ThingDesign('toy', float(x), float(y), attributes))
    return replace(design, things=(*design.things, *toys))


def main() -> None:
    """Print a row for each program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--seeds', type=int, nargs=2, default=(1000, 1009))
    first, last = parser.parse_args().seeds
    for plan in ('deliver', 'planned'):
        done, ticks, spent, codes = 0, [], [], []
        for seed in range(first, last + 1):
            began = time.process_time()
            trial = ArsTrial(('house',), plan=plan, what=REQUEST, seed=seed, ticks=MOST_TICKS)
            result = run(trial, house_with_toys(seed))
            spent.append(time.process_time() - began)
            done += result.goal_reached
            ticks.append(result.ticks)
            codes.append(f'{result.outcome} {result.code}')
        print(
            f'{plan}: {done} of {len(ticks)} all ten at their places, median '
            f'{statistics.median(ticks):.0f} ticks, {statistics.median(spent):.2f} s CPU a run'
        )
        print('  ', {code: codes.count(code) for code in sorted(set(codes))})
    design = house_with_toys(first)
    errands = errands_of(request_of(REQUEST, design.definitions.attributes))
    belief = ErrandBelief(errands, SensorModel(design.definitions.attributes, design.parameters))
    began = time.process_time()
    steps = plan_of(belief)
    print(f'the first plan: {len(steps)} steps in {1e3 * (time.process_time() - began):.0f} ms')


if __name__ == '__main__':
    main()
