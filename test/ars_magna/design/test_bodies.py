"""Test how bodies are read into steps."""

from collections.abc import Mapping
from typing import Any

from walking_robots.ars_magna.design.files import parse_design
from walking_robots.ars_magna.design.model import Definitions, Step
from walking_robots.ars_magna.sensing.attributes import Substance
from walking_robots.ars_magna.sensing.specifications import specification

TEXT = """\
ars_schema: 1
world:
  name: hall
  size: [8, 6]
  substances: {wood: 120}
  prototypes: {crumb: {size: 0.1}}
attributes:
  kind: {domain: [key, x]}
  lock-id: {domain: numeric}
  odour: {domain: numeric, noticed: 0.2}
  noise: {domain: numeric, support: 0.3}
  locked: {domain: [true, false]}
  Count: {domain: numeric}
  stride: {domain: [0.5, 1, far]}
kickers:
  mix:
    prob: 0.05
    test: not attr('closed')
    body:
      - kick: {dx: 'uniform(-1, 1)', dy: 0.5, kick_if_wall: true}
      - set: {self: {count: attr('count') + 1, color: Red, kind: x, substance: wood, size: x}}
      - if: tick > 5
        then: [{destroy: self}]
        else: [{create: {name: crumb, prototype: crumb, attrs: {size: 2}, where: self}}]
      - kick: {dx: attr('stride'), dy: "attr('substance') - uniform(0, attr('stride'))"}
      - set: {self: {locked: x > 2, stride: attr('stride'), substance: attr('substance')}}
      - move: {on: self}
      - run_again: {times: 10}
manipulations:
  lock:
    - objects:
        container: {capacity: [0.1, 9999], lock_id: "?x"}
        key: {kind: key, lock_id: "?x"}
      by: hand
      others: [amount]
      success: 0.9
      delay: 1
      body:
        - if: "in_location(key, hand)"
          then: [{set: {container: {locked: true, color: amount}}}, {return: hand}]
          else: [{error: NOT_HOLDING_KEY}, {return: hand}]
        - move: {on: key, into: container}
        - return: attr(key, 'lock-id') + amount
    - {objects: {container: {}}, by: hand, body: [{create: {name: Note}}]}
"""
DEFINITIONS: Definitions = parse_design(TEXT).definitions


def worked_out(step: Step, **scope: Any) -> tuple[Any, ...]:
    """Return what the arguments of a step come to."""
    return tuple(
        {name: value.value(scope) for name, value in found.items()}
        if isinstance(found, Mapping)
        else found.value(scope)
        for found in step.arguments
    )


def test_a_kicker_is_read_step_by_step() -> None:
    mix = DEFINITIONS.kickers['mix']
    assert mix.probability == 0.05
    assert mix.test is not None
    assert mix.test.value({'attr': {'closed': False}.get}) is True
    assert isinstance(mix.body, tuple)
    kick, assign, choice, _, _, move, again = mix.body
    kinds = [step.kind for step in mix.body]
    assert kinds == ['kick', 'set', 'if', 'kick', 'set', 'move', 'run_again']
    assert worked_out(kick, self='lamp', uniform=lambda low, high: high - low) == (
        'lamp',
        2.0,
        0.5,
        True,
    )
    # Where x is in the domain it is that symbol, and elsewhere the place of the thing.
    assert worked_out(assign, self='lamp', x=3.5, attr={'count': 4.0}.get) == (
        'lamp',
        {
            'count': 5.0,
            'color': 'red',
            'kind': 'x',
            'substance': Substance('wood', 120.0),
            'size': 3.5,
        },
    )
    assert worked_out(choice, tick=6) == (True,)
    (destroy,), (create,) = choice.then, choice.otherwise
    assert (destroy.kind, worked_out(destroy, self='lamp')) == ('destroy', ('lamp',))
    assert create.kind == 'create'
    assert worked_out(create, self='lamp') == ('crumb', 'crumb', {'size': 2.0}, 'lamp')
    assert worked_out(move, self='lamp') == ('lamp', None)
    assert worked_out(again) == (10,)


def test_the_lock_of_the_manual_is_read() -> None:
    method, other = DEFINITIONS.manipulations['lock'].methods
    assert (method.by, method.others, method.success, method.delay) == (
        'hand',
        ('amount',),
        0.9,
        1,
    )
    attributes = DEFINITIONS.attributes
    assert method.objects == (
        (
            'container',
            specification({'capacity': (0.1, 9999), 'lock_id': '?x'}, attributes, variables=True),
        ),
        ('key', specification({'kind': 'key', 'lock_id': '?x'}, attributes, variables=True)),
    )
    choice, move, give = method.body
    assign, hand = choice.then
    assert worked_out(assign, container='box', amount='blue') == (
        'box',
        {'locked': True, 'color': 'blue'},
    )
    fail, also_hand = choice.otherwise
    assert (fail.kind, worked_out(fail)) == ('error', ('NOT-HOLDING-KEY',))
    assert hand.kind == also_hand.kind == give.kind == 'return'
    assert worked_out(also_hand, hand='the left hand') == ('the left hand',)
    assert (move.kind, worked_out(move, key='key', container='box')) == ('move', ('key', 'box'))
    assert worked_out(give, key=1, amount=2.0, attr=lambda key, name: 40.0) == (42.0,)
    (create,) = other.body
    assert (other.success, other.delay, create.kind) == (1.0, 0, 'create')
    assert worked_out(create) == ('note', None, {}, None)


def test_t97_an_attribute_says_no_more_than_it_must() -> None:
    attribute = DEFINITIONS.attributes['lock_id']
    assert (attribute.success, attribute.base, attribute.max_mult) == (1.0, 0.0, 1.0)
    assert attribute.noticed == 0.0
    # The manual's examples write support where its syntax says noticed.
    assert DEFINITIONS.attributes['odour'].noticed == 0.2
    assert DEFINITIONS.attributes['noise'].noticed == 0.3
    assert DEFINITIONS.attributes['color'].success == 0.4
