"""Drive a real browser by the DevTools protocol, for the tests of pages and `pictures.py`."""

import base64
import json
import shutil
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import websocket

from benchmarks.own_clock import PATIENCE, Stopwatch, wait_until

CHROMIUM = next(
    filter(None, map(shutil.which, ('chromium', 'chromium-browser', 'google-chrome'))), None
)
FLAGS = (
    '--headless=new',
    '--no-sandbox',
    '--enable-unsafe-swiftshader',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-default-apps',
    '--disable-dev-shm-usage',
    '--no-first-run',
    # Whatever a page might want from elsewhere cannot be found.
    '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
    '--remote-debugging-port=0',
    '--remote-allow-origins=*',
    '--window-size=1400,1000',
)


class ProtocolError(Exception):
    """What the browser does not do, such as evaluate in a page that is just being left."""


class Tab:
    """A page in the browser."""

    def __init__(self, socket: websocket.WebSocket) -> None:
        self._socket = socket
        self._number = 0
        self._settled = False
        self.events: list[dict[str, Any]] = []
        for domain in ('Network', 'Runtime', 'Page'):
            self.call(f'{domain}.enable')

    def call(self, method: str, **params: Any) -> Any:
        """Call a method of the protocol and return its result, or raise ProtocolError."""
        self._number += 1
        self._socket.send(json.dumps({'id': self._number, 'method': method, 'params': params}))
        while True:
            message = json.loads(self._socket.recv())
            if message.get('id') == self._number:
                if 'error' in message:
                    raise ProtocolError(f'{method}: {message["error"]["message"]}')
                return message['result']
            self.events.append(message)

    def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression."""
        answer = self.call('Runtime.evaluate', expression=expression, returnByValue=True)
        assert 'exceptionDetails' not in answer, answer
        return answer['result'].get('value')

    def wait_for(self, expression: str, limit: float = PATIENCE) -> Any:
        """Return the value of an expression as soon as it is true."""

        def value() -> Any:
            with suppress(ProtocolError):
                return self.evaluate(expression)

        return wait_until(value, expression, limit)

    def click(self, label: str) -> None:
        """Click the button with this label."""
        button = f'[...document.querySelectorAll("button")].find(b => b.innerText == "{label}")'
        self.wait_for(f'!!{button}')
        self.settle()
        self.evaluate(f'{button}.click()')

    def settle(self) -> None:
        """Wait until the page responds ten times in a row: a motion ends while its page hangs."""
        quick = 0
        while not self._settled:
            watch = Stopwatch()
            self.evaluate('0')
            quick = 0 if watch.passed(0.3) else quick + 1
            self._settled = quick >= 10
            time.sleep(0.1)

    def beside(self, address: str, *, window: bool) -> 'Tab':
        """Open an address in another tab in front of this one, or in another window."""
        target = self.call('Target.createTarget', url=address, newWindow=window)['targetId']
        assert self._socket.sock is not None
        host = self._socket.sock.getpeername()
        other = f'ws://{host[0]}:{host[1]}/devtools/page/{target}'
        return Tab(websocket.create_connection(other, timeout=60))

    def press(self, selector: str, key: str) -> None:
        """Press a key on the element that a selector finds."""
        self.evaluate(f'document.querySelector({json.dumps(selector)}).focus()')
        for kind in ('keyDown', 'keyUp'):
            self.call('Input.dispatchKeyEvent', type=kind, key=key, code=key)

    def hold(self, key: str, *, shift: bool = False) -> None:
        """Press a key, by its code, where the focus is, and hold it."""
        self._key('keyDown', key, shift)

    def let_go(self, key: str) -> None:
        """Release a key that is held."""
        self._key('keyUp', key, False)

    def _key(self, kind: str, code: str, shift: bool) -> None:
        key = {'Space': ' '}.get(code, code.removeprefix('Key').lower())
        pressed = {'type': kind, 'key': key, 'code': code, 'modifiers': 8 * shift}
        self.call('Input.dispatchKeyEvent', **pressed)

    def mouse(self, kind: str, x: float, y: float) -> None:
        """Press ('mousePressed'), move or release the left button at a place of the page."""
        self.call(
            'Input.dispatchMouseEvent', type=kind, x=x, y=y, button='left', buttons=1, clickCount=1
        )

    def resize(self, width: int, height: int) -> None:
        """Give the page a size, in pixels."""
        metrics = {'width': width, 'height': height, 'deviceScaleFactor': 1, 'mobile': False}
        self.call('Emulation.setDeviceMetricsOverride', **metrics)

    def addresses(self) -> list[str]:
        """Return the addresses of everything that the page has asked for."""
        wanted = {
            'Network.requestWillBeSent': lambda p: p['request']['url'],
            'Network.webSocketCreated': lambda p: p['url'],
        }
        return [
            wanted[event['method']](event['params'])
            for event in self.events
            if event['method'] in wanted
        ]

    def complaints(self) -> list[str]:
        """Return the errors of the page's scripts."""
        return [
            json.dumps(event['params'])
            for event in self.events
            if event['method'] == 'Runtime.exceptionThrown'
        ]

    def picture(self, path: Path) -> None:
        """Save what the page looks like."""
        data = self.call('Page.captureScreenshot', format='png')['data']
        path.write_bytes(base64.b64decode(data))


@contextmanager
def browser() -> Iterator[Callable[[str], Tab]]:
    """Start a fresh browser and yield a function that opens an address in it."""
    assert CHROMIUM is not None
    profile = Path(tempfile.mkdtemp(prefix='walking_robots_browser_'))
    # It draws without a GPU, and would delay the nodes beside it on a busy machine.
    process = subprocess.Popen(
        ['nice', '-n', '10', CHROMIUM, *FLAGS, f'--user-data-dir={profile}', 'about:blank'],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    sockets: list[websocket.WebSocket] = []

    def open_address(address: str) -> Tab:
        sockets.append(websocket.create_connection(_debugger(profile), timeout=60))
        tab = Tab(sockets[-1])
        tab.call('Page.navigate', url=address)
        return tab

    try:
        yield open_address
    finally:
        for socket in sockets:
            socket.close()
        process.terminate()
        process.wait(timeout=30)
        shutil.rmtree(profile, ignore_errors=True)


def _debugger(profile: Path) -> str:
    """Return the address at which the browser's first tab is steered."""
    note = profile / 'DevToolsActivePort'
    end = time.monotonic() + 60.0
    while time.monotonic() < end:
        if note.exists() and '\n' in (text := note.read_text()):
            port = text.split()[0]
            with urllib.request.urlopen(f'http://127.0.0.1:{port}/json', timeout=10) as answer:
                for target in json.load(answer):
                    if target['type'] == 'page':
                        return str(target['webSocketDebuggerUrl'])
        time.sleep(0.1)
    raise AssertionError('the browser did not start within a minute')
