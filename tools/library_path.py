"""Make the libraries of this environment visible to the loader, beside a sourced distribution.

`make env` copies this module into an environment made beside a sourced distribution, whose
library path does not name it; the wheels bring something of the kind themselves. The loader
reads the path once, when a process begins: hence the interpreter starts a second time.
"""

import os
import sys

folder = os.path.join(sys.prefix, 'lib')
path = [name for name in os.environ.get('LD_LIBRARY_PATH', '').split(os.pathsep) if name]
if folder not in path:
    os.environ['LD_LIBRARY_PATH'] = os.pathsep.join([folder, *path])
    os.execv(sys.executable, sys.orig_argv)
