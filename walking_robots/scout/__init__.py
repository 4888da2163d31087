"""Nomad Super Scout: serial protocol, link, driver core, and an emulated robot."""
