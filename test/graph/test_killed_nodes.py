"""Whichever node is killed, the body stops; started again, it walks on by a new command."""

from typing import Any

import pytest

pytestmark = pytest.mark.graph

NODES = ('terrain', 'free_gait', 'leg_servo', 'hexapod_sim')
WAITS = {
    'terrain': ('free_gait', 'terrain/local'),
    'free_gait': ('leg_servo', 'free_gait'),
    'leg_servo': ('free_gait', 'legs/state'),
    'hexapod_sim': ('leg_servo', 'hexapod_sim'),
}
SPEED = 0.12
STOPPED = 600_000_000
"""Simulated time, ns, in which a body stops whose commands no longer come: the 0.5 s for which a
velocity counts, and one step of the simulation, which may be behind."""
SHIFTED = 0.25 * SPEED
"""m/s; the rules may shift a resting body for its stability, slower than it was to walk."""


def _walk(there: Any) -> Any:
    from geometry_msgs.msg import Twist

    velocity = Twist()
    velocity.linear.x = SPEED
    there.until(lambda: there.person.x and there.person.gait, 'odometry and gait')
    while True:
        start = there.person.here
        handle = there.start_walk(velocity=velocity)
        assert handle.accepted
        ended = handle.get_result_async()
        there.until(
            lambda x=start, result=ended: abs(there.person.here - x) > 0.05 or result.done(),
            'motion',
        )
        if not ended.done():
            return handle
        # States may come late on a busy machine.
        assert 'no state of the robot came' in ended.result().result.reason


@pytest.mark.slow
@pytest.mark.parametrize('lock_step', [True, False], ids=['lock-step', 'free-running'])
def test_kill_each_node_in_turn(lock_step: bool, world: Any) -> None:
    from walking_robots.nodes.common.conversions import stamp_from_msg

    common = {'lock_step': lock_step}
    with world({'hexapod_sim': common | {'real_time_factor': 2.0}, 'free_gait': common}) as there:
        for name in NODES:
            _walk(there)
            there.graph.kill(name)
            # What was on its way is still to be taken in.
            there.wait(0.1)
            killed = there.person.x[-1][0]
            witness, missed = WAITS[name]
            there.person.news.clear()
            there.until(
                lambda w=witness, m=missed: m in there.person.news.get(w, (b'', ''))[1],
                f'{witness} says that it waits for {missed}',
            )
            late = [(at, x) for at, x in there.person.x if at >= killed + STOPPED]
            # Without terrain a free-running gait begins afresh after 0.5 s, and stands blind; all
            # else leaves the joints without a command, so that nothing moves at all.
            blind = name == 'terrain' and not lock_step
            seconds = 1e-9 * (late[-1][0] - killed) if late else 0.0
            most = SHIFTED * seconds if blind else 1e-9
            places = [x for _, x in late] or [there.person.here]
            assert max(places) - min(places) <= most, f'the body went on after {name} was killed'
            requested = {
                state.command.linear.x
                for state in there.person.gait
                if stamp_from_msg(state) >= killed + STOPPED
            }
            assert requested <= {0.0}, f'the walk went on after {name} was killed'
            there.graph.start(name)
            there.until(
                lambda: all(
                    there.person.news.get(node, (b'\2', ''))[0] == b'\0' for node in NODES
                ),
                f'all is well again after {name} was killed',
            )
            if lock_step and name == 'terrain':
                # No time has passed for the walk, which goes on.
                continue
            here = there.person.here
            there.person.gait.clear()
            there.wait(0.5)
            requested = {state.command.linear.x for state in there.person.gait}
            assert requested == {0.0}, 'an old motion goes on'
            assert there.person.here == pytest.approx(here, abs=SHIFTED)
        _walk(there)
