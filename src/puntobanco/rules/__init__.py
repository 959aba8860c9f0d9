"""What a game is made of: facts, wagers, the game itself, its document, the rulings, and the checks of all these."""
