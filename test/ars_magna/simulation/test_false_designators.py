"""What a robot may know of a designator does not say whether it is false (ars_magna.md §1.11)."""

import math
from collections import Counter

import pytest
from ars_stage import Stage

from walking_robots.ars_magna.agent.messages import NON_LOCAL, DesignatorReport
from walking_robots.ars_magna.design.files import load_design
from walking_robots.ars_magna.sensing.attributes import Substance
from walking_robots.ars_magna.simulation.local import connect
from walking_robots.ars_magna.simulation.simulator import Simulator
from walking_robots.documents.shipped_worlds import find_world

LIMITS = (-5, -2, 0, 1, 2, 5, 10, 15, 20, 62, 66, 100, 115, 119.5, 125)
SEARCHES = 1000
BOX = """
  objects:
    - name: box
      at: [20.5, 20.5]
      attrs: {size: 9, capacity: 8, color: red}
      contents: [{name: pen, attrs: {size: 1}}]
"""


def traits(found: DesignatorReport, rank: int, others: int) -> set[object]:
    """Return what can be seen of a designator, besides where it seems to be."""
    assert not isinstance(found.data, str)
    seen = {('rank', rank / others > 0.5), found.type, tuple(found.data), len(found.data)}
    for name, value in found.data.items():
        number = value.parameter if isinstance(value, Substance) else value
        seen |= {('tells', name), (name, type(value).__name__)}
        if isinstance(value, Substance):
            seen.add(('type', value.type))
        if isinstance(number, bool | str):
            seen.add((name, number))
        else:
            seen |= {(name, 'above', limit) for limit in LIMITS if number > limit}
            seen.add((name, 'whole', number.is_integer()))
    return seen


@pytest.mark.parametrize(
    'requested',
    [
        (),
        {'substance': (62, 66)},
        {'substance': (115, 119.5)},
        {'color': ['red', 'violet']},
        {'size': (0, 4)},
    ],
    ids=str,
)
def test_no_property_distinguishes_false_designators_from_true_ones(requested):
    simulator = Simulator(load_design(str(find_world('big_room'))), 7)
    world = simulator.world
    world.parameters = world.parameters.with_values(
        false_object_prob=0.7, camera_desig_delay=0, all_search_extra_per_item=0
    )
    truth = world.robots['robbie']
    camera = connect(simulator, 'robbie').cameras[1]
    counts, numbers = (Counter(), Counter()), [0, 0]
    for number in range(SEARCHES):
        # Before the lamp and the boxes, and beyond a wall before the table: each of the four
        # things on the ground is seen as often, and so far off that its readings do not tell.
        truth.x, truth.y = (36.0, 15.0) if number % 2 else (12.0, 20.0)
        search = camera.get_all_object_designators(NON_LOCAL, requested)
        simulator.tick()
        found = search.result().value if search.result().ok else ()
        for rank, designator in enumerate(found):
            meant = truth.designations[designator.number]
            counts[meant.is_false].update(traits(meant.sighting, rank + 1, len(found)))
            numbers[meant.is_false] += 1
    assert min(numbers) > 100
    for trait in counts[0] | counts[1]:
        shares = [count[trait] / number for count, number in zip(counts, numbers, strict=True)]
        middle = sum(count[trait] for count in counts) / sum(numbers)
        deviation = math.sqrt(middle * (1 - middle) * sum(1 / number for number in numbers))
        # By chance once in 16000 properties.
        assert abs(shares[0] - shares[1]) <= 4.0 * deviation, (trait, shares)


@pytest.mark.parametrize('into', ['box', 'bin'])
def test_in_a_container_a_false_designator_is_where_that_is(into):
    stage = Stage(BOX, clean=False, false_object_prob=0.9, camera_insert_miss_prob=0)
    stage.truth.cameras[0].inside = stage.thing('box') if into == 'box' else stage.truth.bins[0]
    found = stage.wait(stage.eye.get_all_object_designators('local', ())).value
    meant = [stage.truth.designations[one.number] for one in found]
    assert any(one.is_false for one in meant)
    bearing = stage.truth.bearing_of(20.5, 20.5) if into == 'box' else 0.0
    assert all(abs(one.angle - bearing) <= 0.02 for one in found)
    # What true ones do when their container goes elsewhere, a false one does, too.
    if into == 'box':
        stage.world.scene.drop(stage.thing('box'), 20.4, 20.5)
        stage.tick(stage.world.parameters.untracked_desig_grace + 1)
        assert not any(one.valid for one in found)
