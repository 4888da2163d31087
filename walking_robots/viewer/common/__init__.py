"""What the pages of all systems share."""
