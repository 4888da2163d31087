"""Test who can use a page: by requests and by messages that no page of ours sends."""

import gc
import logging
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
import viser
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.http11 import Request
from websockets.sync.client import ClientConnection, connect

from benchmarks.own_clock import wait_until
from walking_robots.viewer.common.access import Access, host_to_print, is_loopback
from walking_robots.viewer.common.messages import QUIET
from walking_robots.viewer.common.server import PageServer

PROTOCOL: Any = f'viser-v{viser.__version__}'


@pytest.fixture
def page() -> Iterator[PageServer]:
    page = PageServer('Test', '127.0.0.1', 0)
    yield page
    page.stop()


def is_closed(client: ClientConnection) -> bool:
    """Return whether the server has closed a connection, and read what it has sent."""
    try:
        client.recv(timeout=0.0)
    except TimeoutError:
        return False
    except ConnectionClosed:
        return True
    return False


def status(address: str, **headers: str) -> tuple[int, str]:
    """Return the status and text of an answer."""
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers)) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def visit(page: PageServer, path: str = '', **options: Any) -> ClientConnection:
    """Connect as a page does, without an Origin."""
    address = page.url.replace('http:', 'ws:').rstrip('/') + path
    return connect(address, subprotocols=[PROTOCOL], max_size=None, **options)


def test_the_printed_address_opens_the_page(page: PageServer) -> None:
    code, text = status(page.url)
    assert code == 200 and 'Viser' in text
    assert text.count('/heartbeat') == 1
    assert len(page.url) - len(page.origin) > 20
    assert status(f'{page.url}nothing')[0] == 404


@pytest.mark.parametrize('path', ['', '/', '/index.html', '/wrong/', '/%74oken/', '//', '/?a=b'])
def test_without_the_token_nothing_is_served(page: PageServer, path: str) -> None:
    code, text = status(f'{page.origin}{path}')
    assert code == 403
    assert text == 'The token is missing or wrong: open the address that was printed, all of it.\n'
    address = page.origin.replace('http:', 'ws:') + path
    with pytest.raises(InvalidStatus, match='403'):
        connect(address, subprotocols=[PROTOCOL])


@pytest.mark.parametrize('host', ['evil.example', 'evil.example:{port}', '127.0.0.1', 'localhost'])
def test_another_host_is_refused(page: PageServer, host: str) -> None:
    port = page.origin.rsplit(':', 1)[1]
    code, text = status(page.url, Host=host.format(port=port))
    assert code == 403
    assert (
        text == f'This page is served at {page.origin} only: open the address that was printed.\n'
    )
    with socket.create_connection(('127.0.0.1', int(port))) as line:
        path = page.url.removeprefix(page.origin)
        line.sendall(
            f'GET {path} HTTP/1.1\r\nHost: {host.format(port=port)}\r\nUpgrade: websocket\r\n'
            'Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n'
            'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n'.encode()
        )
        assert line.recv(100).startswith(b'HTTP/1.1 403')


@pytest.mark.parametrize('origin', ['http://evil.example', 'null', 'http://127.0.0.1:1', ''])
def test_another_origin_is_refused_also_with_the_token(page: PageServer, origin: str) -> None:
    code, text = status(page.url, Origin=origin)
    assert code == 403 and text.startswith('Another site may not use this page')
    for path in ('', '/heartbeat'):
        with pytest.raises(InvalidStatus, match='403'):
            visit(page, path, additional_headers={'Origin': origin})


def test_a_program_with_the_token_needs_no_origin(page: PageServer) -> None:
    with visit(page) as client:
        assert len(client.recv()) > 16
    with visit(page, origin=page.origin) as client:  # type: ignore[arg-type]
        assert len(client.recv()) > 16


def test_a_request_with_two_hosts_is_refused() -> None:
    access = Access('127.0.0.1', 'token')
    headers = Headers([('Host', '127.0.0.1:8080')])
    assert access.refusal(Request('/token/', headers), 8080) is None
    headers['Host'] = 'evil.example'
    assert access.refusal(Request('/token/', headers), 8080)
    assert access.refusal(Request('/token/', Headers()), 8080)


@pytest.mark.parametrize(
    ('host', 'port', 'url'),
    [
        ('127.0.0.1', 8080, 'http://127.0.0.1:8080/token/'),
        ('Robot', 80, 'http://robot/token/'),
        ('::1', 81, 'http://[::1]:81/token/'),
    ],
)
def test_the_address_is_written_as_browsers_do(host: str, port: int, url: str) -> None:
    assert Access(host, 'token').url(port) == url


def test_a_token_is_never_used_twice() -> None:
    assert len({Access('127.0.0.1').token for _ in range(100)}) == 100


def test_a_page_for_the_network_has_an_address_that_others_can_open() -> None:
    assert is_loopback('127.0.0.1') and is_loopback('localhost') and is_loopback('::1')
    assert not is_loopback('0.0.0.0') and not is_loopback('robot.local')
    assert host_to_print('0.0.0.0') != '0.0.0.0'
    assert host_to_print('10.1.2.3') == '10.1.2.3'
    page = PageServer('Test', '0.0.0.0', 0)
    try:
        assert page.is_open_to_network
        port = page.origin.rsplit(':', 1)[1]
        # Whatever this machine is called: a request that comes by another name is refused.
        assert status(f'http://127.0.0.2:{port}/')[0] == 403
        path, host = page.url.removeprefix(page.origin), page.origin.removeprefix('http://')
        assert status(f'http://127.0.0.2:{port}{path}', Host=host)[0] == 200
    finally:
        page.stop()


@pytest.mark.parametrize('host', ['198.51.100.1', 'no.such.host.invalid'])
def test_a_host_of_another_machine_is_named(host: str) -> None:
    with pytest.raises(ValueError, match=f"host '{host}' is not an address of this machine"):
        PageServer('Test', host, 0)


class Widgets:
    """A widget of every kind that pages use, and what arrived from them."""

    def __init__(self, gui: viser.GuiApi) -> None:
        self.arrived: list[tuple[str, Any]] = []
        self.handles: dict[str, Any] = {
            'slider': gui.add_slider('slider', -0.3, 0.3, 0.01, 0.0),
            'whole slider': gui.add_slider('whole slider', -40, 60, 5, 20),
            'number': gui.add_number('number', 5.0, min=0.0, max=60.0),
            'seed': gui.add_number('seed', 77, min=0, max=999_999),
            'free number': gui.add_number('free number', 2.0),
            'checkbox': gui.add_checkbox('checkbox', False),
            'choice': gui.add_dropdown('choice', ('one', 'two')),
            'text': gui.add_text('text', ''),
            'button': gui.add_button('button'),
            'disabled button': gui.add_button('disabled button', disabled=True),
            'buttons': gui.add_button_group('buttons', ('left', 'right')),
        }
        for name, handle in self.handles.items():
            attach = getattr(handle, 'on_click', None) or handle.on_update
            attach(lambda event, name=name: self.arrived.append((name, event.target.value)))


WRONG: dict[str, list[Any]] = {
    'slider': [1e9, -0.31, 'text', '0.1', None, float('nan'), float('inf'), True, [0.1], {}],
    'whole slider': [61, -41, 10.5, 'text', None, float('nan'), False, 2**60],
    'number': [60.1, -1, 'text', None, float('nan'), float('-inf'), True],
    'seed': [-1, 10**6, 1.5, 'text', None, float('nan'), False],
    'free number': ['text', None, float('nan'), float('inf'), True, []],
    'checkbox': [1, 0, 'true', None, float('nan')],
    'choice': ['three', '', None, 0, ['one'], float('nan')],
    'text': [1, None, True, b'bytes', 'x' * 100_001],
    'button': ['text', None, 1, float('nan')],
    'disabled button': [True],
    'buttons': ['up', None, True, 3],
}
RIGHT: dict[str, Any] = {
    'slider': 0.1 + 0.2,
    'whole slider': 60,
    'number': 60,
    'seed': 999_999,
    'free number': -1e6,
    'checkbox': True,
    'choice': 'two',
    'text': 'some words',
    'button': True,
    'buttons': 'right',
}
CAMERA = {
    'type': 'ViewerCameraMessage',
    'wxyz': [1, 0, 0, 0],
    'position': [1, 2.5, 3],
    'fov': 1.0,
    'near': 0.1,
    'far': 100,
    'image_height': 480,
    'image_width': 640,
    'look_at': [0, 0, 0],
    'up_direction': [0, 0, 1],
}


def pack(message: object) -> bytes:
    return msgspec.msgpack.encode(message)


def update(uuid: str, **values: Any) -> bytes:
    return pack({'type': 'GuiUpdateMessage', 'uuid': uuid, 'updates': values})


@pytest.fixture
def widgets(page: PageServer) -> Widgets:
    return Widgets(page.viser.gui)


@pytest.fixture
def client(page: PageServer, widgets: Widgets) -> Iterator[Any]:
    with visit(page) as client:
        client.send(pack(CAMERA))
        wait_until(page.viser.get_clients)
        yield client


def test_only_values_that_a_widget_takes_arrive(
    page: PageServer,
    client: ClientConnection,
    widgets: Widgets,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert WRONG.keys() == widgets.handles.keys()
    before = {name: handle.value for name, handle in widgets.handles.items()}
    for name, values in WRONG.items():
        for value in values:
            client.send(update(widgets.handles[name]._impl.uuid, value=value))
    for name, value in RIGHT.items():
        assert widgets.handles[name].value == before[name]
        client.send(update(widgets.handles[name]._impl.uuid, value=value))
    wait_until(lambda: len(widgets.arrived) == len(RIGHT))
    gc.collect()
    assert sorted(widgets.arrived, key=str) == sorted(RIGHT.items(), key=str)
    assert "'slider' does not take 1000000000.0 now" in caplog.text
    assert len(caplog.records) == 1, f'one warning in {QUIET} s'
    assert capfd.readouterr() == ('', '')


def test_what_no_page_sends_ends_nothing(
    page: PageServer,
    client: ClientConnection,
    widgets: Widgets,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    slider, button = (widgets.handles[name]._impl.uuid for name in ('slider', 'button'))
    strange: list[Any] = [
        b'',
        b'\xc1\xff\x00',
        b'\x91' * 5000,
        'a text',
        b'\x81\xa1a' * 3000,
        pack([1, 2]),
        pack({}),
        pack({'type': None}),
        pack({'type': ['GuiUpdateMessage']}),
        pack({'type': 'NoSuchMessage'}),
        pack({'type': 'ShareUrlRequest'}),
        pack({'type': 'FileTransferStartUpload', 'source_component_uuid': slider}),
        pack({'type': 'GuiFormSubmitMessage', 'uuid': button}),
        pack({'type': 'GuiUpdateMessage', 'uuid': slider}),
        pack({'type': 'GuiUpdateMessage', 'uuid': slider, 'updates': {'value': 0.1}, 'more': 1}),
        pack({'type': 'TransformControlsUpdateMessage', 'name': 'x', 'position': [1, 2]}),
        pack({**CAMERA, 'position': [1, 2, float('nan')]}),
        pack({**CAMERA, 'wxyz': 'text'}),
        update('no such widget', value=1),
        update(slider, max=1e9),
        update(slider, update_cb=[]),
        update(slider, value=0.1, max=1e9),
        update(slider),
        *[update(slider, value=1e9)] * 1000,
    ]
    for message in strange:
        client.send(message)
    client.send(update(slider, value=0.2))
    wait_until(lambda: widgets.arrived)
    gc.collect()
    assert widgets.arrived == [('slider', 0.2)]
    assert widgets.handles['slider'].max == 0.3
    assert len(caplog.records) >= 1
    assert all(record.levelno == logging.WARNING for record in caplog.records)
    assert capfd.readouterr() == ('', '')


def test_a_message_without_end_ends_its_own_connection(
    page: PageServer, client: ClientConnection, widgets: Widgets, capfd: pytest.CaptureFixture[str]
) -> None:
    with visit(page) as flood:
        flood.send(bytes(2**21))
        wait_until(lambda: is_closed(flood))
    button = widgets.handles['button']._impl.uuid
    client.send(update(button, value=True))
    wait_until(lambda: widgets.arrived)
    assert capfd.readouterr() == ('', '')


def test_a_client_of_another_version_is_left_out_in_silence(
    page: PageServer, capfd: pytest.CaptureFixture[str]
) -> None:
    address = page.url.replace('http:', 'ws:')
    with connect(address) as stranger:
        wait_until(lambda: is_closed(stranger))
    assert page.viser.get_clients() == {}
    assert capfd.readouterr() == ('', '')
