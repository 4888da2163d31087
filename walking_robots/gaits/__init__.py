"""Gait coordinators: rules that decide which leg does what."""
