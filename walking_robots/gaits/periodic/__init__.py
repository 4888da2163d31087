"""Gaits that repeat: legs step in turn, by phase offsets and a duty factor."""
