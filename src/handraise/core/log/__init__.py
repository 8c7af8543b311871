"""The log: facts, how each is chained to the one before it, and what is left of one when its content is forgotten."""
