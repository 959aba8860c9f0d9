"""The record on disk: event log, books and sealed shoes in SQLite or PostgreSQL, written in one transaction."""
