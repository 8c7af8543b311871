"""Settings: what they are, where they come from, and what is said about them."""
