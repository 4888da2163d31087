"""Robots, real and simulated, as a program of the motion language knows them."""
