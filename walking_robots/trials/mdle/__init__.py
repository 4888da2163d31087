"""Trials of motion programs."""
