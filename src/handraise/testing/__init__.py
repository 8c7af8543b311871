"""Public: what tests of agents need, so that nobody waits for a model, a person or a clock."""
