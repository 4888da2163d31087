"""The commands ``record`` and ``replay``: what a graph says, in a file and on a page."""

import sys
from pathlib import Path

import click

from walking_robots.cli.options import ROBOT, graph_needed, ros_needed
from walking_robots.systems import SYSTEMS


@click.command()
@click.argument('file', type=click.Path(dir_okay=False))
@click.option(
    '--topics',
    default='.*',
    help='Regular expression of the topics, such as "/odom|/scan"; all without.',
)
def record(file: str, topics: str) -> None:
    """Record a running graph into FILE, an MCAP file, until Ctrl-C.

    ros2 bag play, Foxglove and PlotJuggler read it, and `walking_robots replay` shows it. The
    graph is that of ROS_DOMAIN_ID.
    """
    with graph_needed():
        from walking_robots.nodes.common.running import run_node
        from walking_robots.nodes.recorder import GraphRecorder
    arguments = ('--ros-args', '-p', f'file:={file}', '-p', f"topics:='{topics}'")
    click.get_current_context().exit(run_node(GraphRecorder, arguments))


@click.command()
@click.argument('file', type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    '--system', type=click.Choice(list(SYSTEMS)), help='Whose page; as recorded without.'
)
@click.option('--robot', default='', shell_complete=ROBOT, help='A hexapod; as recorded without.')
@click.option('--port', default=8080, type=click.IntRange(1, 65535), help='Port of the page.')
@click.option('--open-to-network', is_flag=True, help='Serve the page to other machines, too.')
def replay(file: Path, system: str | None, robot: str, port: int, open_to_network: bool) -> None:
    """Show FILE, a record of a graph, on the page of its robot, until Ctrl-C.

    The page has a slider of time, pause and speed. The messages are published in a ROS domain that
    nothing else on this machine uses.
    """
    with ros_needed():
        from walking_robots.nodes.replay import run_replay
    sys.exit(
        run_replay(
            file, system=system or '', robot=robot, port=port, open_to_network=open_to_network
        )
    )
