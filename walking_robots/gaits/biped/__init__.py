"""The blind biped: one controller for prismatic and for revolute knees, and for both sides."""
