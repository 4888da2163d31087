"""Publish less often than a robot is controlled."""

from walking_robots.nodes.common.node import GraphNode

PERIOD = 0.02
"""Time of the robot, s, between two messages for observers."""


class ObserverThrottle:
    """Passes the first message of each period of the robot's time, the same stamp in all nodes."""

    def __init__(self, node: GraphNode) -> None:
        """Take the period from a parameter of the node."""
        period = node.parameter(
            'observer_period', PERIOD, 'least time between two messages that only observers need, '
            '0: a message in every tick', 's', low=0.0, high=1.0, fixed=True,
        )  # fmt: skip
        self._period = max(1, round(period * 1e9))
        self._last = -1

    def passes(self, stamp: int, *, at_once: bool = False) -> bool:
        """Return whether a message of ``stamp``, ns, passes; a repeated one passes again.

        ``at_once``: it passes in any case. Where stamps go back, time began afresh.
        """
        last = self._last
        passes = at_once or stamp <= last or stamp // self._period > last // self._period
        if passes:
            self._last = stamp
        return passes
