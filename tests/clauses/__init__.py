"""A proof for every clause of every rule document; `proof.py` says how a test names what it proves."""
