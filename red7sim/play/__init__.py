"""Games being played: deals, players, engine."""
