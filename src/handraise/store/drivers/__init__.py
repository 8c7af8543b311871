"""The databases: what a driver must do, SQLite and PostgreSQL."""
