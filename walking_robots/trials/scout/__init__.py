"""Trials of the Super Scout."""
