"""Say into what a camera or hand was put, and out of what it was taken."""

from walking_robots.ars_magna.agent.robot import Camera, Hand
from walking_robots.ars_magna.console.session import Ended
from walking_robots.ars_magna.console.tables import location_of
from walking_robots.ars_magna.simulation.snapshots import RobotSnapshot


def inserted(end: Ended) -> str:
    """Say in what a part is."""
    return f'{_name(end)} inserted into {_where(end, end.desk.state)}'


def removed(end: Ended) -> str:
    """Say in what a part was."""
    return f'{_name(end)} removed from {_where(end, end.before)}'


def _name(end: Ended) -> str:
    part: Camera | Hand = end.arguments[0]
    return f'{part.kind} {part.index}'


def _where(end: Ended, state: RobotSnapshot) -> str:
    part: Camera | Hand = end.arguments[0]
    parts = state.cameras if part.kind == Camera.kind else state.hands
    return location_of(state.name, parts[part.index].inside)
