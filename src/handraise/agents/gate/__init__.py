"""The gate: a person reviews calls before they run, and what runs is what was approved."""
