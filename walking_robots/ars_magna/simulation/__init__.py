"""The world as it is: ticks, commands under way, things, robots. Robot programs never see it."""
