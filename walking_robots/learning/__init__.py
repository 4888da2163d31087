"""Learn parameters of controllers by simulated walks."""
