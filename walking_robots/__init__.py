"""Classic legged and mobile robot control on ROS 2."""

__version__ = '0.1.0'
