"""Keep parsed interfaces for the next generator, each of which parses all of them.

The folder of this module is on the path of Python while `make env` builds interfaces. Parsing
takes a tenth of a second a file, and most of a generator's time.
"""

import hashlib
import os
import pickle
import sys
import tempfile
from pathlib import Path
from typing import Any

if '--generator-arguments-file' in sys.orig_argv:
    from rosidl_parser import parser

    folder = Path(os.environ['PARSED_INTERFACES'])
    parse = parser.get_ast_from_idl_string

    def parse_once(idl_string: str) -> Any:
        """Return the tree of an interface definition, from a file if there is one."""
        known = folder / hashlib.sha256(idl_string.encode()).hexdigest()
        try:
            return pickle.loads(known.read_bytes())
        except FileNotFoundError:
            tree = parse(idl_string)
        # Generators run side by side: a file appears complete.
        with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
            pickle.dump(tree, file)
        os.replace(file.name, known)
        return tree

    parser.get_ast_from_idl_string = parse_once
