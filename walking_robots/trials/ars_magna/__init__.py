"""Trials of ARS MAGNA."""
