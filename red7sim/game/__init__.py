"""Red7 itself: cards, rules, rulesets and turns. Knows no players."""
