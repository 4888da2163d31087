"""The colours of the Scout's page, each with its meaning; the legend is made from this."""

from walking_robots.viewer.common.colours import Colour, Grade

WALL_TOP: Colour = (112, 122, 138)
WALL_SIDE: Colour = (150, 158, 171)
ECHO: Colour = (41, 121, 214)
SILENT: Colour = (122, 130, 148)
TOO_NEAR: Colour = Grade.BAD.value
BUMPER: Colour = (74, 80, 92)
PRESSED: Colour = Grade.BAD.value
ODOMETRY: Colour = (232, 131, 24)
TRUTH: Colour = (46, 158, 91)
