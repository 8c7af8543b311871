"""Live feeds: who hears of what, and until when."""
