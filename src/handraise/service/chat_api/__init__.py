"""The chat routes: a conversation as one stream of messages, with a confirmation dialog."""
