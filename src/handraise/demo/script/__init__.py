"""The script that the demo's model follows: intents, what each agent does about them, and what it says."""
