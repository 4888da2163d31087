"""What a robot makes of its surroundings: things that moved, maps, landmarks."""
