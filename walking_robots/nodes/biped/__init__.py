"""Nodes of the bipeds."""
