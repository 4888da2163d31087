"""Write down what a robot's commands came to, so that two runs can be compared to the last bit."""

import hashlib
import json
from typing import Any

from walking_robots.ars_magna.agent.messages import CommandReport, DesignatorReport
from walking_robots.ars_magna.sensing.attributes import Substance


class ReportTrace:
    """Digests reports in the order in which they come."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._digest = hashlib.sha256()
        self.reports = 0

    def add(self, report: CommandReport) -> None:
        """Take one report."""
        self.reports += 1
        self._digest.update(line_of(report).encode() + b'\n')

    @property
    def sha256(self) -> str:
        """Return the digest of all lines so far, in hexadecimal."""
        return self._digest.hexdigest()


def line_of(report: CommandReport) -> str:
    """Write a report as one line of JSON; numbers as short as they can be read back exactly."""
    return json.dumps(
        [
            report.robot,
            report.number,
            report.command,
            report.part,
            report.kind,
            report.code,
            [plain(value) for value in report.values],
            report.issued,
            report.tick,
        ]
    )


def plain(value: Any) -> Any:
    """Return a value of a report in words that JSON has."""
    if isinstance(value, DesignatorReport):
        data = value.data
        known = data if isinstance(data, str) else {key: plain(data[key]) for key in sorted(data)}
        return [value.number, value.type, value.angle, known]
    if isinstance(value, Substance):
        return [value.type, value.parameter]
    if isinstance(value, tuple | list):
        return [plain(one) for one in value]
    return value
