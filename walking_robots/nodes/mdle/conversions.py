"""Between messages and what the library of MDLe says."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

from builtin_interfaces.msg import Time
from walking_robots_interfaces.action import RunPlan
from walking_robots_interfaces.msg import (
    PlanDiagnostic,
    PlanElement,
    PlanEvent,
    PlanFrame,
    PlanOutputs,
    PlanStatus,
    PlanTree,
    PlanValue,
)

from walking_robots.mdle.analysis.report import Report
from walking_robots.mdle.knowledge.catalogue import Description
from walking_robots.mdle.robot import RobotSpec
from walking_robots.mdle.runtime.events import Event
from walking_robots.mdle.runtime.outline import OutlineNode
from walking_robots.mdle.runtime.snapshot import FrameSnapshot, Snapshot
from walking_robots.mdle.session import Busy, RunHandle, RunRequest

SECOND = 1_000_000_000


def time_to_msg(nanoseconds: int) -> Time:
    """Return a time, ns, as a message."""
    return Time(sec=nanoseconds // SECOND, nanosec=nanoseconds % SECOND)


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


def order_from_goal(goal: Any, source: str, form: str, file: str) -> RunRequest:
    """Return the order that a goal is; its text is already found.

    Raises ValueError where a number of it is not finite or a choice unknown.
    """
    numbers = [*goal.alpha, goal.beta]
    if not all(map(math.isfinite, numbers)) or goal.beta < 0.0:
        raise ValueError('alpha and beta must be finite, and beta 0 or more')
    try:
        on_busy = Busy(goal.on_busy)
    except ValueError:
        raise ValueError(f'on_busy {goal.on_busy} is unknown; use 0, 1 or 2') from None
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
    """Return the result of an order that has ended."""
    found, report = ticket.result, ticket.report
    assert found
    return RunPlan.Result(
        outcome=found.outcome,
        code=found.code,
        message=found.message,
        path=found.path,
        line=found.line,
        guard=found.guard,
        duration=found.duration,
        ticks=found.ticks,
        time_bound=report.most.time if report and report.most else math.inf,
        way=found.way,
        effort=found.effort,
        interrupts=found.interrupts,
        outputs=values_to_msg(found.outputs),
        trace_id=found.events_sha256,
    )


def diagnostics_to_msg(report: Report) -> list[PlanDiagnostic]:
    """Return the remarks on a program."""
    return [
        PlanDiagnostic(
            code=found.code,
            severity=found.severity,
            line=found.place.line,
            column=found.place.column,
            text=found.text,
            element=found.element,
            hint=found.hint,
        )
        for found in report.diagnostics
    ]


def refusal_to_msg(sentence: str) -> PlanDiagnostic:
    """Return a remark on a program that could not even be found."""
    return PlanDiagnostic(code='E206', severity='error', text=sentence)


def element_to_msg(found: Description) -> PlanElement:
    """Return the description of an element."""
    return PlanElement(
        name=found.name,
        module=found.module,
        kind=found.kind,
        space=found.space,
        parameters=list(found.parameters),
        outputs=list(found.outputs),
        reads=list(found.reads),
        text=found.text,
    )


def event_to_msg(found: Event, begun: int) -> PlanEvent:
    """Return a transition; ``begun``: the program's clock at its start, ns."""
    return PlanEvent(
        stamp=time_to_msg(found.stamp),
        tick=found.tick,
        time=(found.stamp - begun) / SECOND,
        kind=found.kind,
        path=found.path,
        cause=found.cause,
        guard=found.name,
        values=values_to_msg(found.values),
        text=found.text,
    )


def status_to_msg(snapshot: Snapshot, now: int) -> PlanStatus:
    """Return what the executor is at."""
    return PlanStatus(
        stamp=time_to_msg(now),
        phase=snapshot.phase,
        entry=snapshot.entry,
        program=snapshot.program,
        time=snapshot.time,
        tick=snapshot.tick,
        waiting=snapshot.waiting,
        stack=[frame.path for frame in snapshot.frames],
        frames=[_frame(frame) for frame in snapshot.frames],
        space=snapshot.space,
        control=list(snapshot.control),
        board=values_to_msg(snapshot.board),
        outcome=snapshot.outcome,
        message=snapshot.message,
    )


def _frame(frame: FrameSnapshot) -> PlanFrame:
    return PlanFrame(
        path=frame.path,
        line=frame.line,
        iteration=frame.iteration,
        time=frame.time,
        time_limit=frame.limit,
        guards=[name for name, _ in frame.guards],
        readings=[reading for _, reading in frame.guards],
    )


def outline_to_msg(
    program: str, entry: str, source: str, nodes: Iterable[OutlineNode]
) -> PlanTree:
    """Return the structure of a program."""
    outline = list(nodes)
    return PlanTree(
        program=program,
        entry=entry,
        source=source,
        paths=[node.path for node in outline],
        kinds=[node.kind for node in outline],
        texts=[node.text for node in outline],
        depths=[node.depth for node in outline],
        lines=[node.line for node in outline],
    )


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
