"""What a person writes of a world: maps, things, place types, kickers, manipulations, robots."""
