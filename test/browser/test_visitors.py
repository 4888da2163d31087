"""Test in a real browser who can drive by a page, and that a motion ends with its visible page."""

import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
import viser

from benchmarks.own_clock import wait_until
from walking_robots.robots.urdf.description import robot_description
from walking_robots.viewer.common.page import Page
from walking_robots.viewer.scout.page import scout_page
from walking_robots.viewer.scout.state import ScoutControls, ScoutView, Walls

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ScoutsPage = Page[ScoutView, Walls]


@pytest.fixture
def requested() -> list[str]:
    return []


@pytest.fixture
def page(requested: list[str]) -> Iterator[ScoutsPage]:
    controls = ScoutControls(
        wander=lambda _: requested.append('wander'),
        stop=lambda: requested.append('stop'),
    )
    page = scout_page(robot_description('super_scout'), controls, port=0)
    yield page
    page.close()


def _navigate(tab: Any) -> None:
    tab.call('Page.navigate', url='data:text/html,elsewhere')


def _hide(tab: Any) -> None:
    tab.beside('about:blank', window=False)
    assert tab.evaluate('document.visibilityState') == 'hidden'


def _freeze(tab: Any) -> None:
    tab.call('Page.setWebLifecycleState', state='frozen')


def _block(tab: Any) -> None:
    tab.call('Runtime.evaluate', expression='setTimeout(() => { for (;;); })')


@pytest.mark.parametrize('go_away', [_navigate, _hide, _freeze, _block])
def test_a_motion_ends_when_its_page_cannot_be_used(
    page: ScoutsPage,
    requested: list[str],
    open_tab: Callable[[str], Any],
    go_away: Callable[[Any], None],
) -> None:
    tab = open_tab(page.url)
    tab.click('On')
    wait_until(lambda: bool(requested), 'a motion')
    go_away(tab)
    wait_until(lambda: requested[-1] == 'stop', 'a stop, as nobody is left to press it')


def test_a_motion_goes_on_while_another_visitor_can_end_it(
    page: ScoutsPage, requested: list[str], open_tab: Callable[[str], Any]
) -> None:
    # Patient, since two windows may be slow on a busy machine.
    page._page_server.heartbeat._clock = lambda: 0.1 * time.monotonic()
    tab = open_tab(page.url)
    other = tab.beside(page.url, window=True)
    other.click('On')
    wait_until(lambda: bool(requested), 'a motion')
    tab.call('Page.bringToFront')
    before = tab.evaluate('performance.now()')
    other.call('Page.close')
    tab.wait_for(f'performance.now() - {before} > 7000')
    assert requested == ['wander']
    tab.call('Page.close')
    wait_until(lambda: requested[-1] == 'stop', 'a stop, as nobody is left to press it')


class _Site(BaseHTTPRequestHandler):
    """A site of somebody else."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header('Content-Type', 'text/html')
        self.end_headers()
        self.wfile.write(b'<p>another site</p>')

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def elsewhere() -> Iterator[str]:
    """Return the address of a site with another origin."""
    with ThreadingHTTPServer(('127.0.0.1', 0), _Site) as site:
        thread = threading.Thread(target=site.serve_forever)
        thread.start()
        yield f'http://127.0.0.1:{site.server_port}/'
        site.shutdown()
        thread.join()


def test_another_site_gets_nowhere(
    page: ScoutsPage, requested: list[str], elsewhere: str, open_tab: Callable[[str], Any]
) -> None:
    tab = open_tab(elsewhere)
    tab.wait_for('document.body && document.body.innerText.includes("another site")')
    tab.evaluate('results = []')
    addresses = [page.origin, page.url.rstrip('/'), f'{page.url}heartbeat']
    for address in addresses:
        socket = address.replace('http:', 'ws:')
        tab.evaluate(f"""{{
            const socket = new WebSocket('{socket}', ['viser-v{viser.__version__}']);
            socket.onopen = () => results.push('opened');
            socket.onerror = () => results.push('refused');
            fetch('{address}').then(() => results.push('read'), () => results.push('refused'));
        }}""")
    tab.wait_for(f'results.length == {2 * len(addresses)}')
    assert tab.evaluate('new Set(results).size') == 1
    assert tab.evaluate('results[0]') == 'refused'
    assert page._server.get_clients() == {}
    tab.evaluate(f"""
        const form = document.createElement('form');
        form.action = '{page.origin}';
        document.body.append(form);
        form.submit();
    """)
    tab.wait_for('document.body && document.body.innerText.includes("The token is missing")')
    assert requested == []
