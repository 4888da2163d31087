"""The command ``record``: what a running graph says, in a file."""

import click

from walking_robots.cli.options import graph_needed


@click.command()
@click.argument('file', type=click.Path(dir_okay=False))
@click.option(
    '--topics',
    default='.*',
    help='Regular expression of the topics, such as "/odom|/scan"; all without.',
)
def record(file: str, topics: str) -> None:
    """Record a running graph into FILE, an MCAP file, until Ctrl-C.

    ros2 bag play, Foxglove and PlotJuggler read it. The graph is that of ROS_DOMAIN_ID.
    """
    with graph_needed():
        from walking_robots.nodes.common.running import run_node
        from walking_robots.nodes.recorder import GraphRecorder
    arguments = ('--ros-args', '-p', f'file:={file}', '-p', f"topics:='{topics}'")
    click.get_current_context().exit(run_node(GraphRecorder, arguments))
