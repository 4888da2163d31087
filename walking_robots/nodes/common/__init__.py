"""What the nodes of all systems share."""
