"""Plans: constraints and preferences near a topic."""
