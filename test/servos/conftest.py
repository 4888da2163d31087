"""Let the tests of this room share a driver and an emulated bus in simulated time."""

import importlib.util
import sys
from pathlib import Path

path = Path(__file__).with_name('stage.py')
spec = importlib.util.spec_from_file_location('servo_stage', path)
module = importlib.util.module_from_spec(spec)
sys.modules['servo_stage'] = module
spec.loader.exec_module(module)
