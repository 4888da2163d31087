"""An emulated Super Scout: body, controller and serial line, to drive without a robot."""
