"""What a body may do on its way, by name."""

FREEDOMS = ('straight', 'lane', 'anywhere', 'yaw', 'posture')
"""The body keeps to its line, or to 2 cells on each side of it, or goes anywhere, or anywhere and
turns, or anywhere and turns and pitches and sinks."""
