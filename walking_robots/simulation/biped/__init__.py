"""The planar biped in MuJoCo, on the thesis's springs or on MuJoCo's own contacts."""
