"""What the trials of all systems share."""
