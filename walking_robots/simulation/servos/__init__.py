"""An emulated bus of servos, which the SDK of their maker cannot tell from a real one."""
