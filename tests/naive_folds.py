"""Who folds though a turn survives, out of the log of a game; on plain sets."""

import naive


def surviving_turns(position: naive.Position) -> int:
    """Number of turns without actions after which the mover leads, tried one by one."""
    hand, found = position.hands[position.mover], 0
    for card in (None, *hand):
        for discard in (None, *(hand - {card})):
            if card or discard:
                palettes = list(position.palettes)
                palettes[position.mover] |= {card} - {None}
                canvas = naive.colour(discard) if discard else position.canvas
                rule = naive.rule_of(position, canvas)
                found += naive.leader(palettes, position.live, rule) == position.mover
    return found


def folds_of_log(events: list[dict], rules: naive.Rules) -> list[int]:
    """By round, the players who go out though a turn survives, as bits."""
    folds: list[int] = []
    for event in events:
        if event["type"] == "deal":
            folds.append(0)
            hands = [frozenset(cards) for cards in event["hands"]]
            palettes = [frozenset(cards) for cards in event["palettes"]]
            live, canvas = [True] * len(hands), event["canvas"]
        elif event["type"] == "turn":
            player = event["player"]
            if not event["survives"]:
                position = naive.Position(rules, hands, palettes, live, canvas, [], player)
                folds[-1] |= (surviving_turns(position) > 0) << player
                live[player] = False
            for step in event["steps"]:
                if step["do"] == "play":
                    palettes[player] |= {step["card"]}
                if step["do"] in ("play", "discard"):
                    hands[player] -= {step["card"]}
                elif step["do"] == "draw":
                    hands[player] |= {step["card"]}
            canvas = event["canvas"]
    return folds
