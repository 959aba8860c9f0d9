from hypothesis import settings

# The same examples on every run, on a machine of any speed.
settings.register_profile("deterministic", derandomize=True, deadline=None)
settings.load_profile("deterministic")
