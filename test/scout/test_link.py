"""One request, one reply, and everything else that a line can bring."""

import pytest

from walking_robots.scout import protocol
from walking_robots.scout.framing import Packet, frame
from walking_robots.scout.link import Link, RequestOutcome
from walking_robots.scout.protocol import Op, State, encode_state, plain

ASK = plain(Op.GET_STATE)
STATE = State(x=7)
REPLY = frame(Packet(Op.GET_STATE, encode_state(STATE)))


@pytest.fixture
def link() -> Link:
    link = Link()
    assert link.send(ASK, 0.0, 0.25) == frame(ASK)
    return link


def test_a_reply_in_pieces(link: Link) -> None:
    assert link.receive(REPLY[:30], 0.02) is None and link.waiting
    answer = link.receive(REPLY[30:], 0.03)
    assert answer == (ASK, RequestOutcome.ANSWERED, pytest.approx(0.03), STATE)
    assert not link.waiting and link.counters.answered == 1


def test_silence(link: Link) -> None:
    assert link.due() == 0.25
    assert link.receive(b'', 0.249) is None
    assert link.receive(b'', 0.25).outcome is RequestOutcome.SILENT
    assert link.counters.silent == 1


def test_a_refusal_is_an_error(link: Link) -> None:
    assert link.receive(bytes.fromhex('01020008 0B5C'), 0.01).outcome is RequestOutcome.REFUSED
    assert link.counters.refused == 1


def test_noise_before_a_reply(link: Link) -> None:
    assert link.receive(b'\xff\x00' + REPLY, 0.02).state == STATE
    assert link.counters.noise == 2


def test_a_false_beginning_is_given_up_in_the_silence(link: Link) -> None:
    assert link.receive(b'\x01\xff\x03' + REPLY, 0.02) is None
    assert link.due() == pytest.approx(0.05)
    assert link.receive(b'', 0.051).state == STATE


def test_a_late_reply_does_not_answer_another_request(link: Link) -> None:
    link.receive(b'', 0.3)
    assert link.receive(REPLY, 0.31) is None
    assert link.counters.unasked == 1
    stop = plain(Op.STOP)
    link.send(stop, 0.4, 0.25)
    assert link.receive(REPLY, 0.41) is None
    answer = link.receive(frame(Packet(Op.STOP, encode_state(STATE))), 0.42)
    assert answer.request is stop and link.counters.unasked == 2


def test_half_a_reply_does_not_spoil_the_next(link: Link) -> None:
    link.receive(REPLY[:20], 0.02)
    link.receive(b'', 0.25)
    link.send(ASK, 0.3, 0.25)
    assert link.receive(REPLY, 0.32).state == STATE
    assert link.counters.noise == 20


def test_a_state_that_is_too_short_answers_nothing(link: Link) -> None:
    assert link.receive(frame(Packet(Op.GET_STATE, bytes(10))), 0.02) is None
    assert link.waiting


def test_what_is_reported_without_a_state(link: Link) -> None:
    link.drop()
    ask = plain(Op.GET_VELOCITIES)
    link.send(ask, 1.0, 0.25)
    answer = link.receive(frame(Packet(Op.GET_VELOCITIES, bytes(6))), 1.01)
    assert answer.outcome is RequestOutcome.ANSWERED and answer.state is None


def test_relative_moves_are_marked_as_not_repeatable() -> None:
    assert protocol.relative_move(10, 10).op in protocol.NOT_REPEATABLE
    assert not protocol.NOT_REPEATABLE & {Op.GET_STATE, Op.VELOCITIES, Op.STOP, Op.WATCHDOG}
