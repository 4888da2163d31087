"""Hold the parameters of a simulation (ars_magna.md §3)."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from types import UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from walking_robots.ars_magna.inputs import finite, normal_name, shown, suggestion

_OF_THE_MANUAL = 42
"""Parameters that the manual has; they come first, in its order."""
_MOST_TICKS = 1_000_000
_LARGE = 1.0e6
"""Bounds what ars_magna.md §3 leaves open, so that no value makes a tick endless."""


@dataclass(frozen=True)
class ParameterInfo:
    """One row of the tables in ars_magna.md §3.

    type: of its values, with None where that is one; id: 'P01' to 'P42', '' for one of §3.6; low,
    high: its range, without ``low`` where ``is_open``; clean: its value in a clean simulation
    (§3.5), None for one that cleaning leaves alone.
    """

    type: Any
    meaning: str
    unit: str = ''
    high: float = 0.0
    low: float = 0.0
    id: str = ''
    clean: float | bool | None = None
    is_open: bool = False

    @cached_property
    def optional(self) -> bool:
        """Return whether None is a value too."""
        return isinstance(self.type, UnionType)

    @cached_property
    def kind(self) -> str:
        """Return what its values are: number, whole, flag, choice or range."""
        type = get_args(self.type)[0] if self.optional else self.type
        kinds = {float: 'number', int: 'whole', bool: 'flag', Literal: 'choice', tuple: 'range'}
        return kinds[get_origin(type) or type]

    @property
    def choices(self) -> tuple[str, ...]:
        """Return the words that are values, where it is a word."""
        return get_args(self.type) if self.kind == 'choice' else ()

    @property
    def is_noise(self) -> bool:
        """Return whether it is a size or a probability of noise, which cleaning sets to 0."""
        return self.kind == 'number' and self.clean == 0.0

    def checked(self, value: object) -> object:
        """Return a value in its own type; raises ValueError that says what it must be."""
        if value is None and self.optional:
            return None
        fitting = self._fitting(value)
        if fitting is None:
            raise ValueError(f'must be {self.expected}, not {shown(value)}')
        return fitting

    def _fitting(self, value: object) -> object:
        """Return a value in its own type, None where it does not fit."""
        if self.kind == 'flag':
            return value if isinstance(value, bool) else None
        if self.kind == 'choice':
            word = value.strip().lower() if isinstance(value, str) else value
            return word if word in self.choices else None
        if self.kind == 'range':
            if not isinstance(value, list | tuple) or len(value) != 2:
                return None
            low, high = self._number(value[0]), self._number(value[1])
            return None if low is None or high is None or low > high else (low, high)
        number = self._number(value)
        if number is None or self.kind == 'number':
            return number
        return int(number) if number.is_integer() else None

    def _number(self, value: object) -> float | None:
        """Return a number within the range, None for anything else."""
        number = finite(value)
        if number is None or not self.low <= number <= self.high:
            return None
        return None if self.is_open and number == self.low else number

    @property
    def expected(self) -> str:
        """Say what it must be, to end 'must be ...'."""
        if self.kind == 'flag':
            return 'true or false'
        if self.kind == 'choice':
            return f'one of {", ".join(self.choices)}'
        unit = f' ({self.unit})' if self.unit else ''
        between = ('above', 'and at most') if self.is_open else ('from', 'to')
        bounds = f'{between[0]} {self.low:g} {between[1]} {self.high:g}{unit}'
        what = {
            'number': f'a number {bounds}',
            'whole': f'a whole number {bounds}',
            'range': f'two numbers {bounds}, the lower one first',
        }[self.kind]
        return f'{what}, or nothing' if self.optional else what


def _number(default: Any, meaning: str, unit: str, high: float, **more: Any) -> Any:
    """Return a field with what `ParameterInfo` says of it."""
    return field(
        default=default, metadata={'meaning': meaning, 'unit': unit, 'high': high, **more}
    )


def _plain(default: Any, meaning: str, **more: Any) -> Any:
    return _number(default, meaning, '', 1.0, **more)


def _probability(default: float, meaning: str, clean: float | None = 0.0) -> Any:
    return _number(default, meaning, 'probability', 1.0, clean=clean)


def _delay(default: int, meaning: str) -> Any:
    return _number(default, meaning, 'ticks', _MOST_TICKS)


@dataclass(frozen=True)
class Parameters:
    """Parameters of the simulation; ``PARAMETERS`` holds what they mean, their units and ranges.

    None means the limit for ``initial_speed`` and ``initial_turn_angle``, and a range derived from
    the map for ``pixel_range``. ``clean`` is set by ``cleaned`` alone. Raises ValueError with one
    sentence for a value outside its range.
    """

    max_speed: float = _number(1.0, 'upper limit of the speed', 'cells/tick', 1000.0, is_open=True)
    max_turn_angle: float = _number(
        math.pi / 8.0, 'upper limit of the turn rate', 'rad/tick', math.pi
    )
    min_turn_angle: float = _number(0.05, 'lower limit of the turn rate', 'rad/tick', math.pi)
    braking: int = _delay(2, 'time from a stop command to the stop')
    motion_noise: float = _number(
        0.1, 'largest error of the distance of a tick', 'fraction', 1.0, clean=0.0
    )
    robot_turn_max_error: float = _number(
        0.01, 'largest error of a rotation', 'fraction', 1.0, clean=0.0
    )
    robot_align_error_prob: float = _probability(0.1, 'an align succeeds at a wrong place type')
    robot_move_delay: int = _delay(5, 'time before a move starts')
    robot_turn_delay: int = _delay(2, 'time before a turn starts')
    robot_align_delay: int = _delay(4, 'extra time before an align')
    camera_angle_max_error: float = _number(
        0.02, "largest error of a designator's angle", 'rad', math.pi, clean=0.0
    )
    scan_density: int = _number(50, 'rays over the field of view', 'rays', 10_000, low=1)
    prob_lose_track: float = _probability(0.01, 'a true track is lost, a tick')
    prob_lose_false_track: float = _probability(0.4, 'a false track is lost, a tick', clean=None)
    false_desig_drift_dist: float = _number(
        1.0,
        "largest drift of a tracked false designator's distance",
        'cells/tick',
        _LARGE,
        clean=0.0,
    )
    false_desig_drift_ang: float = _number(
        0.2, "largest drift of a tracked false designator's angle", 'rad/tick', _LARGE, clean=0.0
    )
    camera_insert_miss_prob: float = _probability(
        0.05, 'an insertion misses and loses the designator'
    )
    camera_insert_lose_desig_prob: float = _probability(
        0.1, 'a successful insertion loses the designator'
    )
    camera_move_delay: int = _delay(2, 'time of an insertion or removal')
    camera_align_delay: int = _delay(1, 'time to turn a camera')
    camera_desig_delay: int = _delay(4, 'time to acquire a designator or start to track')
    type_false_pos: float = _probability(0.01, 'a random place type is read at a cell without one')
    type_false_neg: float = _probability(0.05, "a cell's place type is not read")
    prob_stop: float = _probability(
        0.07, 'the ray that places a false designator stops, a cell', clean=None
    )
    miss_thing_prob: float = _probability(0.05, 'a matching object is overlooked, a scan')
    miss_place_prob: float = _probability(0.1, 'a visible place is overlooked, a scan')
    pixel_error_range: float = _number(
        2.0, 'error of a pixel of a view', 'substance units', _LARGE, clean=0.0
    )
    pixel_outlier_prob: float = _probability(0.01, 'a pixel is drawn from its whole range')
    no_sensor_error: bool = _plain(False, 'suppresses all sensing error', clean=True)
    discrete_noise_factor: float = _number(0.1, 'how distance disturbs symbols', '1/cell', _LARGE)
    continuous_noise_factor: float = _number(
        0.05, 'how distance disturbs numbers', 'cells', _LARGE, is_open=True
    )
    standard_match_threshold: float = _number(0.5, 'default of a match', 'attribute units', _LARGE)
    prob_miss_grasp: float = _probability(0.04, 'a grasp misses')
    prob_grasp_lose_desig: float = _probability(0.1, 'a grasp loses a designator on the object')
    hand_insert_miss_prob: float = _probability(0.05, 'an insertion misses')
    hand_insert_lose_desig_prob: float = _probability(0.1, 'a missed insertion loses a designator')
    hand_move_delay: int = _delay(2, 'time to move the hand')
    hand_grasp_delay: int = _delay(4, 'extra time of a grasp')
    bin_close_jam_prob: float = _probability(0.01, 'the lid jams if anything is inside')
    bin_delay: int = _delay(2, 'time to open or close a bin')
    graphics_scale: int = _number(8, 'side of a cell in pictures', 'pixels', 200, low=3)
    flush_all_errors: bool = _plain(False, 'suppresses messages about errors')
    tick_sim_seconds: float = _number(1.0, 'simulated time of a tick', 's', 3600.0, is_open=True)
    initial_speed: float | None = _number(None, 'speed at the start', 'cells/tick', 1000.0)
    initial_turn_angle: float | None = _number(None, 'turn rate at the start', 'rad/tick', math.pi)
    false_object_prob: float = _probability(0.03, 'a search yields a false object')
    max_false_per_scan: int = _number(3, 'most false designators of an all-search', '', 1000)
    camera_distance_rel_error: float = _number(
        0.1, 'largest relative error of a perceived distance', 'fraction', 1.0, clean=0.0
    )
    all_search_extra_per_item: int = _delay(1, 'extra time of an all-search for each item')
    numeric_noise_form: Literal['printed', 'reciprocal'] = _plain(
        'printed', 'how distance enters §7.2'
    )
    odometry_interval_mode: Literal['random', 'sound'] = _plain(
        'random', 'how intervals of §7.5 are made'
    )
    pixel_noise_form: Literal['uniform', 'gaussian'] = _plain(
        'uniform', 'distribution of the error of a pixel'
    )
    pixel_range: tuple[float, float] | None = _number(
        None,
        'range of outliers; without it [0, 128], or wider as the map needs',
        'substance units',
        _LARGE,
        low=-_LARGE,
    )
    transparent_weight: float = _number(
        0.25, 'how much see-through objects disturb a view', 'fraction', 1.0
    )
    untracked_desig_grace: int = _delay(10, 'life of an untracked designator after a movement')
    hand_size: float = _number(0.0, 'room that a hand needs', 'size units', _LARGE)
    camera_size: float = _number(0.0, 'room that a camera needs', 'size units', _LARGE)
    collision: Literal['swept', 'endpoint'] = _plain('swept', 'what of a move is tested')
    kick_from_hand: bool = _plain(True, 'kickers can pull an object out of a hand')
    range_uses_default_threshold: bool = _plain(
        False, 'plain ranges are matched with the threshold (§2.4)'
    )
    clean_full_descriptors: bool = _plain(True, 'clean descriptors carry all attributes (§3.5)')
    clean_manipulations: bool = _plain(False, 'clean manipulations always succeed (§3.5)')
    pick: Literal['random', 'nearest'] = _plain(
        'random', 'which of several finds a single search gives'
    )
    clean: bool = False

    def __post_init__(self) -> None:
        """Bring each value to its type, and refuse what is out of range."""
        for name, info in PARAMETERS.items():
            try:
                object.__setattr__(self, name, info.checked(getattr(self, name)))
            except ValueError as error:
                default = getattr(type(self), name)
                example = '' if default is None else f' (default {_shown(default)})'
                raise ValueError(f'parameter {name} {error}{example}') from None
        if self.min_turn_angle > self.max_turn_angle:
            raise ValueError(
                f'parameter min_turn_angle, {self.min_turn_angle:g} rad, must not be above '
                f'max_turn_angle, {self.max_turn_angle:g} rad; change both together'
            )

    def with_values(self, /, **values: Any) -> 'Parameters':
        """Return these with some changed, by their names here or in the manual.

        Raises ValueError with one sentence for an unknown name or a wrong value.
        """
        changes = {}
        for name, value in values.items():
            key = normal_name(name).rstrip('*')
            if key == 'rng_seed':
                raise ValueError(
                    "'rng_seed' is no parameter here; give the seed to Simulator, or by --seed"
                )
            if key not in PARAMETERS:
                raise ValueError(
                    f"there is no parameter '{name[:40]}'; {suggestion(key, PARAMETERS)}"
                )
            changes[key] = value
        return replace(self, **changes)

    def cleaned(self) -> 'Parameters':
        """Return these without noise (ars_magna.md §3.5); keep the old ones to restore them."""
        values: dict[str, Any] = {
            name: info.clean for name, info in PARAMETERS.items() if info.clean is not None
        }
        return replace(self, clean=True, **values)

    def with_noise(self, factor: float) -> 'Parameters':
        """Return these with every size and probability of noise times a factor, within its range.

        The noise of attributes and the confusion of places are part of their definitions and stay.
        Raises ValueError for a negative or endless factor.
        """
        if not 0.0 <= factor < math.inf:
            raise ValueError(f'the factor of noise must be 0 or more, not {factor}')
        values: dict[str, Any] = {
            name: min(getattr(self, name) * factor, info.high)
            for name, info in PARAMETERS.items()
            if info.is_noise
        }
        return replace(self, **values)

    @cached_property
    def senses_exactly(self) -> bool:
        """Return whether sensing is without error (P29, and any clean simulation)."""
        return self.no_sensor_error or self.clean

    @property
    def starting_speed(self) -> float:
        """Return the speed of a robot at the start, cells/tick, within the limit."""
        speed = self.max_speed if self.initial_speed is None else self.initial_speed
        return min(speed, self.max_speed)

    @property
    def starting_turn_angle(self) -> float:
        """Return the turn rate of a robot at the start, rad/tick, within the limits."""
        angle = self.initial_turn_angle
        if angle is None:
            return self.max_turn_angle
        return min(max(angle, self.min_turn_angle), self.max_turn_angle)


def _shown(value: object) -> str:
    """Return a value as files write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


PARAMETERS: Mapping[str, ParameterInfo] = {
    found.name: ParameterInfo(
        get_type_hints(Parameters)[found.name],
        id=f'P{number:02}' if number <= _OF_THE_MANUAL else '',
        **found.metadata,
    )
    for number, found in enumerate(fields(Parameters), 1)
    if found.metadata
}
"""All parameters by their names in ``Parameters``, in the order of ars_magna.md §3."""
