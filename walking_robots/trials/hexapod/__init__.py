"""Trials of hexapods."""
