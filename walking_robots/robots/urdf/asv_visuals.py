"""How the Adaptive Suspension Vehicle is drawn: shapes, joint limits and guessed masses, in SI.

The report leaves the outline of the body open and its program neglects the mass of the legs
(asv.md §3.1, F1): everything here serves the picture and no algorithm.
"""

from dataclasses import dataclass

from walking_robots.robots.asv import ft

Triple = tuple[float, float, float]


@dataclass(frozen=True)
class BoxVisual:
    """A box by its size and the place of its centre in the body frame, m, and its material."""

    size: Triple
    centre: Triple
    material: str


@dataclass(frozen=True)
class Looks:
    """Shapes (m), joint limits (rad, m) and masses (kg) of a drawn hexapod."""

    body: tuple[BoxVisual, ...]
    body_mass: float
    leg_link_mass: float
    abduction_limit: float
    lift_range: tuple[float, float]
    drive_limit: float
    thigh_section: tuple[float, float]
    shank_section: tuple[float, float]
    rod_section: tuple[float, float]
    foot_radius: float
    panel: float


ASV_VISUALS = Looks(
    body=(
        BoxVisual((ft(14.0), ft(2.5), ft(1.1)), (0.0, 0.0, ft(-0.25)), 'hull'),
        BoxVisual((ft(12.6), ft(3.24), ft(0.5)), (ft(-0.3), 0.0, ft(0.05)), 'frame'),
        BoxVisual((ft(6.2), ft(2.2), ft(1.2)), (ft(-2.4), 0.0, ft(0.9)), 'hull'),
        BoxVisual((ft(2.4), ft(0.7), ft(0.3)), (ft(-3.6), 0.0, ft(1.55)), 'frame'),
        BoxVisual((ft(2.6), ft(2.1), ft(1.4)), (ft(4.2), 0.0, ft(1.0)), 'cabin'),
        BoxVisual((ft(2.7), ft(2.2), ft(0.12)), (ft(4.2), 0.0, ft(1.75)), 'front'),
        BoxVisual((ft(0.7), ft(0.9), ft(0.4)), (ft(5.1), 0.0, ft(2.0)), 'frame'),
        BoxVisual((ft(0.12), ft(2.54), ft(1.14)), (ft(7.0), 0.0, ft(-0.25)), 'front'),
    ),
    body_mass=2300.0,
    leg_link_mass=20.0,
    abduction_limit=0.7,
    lift_range=(ft(0.2), ft(1.6)),
    drive_limit=ft(0.9),
    thigh_section=(0.11, 0.08),
    shank_section=(0.085, 0.065),
    rod_section=(0.045, 0.04),
    foot_radius=0.1,
    panel=0.006,
)
