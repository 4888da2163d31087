"""Pictures of the report's figures."""

from pathlib import Path

import pytest

from walking_robots.trials.mdle.experiments import run_experiment
from walking_robots.trials.mdle.figures import draw_paths


def test_a_picture_is_what_its_name_says(tmp_path: Path) -> None:
    drives = {name: run_experiment(name, step=0.1) for name in ('F2', 'F2e')}
    for name, start in (('a.png', b'\x89PNG'), ('a.svg', b'<?xml')):
        draw_paths(drives, 'a circle', tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(start)
    draw_paths(drives, 'a circle', tmp_path / 'b.svg')
    assert (tmp_path / 'a.svg').read_bytes() == (tmp_path / 'b.svg').read_bytes()


def test_another_format_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r'\.png or \.svg'):
        draw_paths({'F2': run_experiment('F2')}, 'a circle', tmp_path / 'a.pdf')
    assert not list(tmp_path.iterdir())
