"""What may be chosen of an emulated Scout. All SI."""

import math
from dataclasses import dataclass
from typing import Literal, get_args

from walking_robots.worlds.moving_disc import Jump, ScriptedDisc

Overflow = Literal['wrap', 'saturate']
"""What becomes of x and y beyond the numbers of the wire; not known, so both (§4.9)."""
Zeroing = Literal['reset', 'nothing']
"""What ``zr`` does; the sources contradict one another, so both (§7.4)."""


@dataclass(frozen=True)
class EmulatorSettings:
    """Choices, since none of these is in the sources, except ``baud`` (§1.1).

    slip: each wheel goes up to this share further or less far than its encoder says, drawn once.
    wheel_separation: the true one, m, None for what the controller believes in.
    sonar_noise: sigma, as a share of the distance. beam_rays: of one sensor.
    specular_angle: an echo comes back from a ray that meets a face within this angle of its
    normal, rad; 25 degrees lets a flat wall answer about three sensors of the ring.
    rough_probability: how often a firing gets its echo whatever the angle.
    latency: from the end of a request to the beginning of the reply, s.
    battery_start, V; battery_drain and battery_charge, V/s, where 24 h empty a battery;
    plugged: on external power, by which the battery is charged.
    object_radius: of a thing that moves about, m; object_script: where it is when, in s since the
    emulator began; without one there is nothing until somebody puts it there.

    Raises ValueError, one sentence, for what cannot be.
    """

    slip: float = 0.0
    wheel_separation: float | None = None
    sonar_noise: float = 0.01
    beam_rays: int = 9
    specular_angle: float = math.radians(25.0)
    rough_probability: float = 0.1
    overflow: Overflow = 'wrap'
    zeroing: Zeroing = 'reset'
    latency: float = 0.002
    baud: int = 38400
    battery_start: float = 12.5
    battery_drain: float = 1.4e-5
    battery_charge: float = 1e-4
    plugged: bool = False
    object_radius: float = 0.25
    object_script: tuple[Jump, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        for name in (
            'slip', 'sonar_noise', 'latency', 'battery_start', 'battery_drain', 'battery_charge'
        ):  # fmt: skip
            if not (math.isfinite(getattr(self, name)) and getattr(self, name) >= 0.0):
                raise ValueError(f'{name} must be a number that is not negative')
        if self.slip >= 1.0:
            raise ValueError('slip must be less than 1: a wheel goes somewhere when it turns')
        if self.wheel_separation is not None and not 0.0 < self.wheel_separation < math.inf:
            raise ValueError('wheel_separation must be a length greater than 0, m')
        if self.beam_rays < 1:
            raise ValueError('beam_rays must be at least 1')
        if not 0.0 <= self.specular_angle <= 0.5 * math.pi:
            raise ValueError('specular_angle must lie between 0 and a right angle, rad')
        if not 0.0 <= self.rough_probability <= 1.0:
            raise ValueError('rough_probability must lie between 0 and 1')
        if self.overflow not in get_args(Overflow):
            raise ValueError(f'overflow must be one of {", ".join(get_args(Overflow))}')
        if self.zeroing not in get_args(Zeroing):
            raise ValueError(f'zeroing must be one of {", ".join(get_args(Zeroing))}')
        if self.baud <= 0:
            raise ValueError('baud must be greater than 0')
        self.scripted_object()

    def scripted_object(self) -> ScriptedDisc:
        """Return the object at the beginning of its script."""
        return ScriptedDisc(self.object_radius, self.object_script)
