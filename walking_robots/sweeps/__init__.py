"""Runs of an experiment over all combinations of its options, with what they say together."""
