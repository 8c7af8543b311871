"""Domain <-> wire, one file for each dialect, and the registry that lists them."""
