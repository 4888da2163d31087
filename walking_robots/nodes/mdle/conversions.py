"""Between messages and what the library of MDLe says."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

from walking_robots_interfaces.action import RunPlan
from walking_robots_interfaces.msg import (
    PlanDiagnostic,
    PlanEvent,
    PlanFrame,
    PlanOutputs,
    PlanTree,
    PlanValue,
)

from walking_robots.mdle.language.diagnostics import Diagnostic
from walking_robots.mdle.robot import RobotSpec
from walking_robots.mdle.runtime.events import Event
from walking_robots.mdle.runtime.frames import RunFrame
from walking_robots.mdle.runtime.outline import OutlineNode
from walking_robots.mdle.runtime.settings import SECOND
from walking_robots.mdle.session import Busy, RunHandle, RunRequest
from walking_robots.nodes.common.conversions import time_to_msg


def message_of(kind: Any, record: Any, **others: Any) -> Any:
    """Return a message of a kind, with what a record calls by the same names, and others."""
    known = {name: getattr(record, name, None) for name in kind.get_fields_and_field_types()}
    known = {name: value for name, value in known.items() if value is not None}
    return kind(**(known | others))


def value_to_text(value: Any) -> str:
    """Return a value as it is written in a program, in SI."""
    if isinstance(value, bool):
        return 'true' if value else 'false'
    if isinstance(value, float):
        return f'{value:.6g}'
    if isinstance(value, tuple):
        return f'({", ".join(map(value_to_text, value))})'
    return str(value)


def values_to_msg(known: Mapping[str, Any]) -> list[PlanValue]:
    """Return named values."""
    return [PlanValue(name=name, value=value_to_text(value)) for name, value in known.items()]


def request_from_goal(goal: Any, source: str, form: str, file: str) -> RunRequest:
    """Return the request that a goal is; its text is already found.

    Raises ValueError where a number of it is not finite or a choice unknown.
    """
    if not all(map(math.isfinite, (*goal.alpha, goal.beta))) or goal.beta < 0.0:
        raise ValueError('alpha and beta must be finite, and beta 0 or more')
    try:
        on_busy = Busy(goal.on_busy)
    except ValueError:
        raise ValueError(f'on_busy {goal.on_busy} is unknown; use 0 to 3') from None
    return RunRequest(
        source,
        form,
        file,
        goal.entry,
        {item.name: item.value for item in goal.arguments},
        tuple(goal.alpha),
        goal.beta or 1.0,
        goal.reverse,
        goal.dry_run,
        on_busy,
        goal.start_paused,
        goal.resume_from,
    )


def result_to_msg(ticket: RunHandle) -> Any:
    """Return the result of a request that has ended."""
    found, report = ticket.result, ticket.report
    assert found
    return message_of(
        RunPlan.Result,
        found,
        time_bound=report.most.time if report and report.most else math.inf,
        outputs=values_to_msg(found.outputs),
        trace_id=found.events_sha256,
    )


def diagnostics_to_msg(diagnostics: Iterable[Diagnostic]) -> list[PlanDiagnostic]:
    """Return what is wrong with a program."""
    return [message_of(PlanDiagnostic, found, **found.place._asdict()) for found in diagnostics]


def event_to_msg(found: Event, begun: int) -> PlanEvent:
    """Return a transition; ``begun``: the program's clock at its start, ns."""
    return message_of(
        PlanEvent,
        found,
        stamp=time_to_msg(found.stamp),
        time=(found.stamp - begun) / SECOND,
        guard=found.name,
        values=values_to_msg(found.values),
    )


def frame_to_msg(frame: RunFrame, y: Mapping[str, Any], now: int) -> PlanFrame:
    """Return an element that runs; ``now``: the program's clock, ns, ``y``: channels then."""
    entered = frame.entered or now
    return PlanFrame(
        path=frame.path,
        line=frame.place.line,
        iteration=frame.iteration,
        time=(now - entered) * 1e-9,
        time_limit=(frame.deadline - entered) * 1e-9 if frame.has_timer else math.inf,
        guards=[guard.name for guard in frame.guards],
        readings=[guard.reading(y, now) for guard in frame.guards],
    )


def outline_to_msg(
    program: str, entry: str, source: str, nodes: Iterable[OutlineNode]
) -> PlanTree:
    """Return the structure of a program."""
    outline = list(nodes)
    columns = {
        f'{name}s': [getattr(node, name) for node in outline] for name in OutlineNode._fields
    }
    return PlanTree(program=program, entry=entry, source=source, **columns)


def outputs_to_msg(
    robot: str, state: str, known: Mapping[str, Any], spec: RobotSpec, now: int
) -> PlanOutputs:
    """Return the channels that partners may read; those that are not known are left out."""
    message = PlanOutputs(stamp=time_to_msg(now), robot=robot, state=state)
    for name, value in known.items():
        if name not in spec.outputs or value is None:
            continue
        numbers = value if isinstance(value, tuple) else (value,)
        message.channels.append(name)
        message.types.append(spec.outputs[name].type)
        message.sizes.append(len(numbers))
        message.values.extend(float(number) for number in numbers)
    return message
