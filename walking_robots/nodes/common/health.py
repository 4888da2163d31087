"""How a node is, in words for the diagnostics."""

from collections.abc import Mapping

from diagnostic_msgs.msg import DiagnosticStatus

from walking_robots.nodes.common.synchronizer import TimeSynchronizer

OK, WARN, ERROR = DiagnosticStatus.OK, DiagnosticStatus.WARN, DiagnosticStatus.ERROR
Health = tuple[bytes, str]

PATIENCE = 0.5
"""Wall time, s, after which waiting is worth a warning."""


def waiting(
    synchronizer: TimeSynchronizer, dt: float, sources: Mapping[str, str]
) -> Health | None:
    """Describe a wait that lasts too long; None when there is none.

    ``sources`` names the node that publishes each topic, ``dt`` (s) the length of a step.
    """
    stamp, missing, duration = synchronizer.waits()
    if duration < PATIENCE or not missing:
        return None
    which = '' if stamp is None else f' of step {round(stamp * 1e-9 / dt)}'
    nodes = sorted({sources[topic] for topic in missing})
    verb = 'nodes' if len(nodes) > 1 else 'node'
    sentence = (
        f'waits for {" and ".join(missing)}{which} for {duration:.1f} s: '
        f'{"are" if len(nodes) > 1 else "is"} the {" and ".join(nodes)} {verb} running?'
    )
    return (WARN if duration < 10.0 * PATIENCE else ERROR), sentence
