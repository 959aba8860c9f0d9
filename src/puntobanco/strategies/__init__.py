"""How people play: staking systems in simulated sessions, and what counting the cards is worth."""
