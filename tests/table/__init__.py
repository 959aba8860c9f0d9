"""The table: cases and playthroughs in text, properties, settings, and books kept from the events alone."""
