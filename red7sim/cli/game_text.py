"""Steps and turns in words."""

from typing import Any

_VERBS = {
    "play": "play",
    "discard": "discard",
    "draw": "draw",
    "take": "take",
    "discard_palette": "discard from palette",
    "to_deck": "put on deck",
    "fold": "fold",
}


def step_text(step: dict[str, Any]) -> str:
    """Return a step of the JSON form in words: "play R5", "take Y4 from player 2"."""
    words = [_VERBS[step["do"]]]
    if step.get("card"):
        words.append(step["card"])
    if "from" in step:
        words.append(f"from player {step['from']}")
    return " ".join(words)


def turn_text(turn: dict[str, Any]) -> str:
    """Return a turn of the JSON form in words, with actions or without."""
    if "steps" in turn:
        text = ", ".join(step_text(step) for step in turn["steps"])
        return f"{text}, then see" if turn["open"] else text
    steps = [{"do": do, "card": turn[do]} for do in ("play", "discard") if turn[do]]
    return ", ".join(step_text(step) for step in steps)
