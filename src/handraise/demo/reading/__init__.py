"""Reading: what a customer wants, and what a colleague answered."""
