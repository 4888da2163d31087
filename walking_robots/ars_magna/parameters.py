"""Hold the parameters of a simulation (ars_magna.md §3)."""

import math
from dataclasses import dataclass, replace
from typing import Any, Literal

from walking_robots.ars_magna.names import normal_name, suggestion
from walking_robots.ars_magna.parameter_table import KEEP, PARAMETERS


@dataclass(frozen=True)
class Parameters:
    """Parameters of the simulation; ``PARAMETERS`` holds what they mean, their units and ranges.

    None means the limit for ``initial_speed`` and ``initial_turn_angle``, and a range derived from
    the map for ``pixel_range``. ``clean`` is set by ``cleaned`` alone. Raises ValueError with one
    sentence for a value outside its range.
    """

    max_speed: float = 1.0
    max_turn_angle: float = math.pi / 8.0
    min_turn_angle: float = 0.05
    braking: int = 2
    motion_noise: float = 0.1
    robot_turn_max_error: float = 0.01
    robot_align_error_prob: float = 0.1
    robot_move_delay: int = 5
    robot_turn_delay: int = 2
    robot_align_delay: int = 4
    camera_angle_max_error: float = 0.02
    scan_density: int = 50
    prob_lose_track: float = 0.01
    prob_lose_false_track: float = 0.4
    false_desig_drift_dist: float = 1.0
    false_desig_drift_ang: float = 0.2
    camera_insert_miss_prob: float = 0.05
    camera_insert_lose_desig_prob: float = 0.1
    camera_move_delay: int = 2
    camera_align_delay: int = 1
    camera_desig_delay: int = 4
    type_false_pos: float = 0.01
    type_false_neg: float = 0.05
    prob_stop: float = 0.07
    miss_thing_prob: float = 0.05
    miss_place_prob: float = 0.1
    pixel_error_range: float = 2.0
    pixel_outlier_prob: float = 0.01
    no_sensor_error: bool = False
    discrete_noise_factor: float = 0.1
    continuous_noise_factor: float = 0.05
    standard_match_threshold: float = 0.5
    prob_miss_grasp: float = 0.04
    prob_grasp_lose_desig: float = 0.1
    hand_insert_miss_prob: float = 0.05
    hand_insert_lose_desig_prob: float = 0.1
    hand_move_delay: int = 2
    hand_grasp_delay: int = 4
    bin_close_jam_prob: float = 0.01
    bin_delay: int = 2
    graphics_scale: int = 8
    flush_all_errors: bool = False
    tick_sim_seconds: float = 1.0
    initial_speed: float | None = None
    initial_turn_angle: float | None = None
    false_object_prob: float = 0.03
    max_false_per_scan: int = 3
    camera_distance_rel_error: float = 0.1
    all_search_extra_per_item: int = 1
    numeric_noise_form: Literal['printed', 'reciprocal'] = 'printed'
    odometry_interval_mode: Literal['random', 'sound'] = 'random'
    pixel_noise_form: Literal['uniform', 'gaussian'] = 'uniform'
    pixel_range: tuple[float, float] | None = None
    transparent_weight: float = 0.25
    untracked_desig_grace: int = 10
    hand_size: float = 0.0
    camera_size: float = 0.0
    collision: Literal['swept', 'endpoint'] = 'swept'
    kick_from_hand: bool = True
    range_uses_default_threshold: bool = False
    clean_full_descriptors: bool = True
    clean_manipulations: bool = False
    pick: Literal['random', 'nearest'] = 'random'
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
            name: info.clean for name, info in PARAMETERS.items() if info.clean is not KEEP
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

    @property
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
