"""Trials of bipeds."""
