"""Let the tests of this room share what is no test: programs and how to draw them."""

import importlib.util
import sys
from pathlib import Path


def _share(name: str) -> None:
    """Make a module beside this one importable as mdle_NAME."""
    path = Path(__file__).with_name(f'{name}.py')
    spec = importlib.util.spec_from_file_location(f'mdle_{name}', path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[f'mdle_{name}'] = module
    spec.loader.exec_module(module)


for shared in ('worked', 'programs', 'stage', 'tours'):
    _share(shared)
