"""The body: motion, attitude, stability and support plane."""
