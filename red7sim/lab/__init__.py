"""From games to knowledge: runs, counts, estimates."""
