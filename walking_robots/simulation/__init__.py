"""Backends that stand in for a robot."""
