"""The desk: what people do with requests, conversations and tickets, and what the clock does for them."""
