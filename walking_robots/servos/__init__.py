"""The bus of real servos: models, packets by the SDK of their maker, driver and calibration."""
