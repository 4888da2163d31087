"""The page of a six-legged robot: terrain, legs, margins, and what the gait thinks about."""
