"""The pure domain: no I/O, no clock, no framework."""
