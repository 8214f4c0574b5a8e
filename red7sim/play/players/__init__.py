"""One module a player; see `red7sim.play.policy` for the contract."""
