"""The table that `play` opens: what a patron types, sees and is told."""
