"""What every page gets in its head: styles and scripts."""

import json
from collections.abc import Collection
from functools import cache
from importlib.resources import files

from walking_robots.viewer.common.controls import KEYS, START_LABELS, Axis, help_rows
from walking_robots.viewer.common.heartbeat import PATH


def page_head(axes: Collection[Axis] | None) -> str:
    """Return the markup for the page of a robot that is driven along these axes.

    None is a page that moves nothing, since it shows a record.
    """
    data = {
        'path': PATH,
        'axes': list(axes or ()),
        'stops': axes is not None,
        'keys': [key._asdict() for key in KEYS],
        'starts': START_LABELS,
        'help': help_rows(axes),
    }
    scripts = ''.join(map(_read, ('driving.js', 'bar.js', 'resolution.js', 'heartbeat.js')))
    return (
        f'<style>{_read("page.css")}</style>'
        f'<script>(() => {{\nconst PAGE = {json.dumps(data)};\n{scripts}}})();</script>'
    )


@cache
def _read(name: str) -> str:
    return files(__package__).joinpath('web', name).read_text(encoding='utf-8')
