"""Put the names that a gait uses for itself into words, and remember its last reasons."""

from walking_robots.viewer.common.history import RecentEntries

_MODES = {
    'free_gait': 'Free gait',
    'ditch_crossing': 'Ditch crossing',
    'planned': 'Planned footholds',
    'tripod': 'Tripod gait',
    'wave': 'Wave gait',
    'ripple': 'Ripple gait',
}

# What each state of the crossing is for (asv.md §12.4).
_PURPOSES = {
    'place_legs_in_the_air': 'All six legs come down, the new ones far ahead.',
    'back_middle_legs': 'The middle legs step back behind the centre of gravity.',
    'forward_rear_legs': 'The rear legs step as far forward as they reach.',
    'forward_middle_legs': 'The middle legs step ahead of the centre of gravity.',
    'forward_front_legs': 'The front legs step to the near edge of the ditch.',
    'lift_middle_legs_and_move': 'The body moves over the edge with the middle legs in the air.',
    'move_forward_front_legs': 'The body moves until it must stop, then the front legs reach '
    'across.',
    'move_back_middle_legs': 'The body moves with the middle legs in the air, which then land '
    'far back.',
    'move_forward_middle_legs': 'The body moves, then the middle legs step across the ditch.',
    'move_forward_rear_legs': 'The body moves, then the rear legs follow.',
    'start': 'A new part of the crossing begins.',
    'one_plan_cycle_done': 'A part of the crossing is complete.',
}

_RHYTHMS = {
    'tripod': 'Three legs step while the other three carry, in turn.',
    'ripple': 'Two legs step at a time, from rear to front on both sides.',
    'wave': 'One leg steps at a time, from rear to front, first one side and then the other.',
}

# What holds a gait that repeats, by its own words for it.
_WAITS = {
    'waits for ground': 'The gait waits: a foot has met no ground yet and is on its way down.',
    'waits for margin': 'The gait waits: without the leg that is to step the body would not '
    'stand safely on the others.',
}

_PLANNED = 'Searches the swings ahead for the fastest way over the ground, and follows it.'
_FREE = 'Keeps as many legs in the air as stability allows and puts one down when it must.'


def mode_words(mode: str, cycle: int) -> str:
    """Return a heading for the mode of a gait."""
    words = _MODES.get(mode, mode.replace('_', ' ').capitalize() or 'Waiting for the robot')
    return f'{words}, part {cycle} of 5' if mode == 'ditch_crossing' and 0 < cycle < 6 else words


def purpose(mode: str, state: str) -> str:
    """Return a sentence on what the gait is after at the moment."""
    if mode == 'free_gait':
        return _FREE
    if mode == 'planned':
        return _PLANNED
    if mode in _RHYTHMS:
        return _RHYTHMS[mode]
    return _PURPOSES.get(state, state.replace('_', ' ').capitalize())


def waiting(state: str) -> tuple[str, ...]:
    """Return a sentence on what a gait that repeats waits for; nothing while it goes on."""
    sentence = _WAITS.get(state)
    return () if sentence is None else (sentence,)


class RuleLog(RecentEntries[tuple[float, str]]):
    """The last few rules that fired, with their times."""

    def __init__(self, most: int = 4) -> None:
        """Begin empty and remember the last `most`."""
        super().__init__(most)
        self._last: tuple[str, ...] = ()

    def add(self, time: float, fired: tuple[str, ...]) -> None:
        """Note the rules that fired at a time (s), except those of the previous step."""
        if time < self._time:
            self._last = ()
        self.note(time, [(time, sentence) for sentence in fired if sentence not in self._last])
        self._last = fired or self._last
