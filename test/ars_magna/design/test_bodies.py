"""Test how bodies are read into steps."""

from walking_robots.ars_magna.design.files import parse_design
from walking_robots.ars_magna.design.model import Definitions
from walking_robots.ars_magna.design.steps import (
    Assign,
    Create,
    Destroy,
    Fail,
    Give,
    If,
    Kick,
    MoveStep,
    RunAgain,
)
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


def test_a_kicker_is_read_step_by_step() -> None:
    mix = DEFINITIONS.kickers['mix']
    assert mix.probability == 0.05
    assert mix.test is not None
    assert mix.test.value({'attr': {'closed': False}.get}) is True
    assert isinstance(mix.body, tuple)
    kick, assign, choice, _, _, move, again = mix.body
    assert isinstance(kick, Kick)
    assert (kick.if_wall, kick.on, kick.dy.value({})) == (True, 'self', 0.5)
    assert kick.dx.value({'uniform': lambda low, high: high - low}) == 2.0
    assert isinstance(assign, Assign)
    # Where x is in the domain it is that symbol, and elsewhere the place of the thing.
    values = {
        name: value.value({'x': 3.5, 'attr': {'count': 4.0}.get})
        for name, value in assign.values.items()
    }
    assert values == {
        'count': 5.0,
        'color': 'red',
        'kind': 'x',
        'substance': Substance('wood', 120.0),
        'size': 3.5,
    }
    assert isinstance(choice, If)
    assert choice.then == (Destroy('self'),)
    (create,) = choice.otherwise
    assert isinstance(create, Create)
    assert (create.name, create.prototype, create.where) == ('crumb', 'crumb', 'self')
    assert create.attributes['size'].value({}) == 2.0
    assert (move, again) == (MoveStep('self', None), RunAgain(10))


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
    assert isinstance(choice, If)
    assert isinstance(choice.then[0], Assign)
    assert choice.then[0].values['locked'].value({}) is True
    assert choice.then[0].values['color'].value({'amount': 'blue'}) == 'blue'
    assert choice.otherwise[0] == Fail('NOT-HOLDING-KEY')
    assert isinstance(choice.otherwise[1], Give)
    assert choice.otherwise[1].value.value({'hand': 'the left hand'}) == 'the left hand'
    assert move == MoveStep('key', 'container')
    assert isinstance(give, Give)
    assert give.value.value({'key': 1, 'amount': 2.0, 'attr': lambda key, name: 40.0}) == 42.0
    assert (other.success, other.delay, other.body) == (1.0, 0, (Create('note'),))


def test_t97_an_attribute_says_no_more_than_it_must() -> None:
    attribute = DEFINITIONS.attributes['lock_id']
    assert (attribute.success, attribute.base, attribute.max_mult) == (1.0, 0.0, 1.0)
    assert attribute.noticed == 0.0
    # The manual's examples write support where its syntax says noticed.
    assert DEFINITIONS.attributes['odour'].noticed == 0.2
    assert DEFINITIONS.attributes['noise'].noticed == 0.3
    assert DEFINITIONS.attributes['color'].success == 0.4
