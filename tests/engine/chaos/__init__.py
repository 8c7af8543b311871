"""The long part of the engine's proof; `make chaos` runs it."""
