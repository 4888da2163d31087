"""Put the states of a biped and the reasons for which it leaves them into words."""

from collections.abc import Mapping

PHASES = ('Both stand', 'Lift', 'Swing', 'Lower', 'Stumble', 'Step back')
"""The phases of a half cycle, in their order, and the two that only obstacles and pushes cause."""

_FIRST = (
    ('Begins', 'The walk has not begun.'),
    ('Takes its first posture', 'The right foot goes ahead, the left one behind.'),
    ('Settles', 'The joints are held until the robot stands still.'),
    ('Finds its balance', 'Both legs push the body to its height.'),
)
_FALLEN = ('Has fallen', 'All joints are limp. "Set up again" puts the robot back to the start.')
_WAITING = ('Waiting for the robot', 'No state has been received yet.')

_HALF = (
    (
        'Both feet stand',
        'Shifts its weight, and so its speed, between the legs, until it moves fast enough to '
        'pass over the {ahead} foot.',
    ),
    ('Lifts the {other} foot', 'Shortens the {other} leg until its foot is clear of the ground.'),
    (
        'Swings the {other} foot',
        'The {other} leg mirrors the {ahead} one and gets ahead of it.',
    ),
    (
        'Lowers the {other} foot',
        'The {other} foot goes down until its switch closes: the robot does not see the ground.',
    ),
    (
        'Stumbles with the {other} foot',
        'The {other} foot has struck an obstacle and is lifted over it.',
    ),
    (
        'Steps back with the {other} foot',
        'The robot falls back, and the {other} foot goes behind it.',
    ),
)

# By the names of the ways out of the states (biped.md §9).
_REASONS: Mapping[str, str] = {
    'constants set': 'it was set up',
    'legs placed': 'the legs were sent to their places',
    'settled': 'it had stood long enough',
    'balanced': 'it had balanced long enough',
    'enough energy': 'it moved fast enough to pass over the foot ahead',
    'clear': 'the foot was clear of the ground',
    'toe strike': 'the foot struck an obstacle on its way',
    'risen': 'the foot was lifted higher',
    'falls back': 'the robot fell back over the foot that carries',
    'far enough behind': 'the foot was far enough behind',
    'landed behind': 'the foot landed behind',
    'touches ahead': 'the foot touched early, but ahead of the other',
    'stumble': 'the foot was stopped behind the other: a stumble',
    'far enough': 'the foot was far enough ahead',
    'landed': 'the foot landed',
    'fallen': 'it lies',
}


def phase_number(state: int | None) -> tuple[int, int] | None:
    """Return half cycle (0: the right leg carries) and phase (place in `PHASES`) of a state."""
    if state is None or state < 4 or state == 12:
        return None
    if state > 12:
        return (state - 13) % 2, 4 + (state - 13) // 2
    return (state - 4) // 4, state % 4


def state_words(state: int | None) -> str:
    """Return a heading for a state."""
    return _words(state)[0]


def purpose(state: int | None) -> str:
    """Return a sentence on what the robot is after in a state."""
    return _words(state)[1]


def reason(why: str) -> str:
    """Return why a state was left."""
    return _REASONS.get(why, why)


def _words(state: int | None) -> tuple[str, str]:
    """Return heading and sentence."""
    if state is None:
        return _WAITING
    found = phase_number(state)
    if found is None:
        return _FIRST[state] if state < len(_FIRST) else _FALLEN
    half, phase = found
    names = {'ahead': ('right', 'left')[half], 'other': ('left', 'right')[half]}
    title, sentence = _HALF[phase]
    return title.format(**names), sentence.format(**names)
