"""Random programs over all commands, in a world with kickers, containers and a manipulation."""

from hypothesis import strategies as st

from walking_robots.ars_magna.commands import COMMANDS

WORLD = """
  walls:
    - rect: {from: [12, 12], to: [28, 28]}
    - wall: {from: [23, 12], to: [23, 18]}
  objects:
    - name: crate
      at: [20, 20]
      attrs: {size: 9, capacity: 8, weight: 1, color: red}
      contents:
        - name: cup
          attrs: {size: 2, capacity: 2, weight: 1, color: blue}
          contents: [{name: pea}]
    - {name: ball, at: [20.2, 20], attrs: {size: 1, color: green, weight: 2}}
    - {name: lamp, at: [25, 21], attrs: {size: 2, color: violet, obsview: true}}
    - {name: post, at: [20, 16], attrs: {obsmove: true}}
  kickers: [{use: roll, on: ball}, {use: swing, on: crate}]
"""
KICKERS = """
kickers:
  roll:
    prob: 0.05
    body: [{kick: {dx: 'uniform(-1, 1)', dy: 'uniform(-1, 1)', kick_if_wall: true}}]
  swing: {prob: 0.05, test: 'not in_hand', body: [{set: {self: {closed: "not attr('closed')"}}}]}
manipulations:
  paint:
    - {objects: {it: {size: [0, 100]}}, by: hand, success: 0.8, delay: 2,
       body: [{set: {it: {color: red}}}, {return: hand}]}
"""

whole = st.integers(0, 12)
angle = st.floats(-4, 4)
place = st.sampled_from(['bin', 'designator'])
ARGUMENTS = {
    'set_speed': st.tuples(st.floats(-1, 2)),
    'set_turn_angle': st.tuples(st.floats(-1, 2)),
    'turn': st.tuples(angle),
    'go_forward': st.tuples(whole),
    'follow_wall': st.tuples(st.sampled_from(['left', 'right']), whole),
    'goto_designator': st.tuples(st.integers(0, 1)),
    'find_object': st.tuples(
        st.sampled_from(['local', 'local', 'non-local']),
        st.sampled_from([(), (('size', 2, 3),), (('color', ('red', 'blue')),)]),
        st.booleans(),
    ),
    'find_place': st.tuples(st.sampled_from(['concave', 'doorway', 'nook']), st.booleans()),
    'camera_track': st.tuples(whole),
    'camera_turn': st.tuples(angle),
    'camera_insert': st.tuples(place, st.integers(0, 1)),
    'hand_grasp': st.tuples(st.integers(0, 1), whole),
    'hand_insert': st.tuples(place, st.integers(0, 1)),
    'manipulate': st.tuples(
        st.just('paint'), st.lists(whole, max_size=2), st.just('hand'), st.just(())
    ),
}
NAMES = list(COMMANDS)


@st.composite
def orders(draw):
    """Draw a command, its part, its arguments, and how many ticks pass before the next."""
    name = draw(st.sampled_from(NAMES))
    arguments = draw(ARGUMENTS.get(name, st.just(())))
    return name, draw(st.integers(0, 1)), arguments, draw(st.integers(0, 7))


@st.composite
def handlings(draw):
    """Draw what hands are for: find, track and grasp, and then something with it."""
    eye, hand, pause = draw(st.integers(0, 1)), draw(st.integers(0, 1)), st.integers(2, 5)
    kind = draw(st.sampled_from(['local', 'local', 'non-local']))
    then = {
        'local': ['hand_grasp', 'hand_insert', 'camera_insert', 'manipulate'],
        'non-local': ['goto_designator'],
    }[kind]
    steps = [
        ('find_object', eye, (kind, (), False), draw(pause)),
        ('camera_track', eye, (0,), draw(pause)),
    ]
    for name in draw(st.lists(st.sampled_from(then), min_size=1, max_size=3)):
        arguments = {
            'hand_grasp': (eye, 0),
            'goto_designator': (eye,),
            'manipulate': ('paint', [0], 'hand', ()),
        }.get(name, ('designator', 0))
        part = eye if name == 'camera_insert' else hand
        steps.append((name, part, arguments, draw(pause)))
    for name in draw(st.lists(st.sampled_from(['hand_insert', 'hand_track', 'hand_ungrasp']))):
        arguments = ('bin', draw(st.integers(0, 1))) if name == 'hand_insert' else ()
        steps.append((name, hand, arguments, draw(pause)))
    return steps


programs = st.lists(
    st.one_of(st.lists(orders(), min_size=1, max_size=6), handlings()), min_size=2, max_size=6
)


def aimed(robot, name, part, arguments):
    """Return arguments that name designators that there are, if there are any."""
    valid = sorted(robot.designations)
    if not valid:
        return arguments
    if name == 'camera_track':
        return (valid[-1 - arguments[0] % len(valid)],)
    if name in ('camera_insert', 'hand_insert') and arguments[0] == 'designator':
        track = robot.cameras[part].track
        return 'designator', valid[-1] if track is None else track.number
    if name == 'hand_grasp':
        track = robot.cameras[arguments[0]].track
        return arguments[0], arguments[1] if track is None else track.number
    if name == 'manipulate':
        return arguments[0], [valid[n % len(valid)] for n in arguments[1]], *arguments[2:]
    return arguments


QUICK = {
    'camera_desig_delay': 1,
    'robot_move_delay': 1,
    'hand_grasp_delay': 1,
    'hand_move_delay': 1,
    'numeric_noise_form': 'reciprocal',
}
"""Short times, so that commands come to something before the next one."""
