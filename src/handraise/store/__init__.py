"""The only part that knows SQL: one store, two drivers, one module for each aggregate."""
