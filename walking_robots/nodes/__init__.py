"""ROS 2 nodes: each translates messages to library calls and back, and holds no algorithm."""
