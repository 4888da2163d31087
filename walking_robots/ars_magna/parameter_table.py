"""What each parameter of the simulation means, its range, and its value without noise."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Literal

from walking_robots.ars_magna.quantities import finite, shown


class Keep(Enum):
    """Marks a parameter that a clean simulation leaves alone."""

    KEEP = 'same'


KEEP = Keep.KEEP
_MOST_TICKS = 1_000_000
_LARGE = 1.0e6
"""Bounds what ars_magna.md §3 leaves open, so that no value makes a tick endless."""


@dataclass(frozen=True)
class ParameterInfo:
    """One row of the tables in ars_magna.md §3.

    id: 'P01' to 'P42', '' for one of §3.6; original: its name in the manual; low, high: its range,
    without ``low`` where ``is_open``; clean: its value in a clean simulation (§3.5); optional:
    None is a value too; choices: the words that are values, where it is a word.
    """

    id: str
    original: str
    unit: str
    low: float
    high: float
    meaning: str
    clean: float | bool | Keep = KEEP
    kind: Literal['number', 'whole', 'flag', 'choice', 'range'] = 'number'
    is_open: bool = False
    optional: bool = False
    choices: tuple[str, ...] = ()

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


def _probability(id: str, original: str, meaning: str, clean: float | Keep = 0.0) -> ParameterInfo:
    return ParameterInfo(id, original, 'probability', 0.0, 1.0, meaning, clean)


def _delay(id: str, original: str, meaning: str) -> ParameterInfo:
    return ParameterInfo(id, original, 'ticks', 0, _MOST_TICKS, meaning, kind='whole')


def _number(
    id: str,
    original: str,
    unit: str,
    high: float,
    meaning: str,
    clean: float | Keep = KEEP,
    *,
    is_open: bool = False,
) -> ParameterInfo:
    return ParameterInfo(id, original, unit, 0.0, high, meaning, clean, is_open=is_open)


def _flag(
    meaning: str, id: str = '', original: str = '', clean: bool | Keep = KEEP
) -> ParameterInfo:
    return ParameterInfo(id, original, '', 0, 1, meaning, clean, kind='flag')


def _choice(meaning: str, *choices: str) -> ParameterInfo:
    return ParameterInfo('', '', '', 0, 0, meaning, kind='choice', choices=choices)


PARAMETERS: Mapping[str, ParameterInfo] = {
    'max_speed': _number(
        'P01', 'Max-Speed*', 'cells/tick', 1000.0, 'upper limit of the speed', is_open=True
    ),
    'max_turn_angle': _number(
        'P02', 'Max-Turn-Angle*', 'rad/tick', math.pi, 'upper limit of the turn rate'
    ),
    'min_turn_angle': _number(
        'P03', 'Min-Turn-Angle*', 'rad/tick', math.pi, 'lower limit of the turn rate'
    ),
    'braking': _delay('P04', 'Braking*', 'time from a stop command to the stop'),
    'motion_noise': _number(
        'P05', 'Motion-Noise*', 'fraction', 1.0, 'largest error of the distance of a tick', 0.0
    ),
    'robot_turn_max_error': _number(
        'P06', 'Robot-Turn-Max-Error*', 'fraction', 1.0, 'largest error of a rotation', 0.0
    ),
    'robot_align_error_prob': _probability(
        'P07', 'Robot-Align-Error-Prob*', 'an align succeeds at a wrong place type'
    ),
    'robot_move_delay': _delay('P08', 'Robot-Move-Delay*', 'time before a move starts'),
    'robot_turn_delay': _delay('P09', 'Robot-Turn-Delay*', 'time before a turn starts'),
    'robot_align_delay': _delay('P10', 'Robot-Align-Delay*', 'extra time before an align'),
    'camera_angle_max_error': _number(
        'P11',
        'Camera-Angle-Max-Error*',
        'rad',
        math.pi,
        "largest error of a designator's angle",
        0.0,
    ),
    'scan_density': ParameterInfo(
        'P12', 'Scan-Density*', 'rays', 1, 10_000, 'rays over the field of view', kind='whole'
    ),
    'prob_lose_track': _probability('P13', 'Prob-Lose-Track*', 'a true track is lost, a tick'),
    'prob_lose_false_track': _probability(
        'P14', 'Prob-Lose-False-Track*', 'a false track is lost, a tick', KEEP
    ),
    'false_desig_drift_dist': _number(
        'P15',
        'False-Desig-Drift-Dist*',
        'cells/tick',
        _LARGE,
        "largest drift of a tracked false designator's distance",
        0.0,
    ),
    'false_desig_drift_ang': _number(
        'P16',
        'False-Desig-Drift-Ang*',
        'rad/tick',
        _LARGE,
        "largest drift of a tracked false designator's angle",
        0.0,
    ),
    'camera_insert_miss_prob': _probability(
        'P17', 'Camera-Insert-Miss-Prob*', 'an insertion misses and loses the designator'
    ),
    'camera_insert_lose_desig_prob': _probability(
        'P18', 'Camera-Insert-Lose-Desig-Prob*', 'a successful insertion loses the designator'
    ),
    'camera_move_delay': _delay('P19', 'Camera-Move-Delay*', 'time of an insertion or removal'),
    'camera_align_delay': _delay('P20', 'Camera-Align-Delay*', 'time to turn a camera'),
    'camera_desig_delay': _delay(
        'P21', 'Camera-Desig-Delay*', 'time to acquire a designator or start to track'
    ),
    'type_false_pos': _probability(
        'P22', 'Type-False-Pos*', 'a random place type is read at a cell without one'
    ),
    'type_false_neg': _probability('P23', 'Type-False-Neg*', "a cell's place type is not read"),
    'prob_stop': _probability(
        'P24', 'Prob-Stop*', 'the ray that places a false designator stops, a cell', KEEP
    ),
    'miss_thing_prob': _probability(
        'P25', 'Miss-Thing-Prob*', 'a matching object is overlooked, a scan'
    ),
    'miss_place_prob': _probability(
        'P26', 'Miss-Place-Prob*', 'a visible place is overlooked, a scan'
    ),
    'pixel_error_range': _number(
        'P27', 'Pixel-Error-Range*', 'substance units', _LARGE, 'error of a pixel of a view', 0.0
    ),
    'pixel_outlier_prob': _probability(
        'P28', 'Pixel-Outlier-Prob*', 'a pixel is drawn from its whole range'
    ),
    'no_sensor_error': _flag(
        'suppresses all sensing error', 'P29', 'No-Sensor-Error*', clean=True
    ),
    'discrete_noise_factor': _number(
        'P30', 'Discrete-Noise-Factor*', '1/cell', _LARGE, 'how distance disturbs symbols'
    ),
    'continuous_noise_factor': _number(
        'P31',
        'Continuous-Noise-Factor*',
        'cells',
        _LARGE,
        'how distance disturbs numbers',
        is_open=True,
    ),
    'standard_match_threshold': _number(
        'P32', 'Standard-Match-Threshold*', 'attribute units', _LARGE, 'default of a match'
    ),
    'prob_miss_grasp': _probability('P33', 'Prob-Miss-Grasp*', 'a grasp misses'),
    'prob_grasp_lose_desig': _probability(
        'P34', 'Prob-Grasp-Lose-Desig*', 'a grasp loses a designator on the object'
    ),
    'hand_insert_miss_prob': _probability('P35', 'Hand-Insert-Miss-Prob*', 'an insertion misses'),
    'hand_insert_lose_desig_prob': _probability(
        'P36', 'Hand-Insert-Lose-Desig-Prob*', 'a missed insertion loses a designator'
    ),
    'hand_move_delay': _delay('P37', 'Hand-Move-Delay*', 'time to move the hand'),
    'hand_grasp_delay': _delay('P38', 'Hand-Grasp-Delay*', 'extra time of a grasp'),
    'bin_close_jam_prob': _probability(
        'P39', 'Bin-Close-Jam-Prob*', 'the lid jams if anything is inside'
    ),
    'bin_delay': _delay('P40', 'Bin-Delay*', 'time to open or close a bin'),
    'graphics_scale': ParameterInfo(
        'P41', 'graphics-scale*', 'pixels', 3, 200, 'side of a cell in pictures', kind='whole'
    ),
    'flush_all_errors': _flag('suppresses messages about errors', 'P42', 'flush-all-errors*'),
    'tick_sim_seconds': _number('', '', 's', 3600.0, 'simulated time of a tick', is_open=True),
    'initial_speed': ParameterInfo(
        '', '', 'cells/tick', 0.0, 1000.0, 'speed at the start', optional=True
    ),
    'initial_turn_angle': ParameterInfo(
        '', '', 'rad/tick', 0.0, math.pi, 'turn rate at the start', optional=True
    ),
    'false_object_prob': _probability('', '', 'a search yields a false object'),
    'max_false_per_scan': ParameterInfo(
        '', '', '', 0, 1000, 'most false designators of an all-search', kind='whole'
    ),
    'camera_distance_rel_error': _number(
        '', '', 'fraction', 1.0, 'largest relative error of a perceived distance', 0.0
    ),
    'all_search_extra_per_item': _delay('', '', 'extra time of an all-search for each item'),
    'numeric_noise_form': _choice('how distance enters §7.2', 'printed', 'reciprocal'),
    'odometry_interval_mode': _choice('how intervals of §7.5 are made', 'random', 'sound'),
    'pixel_noise_form': _choice('distribution of the error of a pixel', 'uniform', 'gaussian'),
    'pixel_range': ParameterInfo(
        '',
        '',
        'substance units',
        -_LARGE,
        _LARGE,
        'range of outliers; without it [0, 128], or wider as the map needs',
        kind='range',
        optional=True,
    ),
    'transparent_weight': _number(
        '', '', 'fraction', 1.0, 'how much see-through objects disturb a view'
    ),
    'untracked_desig_grace': _delay('', '', 'life of an untracked designator after a movement'),
    'hand_size': _number('', '', 'size units', _LARGE, 'room that a hand needs'),
    'camera_size': _number('', '', 'size units', _LARGE, 'room that a camera needs'),
    'collision': _choice('what of a move is tested', 'swept', 'endpoint'),
    'kick_from_hand': _flag('kickers can pull an object out of a hand'),
    'range_uses_default_threshold': _flag('plain ranges are matched with the threshold (§2.4)'),
    'clean_full_descriptors': _flag('clean descriptors carry all attributes (§3.5)'),
    'clean_manipulations': _flag('clean manipulations always succeed (§3.5)'),
    'pick': _choice('which of several finds a single search gives', 'random', 'nearest'),
}
"""All parameters by their names in ``Parameters``, in the order of ars_magna.md §3."""
