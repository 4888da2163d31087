"""The Adaptive Suspension Vehicle, in the feet of its report, converted here to SI.

Source of every number: ``asv.md`` §3 to §12 and §22. Lengths written through ``ft`` are feet.
"""

from walking_robots.geometry.pose import Vector
from walking_robots.geometry.units import FOOT
from walking_robots.robots.model import (
    CommandLimits,
    DitchCrossing,
    HalfSpace,
    HexapodModel,
    KinematicMarginLimits,
    LegModel,
    PantographModel,
    PostureRegulator,
    StabilityLimits,
    TransferTiming,
    VelocityFilter,
)

PITCH_FT = 6.0
VOLUME_LENGTH_FT = 7.0
DT = 0.1

_COS, _SIN = 0.9397, 0.3420
_WEDGE_OFFSET_FT, _WEDGE_AXIS_FT = 2.569, 2.7339
_Z_TOP_FT, _Z_BOTTOM_FT = -3.316, -5.7313
_ROWS = ('front', 'front', 'middle', 'middle', 'rear', 'rear')
_X_RANGE_FT = {'front': (2.5, 9.5), 'middle': (-3.5, 3.5), 'rear': (-9.5, -2.5)}
_START_X_FT = {'front': 5.0, 'middle': 0.0, 'rear': -5.0}
_HIP_X_FT = {'front': PITCH_FT, 'middle': 0.0, 'rear': -PITCH_FT}
_TEMPLATE_X_FT = {
    'front': (9, 8, 7, 6, 5, 4, 3),
    'middle': (3, 2, 1, 0, -1, -2, -3),
    'rear': (-3, -4, -5, -6, -7, -8, -9),
}
_TEMPLATE_Y_FT = (4.3, 3.3, 2.3, 1.3)
_NEIGHBOURS = {1: (3,), 2: (4,), 3: (1, 5), 4: (2, 6), 5: (3,), 6: (4,)}
_SUPPORTING = (1, 4, 5)

SAFETY_MARGIN_FT = 0.5
DIGITISATION_FT = 0.5


def ft(value: float) -> float:
    """Convert feet (ft/s, ft/s²) to metres (m/s, m/s²)."""
    return value * FOOT


def _vector(x: float, y: float, z: float) -> Vector:
    return (ft(x), ft(y), ft(z))


def _volume(side: int, row: str) -> tuple[HalfSpace, ...]:
    x_min, x_max = _X_RANGE_FT[row]
    wedge = -side * ft(_WEDGE_OFFSET_FT)
    return (
        HalfSpace('up', (0.0, 0.0, 1.0), ft(-_Z_TOP_FT), -1),
        HalfSpace('front', (1.0, 0.0, 0.0), ft(-x_max), -1),
        HalfSpace('left', (0.0, _COS, _SIN), wedge, -1),
        HalfSpace('bottom', (0.0, 0.0, 1.0), ft(-_Z_BOTTOM_FT), 1),
        HalfSpace('rear', (1.0, 0.0, 0.0), ft(-x_min), 1),
        HalfSpace('right', (0.0, _COS, -_SIN), wedge, 1),
    )


def _search_edges(side: int, row: str) -> tuple[tuple[Vector, Vector], ...]:
    x_min, x_max = _X_RANGE_FT[row]
    axis = side * _WEDGE_AXIS_FT
    outward, inward = (0.0, _SIN, -_COS), (0.0, -_SIN, -_COS)
    front, rear = _vector(x_max, axis, 0.0), _vector(x_min, axis, 0.0)
    return ((front, outward), (front, inward), (rear, inward), (rear, outward))


def _leg(number: int) -> LegModel:
    side = 1 if number % 2 else -1
    row = _ROWS[number - 1]
    return LegModel(
        number=number,
        side=side,
        hip=_vector(_HIP_X_FT[row], side * 1.62, 0.0),
        volume=_volume(side, row),
        search_edges=_search_edges(side, row),
        template=tuple((ft(x), side * ft(y)) for x in _TEMPLATE_X_FT[row] for y in _TEMPLATE_Y_FT),
        start_foot=_vector(_START_X_FT[row], side * 3.0, -5.4),
        ready_foot=_vector(_START_X_FT[row], side * 3.0, -4.0),
        starts_supporting=number in _SUPPORTING,
        neighbours=_NEIGHBOURS[number],
    )


# s1 is the length at which the linkage closes exactly; the print says 0.6616 (asv.md OCR-8).
PANTOGRAPH = PantographModel(
    hinge_offset=ft(1.0467),
    slider_reference=ft(0.8133),
    s1=ft(0.67016),
    s2=ft(0.945),
    thigh=ft(3.3508),
    horizontal_gain=5.0,
    vertical_gain=4.0,
    knee_directions=(1, 1, 1, 1, -1, -1),
)

ASV = HexapodModel(
    name='asv',
    legs=tuple(_leg(number) for number in range(1, 7)),
    kinematics=PANTOGRAPH,
    cell=ft(1.0),
    start_position=_vector(6.85, 19.5, 5.4),
    timing=TransferTiming(
        dt=DT,
        lift=4,
        swing_back=6,
        advance=6,
        descent=4,
        contact=10,
        lift_height=ft(1.4),
        contact_threshold=ft(0.07),
    ),
    kinematic_margin=KinematicMarginLimits(
        accept=0.4,
        plan_limit=0.1,
        present_limit=0.5,
        at_rest=1000.0,
        zero_speed=ft(0.001),
        far=ft(10000.0),
    ),
    stability=StabilityLimits(
        plan=ft(0.4),
        lift=ft(0.2),
        comfort_plan=ft(0.5),
        comfort_present=ft(0.4),
        too_few=ft(-100.0),
        outside=ft(-10.0),
        push_speed=ft(1.0),
        push_cap_below=ft(0.1),
    ),
    velocity=VelocityFilter(
        time_constant=0.5,
        max_acceleration=ft(3.2174),
        max_angular_acceleration=3.2174,
        dead_zone=ft(0.02),
        angular_dead_zone=0.005,
        slow_down_share=0.5,
        max_deceleration=20,
    ),
    posture=PostureRegulator(
        gain=0.5,
        slope_flat=1.0e-7,
        slope_full=0.5236,
        pitch_max=0.4363,
        height_min=ft(4.4),
        height_max=ft(5.4),
        max_rotation_rate=0.1,
        max_vertical_rate=ft(0.5),
    ),
    command=CommandLimits(
        forward=ft(2.0),
        lateral=ft(1.0),
        turn=0.1,
        forward_step=ft(0.2),
        lateral_step=ft(0.1),
        turn_step=0.01,
    ),
    ditch=DitchCrossing(
        default_location=ft(21.0),
        default_width=ft(6.0),
        trigger=ft(7.0),
        min_width=ft(3.0),
        # Measured, asv.md §20.6 and §20.7.
        preferred_width=ft(7.0),
        max_speed=ft(1.0),
    ),
    horizon=(1, 6, 10),
    plane_period=10,
)


def initiation_range(ditch_width: float) -> tuple[float, float]:
    """Bound the distance from body to near edge at which a crossing may begin, m (Eq. 1)."""
    reach = ft(PITCH_FT + VOLUME_LENGTH_FT / 2)
    return (reach - ditch_width, reach)


def max_ditch_width() -> float:
    """Return the widest ditch that the working volumes allow, m (Eq. 2)."""
    return ft(PITCH_FT + VOLUME_LENGTH_FT / 2 - SAFETY_MARGIN_FT - DIGITISATION_FT)
