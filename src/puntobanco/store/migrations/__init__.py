"""How a database came to the tables of `schema.py`, step by step; each step is applied once, at start."""
