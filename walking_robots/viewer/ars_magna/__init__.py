"""The page of an abstract robot: its world, what it perceives, and what it knows."""
