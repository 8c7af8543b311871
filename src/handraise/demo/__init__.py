"""The built-in agent, its scripted model and its data."""
