"""Draw programs of the motion language at random."""
