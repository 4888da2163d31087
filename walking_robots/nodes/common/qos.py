"""Quality of service: the loop of a walk, records of it, and what is latched, actions."""

from typing import Any

from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy

LOOP = QoSProfile(
    history=HistoryPolicy.KEEP_LAST, depth=100, reliability=ReliabilityPolicy.RELIABLE
)
# A recorder that is found late still gets what was published since.
RECORD = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=100,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL,
)
LATCHED = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=1,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL,
)
# The queues of a service drop what they have no place for, and its client waits in vain.
_MANY_GOALS = QoSProfile(
    history=HistoryPolicy.KEEP_LAST, depth=2000, reliability=ReliabilityPolicy.RELIABLE
)
ACTION_SERVER: dict[str, Any] = {
    'goal_service_qos_profile': _MANY_GOALS,
    'cancel_service_qos_profile': _MANY_GOALS,
    'result_service_qos_profile': _MANY_GOALS,
}
"""Options of every action server: it answers 1,000 goals that come at once."""
