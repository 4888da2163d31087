"""Let the tests of this room share what is no test: a world with a robot in it, and its orders."""

import importlib.util
import sys
from pathlib import Path

for _name in ('stage', 'orders'):
    _spec = importlib.util.spec_from_file_location(
        f'ars_{_name}', Path(__file__).with_name(f'{_name}.py')
    )
    _module = importlib.util.module_from_spec(_spec)
    sys.modules[f'ars_{_name}'] = _module
    _spec.loader.exec_module(_module)
