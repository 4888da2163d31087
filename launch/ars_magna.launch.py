"""Launch a world of ARS MAGNA, whose robots take commands as actions.

`world:=mine.yaml` takes another one, `program:=persistent` has its robot fetch something; with
`mode:=lock-step` time passes only as programs ask.
"""

from walking_robots.nodes.common.launch_files import launch_system, typed, values_of

ARGUMENTS = (
    ('world', '', 'world file, or the name of a shipped one; empty: big_room', None),
    ('seed', '0', 'seed of all noise', None),
    ('mode', 'free-running', 'how time passes', ['free-running', 'lock-step']),
    ('real_time_factor', '1.0', 'of time while free-running, 0: as fast as possible', None),
    ('robot', 'robbie', 'the robot that runs the program', None),
    ('program', '', 'program to run from the start, such as persistent', None),
    ('thing', 'color=lightblue', 'what it is to fetch', None),
)


def generate_launch_description():
    value = values_of(ARGUMENTS)
    return launch_system(
        'ars_magna',
        ARGUMENTS,
        parameters={
            'ars_magna': {
                'world': typed(value['world'], str),
                'seed': typed(value['seed'], int),
                'mode': typed(value['mode'], str),
                'real_time_factor': typed(value['real_time_factor'], float),
            },
            'ars_program': {
                'robot': typed(value['robot'], str),
                'autostart': typed(value['program'], str),
                'thing': typed(value['thing'], str),
            },
        },
        page_port='viewer_port',
        sim_time=True,
    )
