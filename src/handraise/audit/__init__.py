"""The audit trail: sealing, verifying, exporting, and forgetting what customers said."""
