"""The page of the Super Scout: walls, sonar, bumper, trails, battery and link."""
