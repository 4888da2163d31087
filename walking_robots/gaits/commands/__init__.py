"""Velocity commands: operators, sticks, walks of a given distance and stall detection."""
