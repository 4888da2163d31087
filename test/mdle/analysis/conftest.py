"""Let the tests of the checker share how they check programs that are written as text."""

import importlib.util
import sys
from pathlib import Path

path = Path(__file__).with_name('marked.py')
spec = importlib.util.spec_from_file_location('mdle_marked', path)
module = importlib.util.module_from_spec(spec)
sys.modules['mdle_marked'] = module
spec.loader.exec_module(module)
