"""A demo and a trial get a ROS domain in which nothing else is."""

import socket
import subprocess
import sys

import pytest

from walking_robots.nodes.common import network
from walking_robots.nodes.common.network import free_domain

FREE, OTHER = 220, 221
"""Domains that no other test gets, with ports above those of outgoing connections."""

HOLD = f"""
from walking_robots.nodes.common import network
network._DOMAINS = [{FREE}]
with network.free_domain():
    print('reserved', flush=True)
    input()
"""


def test_each_gets_another_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, '_DOMAINS', [FREE, OTHER])
    with free_domain() as one, free_domain() as other:
        assert {one, other} == {FREE, OTHER}
        with pytest.raises(RuntimeError, match='all ROS domains'), free_domain():
            pass
    with free_domain() as again:
        assert again in (FREE, OTHER)


def test_a_killed_process_leaves_its_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    process = subprocess.Popen(
        [sys.executable, '-c', HOLD], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None and process.stdout.readline() == 'reserved\n'
    monkeypatch.setattr(network, '_DOMAINS', [FREE])
    with pytest.raises(RuntimeError, match='all ROS domains'), free_domain():
        pass
    process.kill()
    process.communicate()
    with free_domain() as domain:
        assert domain == FREE


@pytest.mark.parametrize('port', [7400, 7410, 7472])
def test_a_domain_with_a_participant_is_left_alone(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network, '_DOMAINS', [FREE, OTHER])
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as participant:
        participant.bind(('127.0.0.1', port + FREE * 250))
        with free_domain() as domain:
            assert domain == OTHER
