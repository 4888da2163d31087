"""The velocity between two poses."""

import math

from walking_robots.geometry.pose import Pose, Rates


def finite_difference(old: Pose, new: Pose, dt: float) -> Rates:
    """Return the mean velocity from ``old`` to ``new``, m/s and rad/s in the axes of ``old``.

    ``dt`` is the time between them, s. The turn is that of the shortest way.
    """
    px, py, pz = new.position
    vx, vy, vz = old.to_body((px, py, pz))
    a, b, c, d, e, f, g, h, i = new.rotation
    m00, m10, m20 = old.rotate_to_body((a, d, g))
    m01, m11, m21 = old.rotate_to_body((b, e, h))
    m02, m12, m22 = old.rotate_to_body((c, f, i))
    # The skew part is the axis times twice the sine of the angle.
    x, y, z = m21 - m12, m02 - m20, m10 - m01
    sine, cosine = 0.5 * math.sqrt(x * x + y * y + z * z), 0.5 * (m00 + m11 + m22 - 1.0)
    factor = 0.5 if sine < 1e-12 else 0.5 * math.atan2(sine, cosine) / sine
    return Rates(vx / dt, vy / dt, vz / dt, x * factor / dt, y * factor / dt, z * factor / dt)
