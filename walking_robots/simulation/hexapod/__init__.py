"""Kinematic hexapods."""
