"""Let the tests of this room share what is no test: a world with a robot in it."""

import importlib.util
import sys
from pathlib import Path

_SPEC = importlib.util.spec_from_file_location('ars_stage', Path(__file__).with_name('stage.py'))
_MODULE = importlib.util.module_from_spec(_SPEC)
sys.modules['ars_stage'] = _MODULE
_SPEC.loader.exec_module(_MODULE)
