"""Running an agent with somebody who answers what it asks: at a terminal, or in a test."""
