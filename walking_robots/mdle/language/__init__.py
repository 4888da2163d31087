"""What an MDLe program says: its one intermediate form, and the notations it is written in."""
