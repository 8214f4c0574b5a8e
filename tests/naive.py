"""The slow, obvious twin of Red7: the card game on plain sets of cards, an oracle for fast engines.

A card is a string such as "R7", a palette or a hand is a set of cards, a colour or a rule is one of
"red" ... "violet", and a ruleset is a plain dict with every switch. Nothing here is clever; each
function says in words which rule of the game it is.

Readings that were chosen where the rules leave room:

1. A 5 is skipped only with an empty hand. While the hand lasts it forces a palette play, also when
   every card left would be an illegal 7 or a losing 1; the 5 then leads to no turn at all.
2. `discard_after_seven = no` forbids the hand discard only after a 7 that discarded to the canvas,
   not after a 7 that put a card on the deck or whose action was skipped.
3. A 7's canvas discard that draws makes the turn open even if no hand discard may follow the draw;
   its only completion is then "stop".
4. A 7 that may put a card on the deck can always perform its action, so it is never skipped and
   `seven_no_valid` has no effect on it.
5. A card that a 7 puts on the deck needs no lead at that moment; the turn must end winning.
6. The draw of a 3 is its action and happens in every ruleset, also with `draw = never`; the draw
   after a 7's discard is the Advanced draw and obeys `draw`, `draw_offset` and `draw_on_seven`.
7. After the draw of a 3 a player who is not winning may end his turn and be out, even if a discard
   could save him. A player who is winning then cannot go out any more.
8. A losing 1 may follow a chain of 5s. It is any taking 1 after which the player does not win at
   once (also if a discard could still save him); it is never followed by a hand discard.
9. `max_points` chooses among the sets of the greatest count by points, then by highest card.
10. The start bonus counts as 0 for seats that the list does not reach.
11. `start` looks at the order of cards only, whatever the first canvas and its rule are.
12. Under `end = wins:N` and `end = round` no cards are kept, so the scored cards in a deal are
    empty lists. Under `end = round` the scores are the points of that round.
13. A player whose hand is empty is still asked: his fold is a turn of the log.
14. A game for points of 32,768 rounds is over as if the cards had run out; without discards the
    canvas can stay where nothing scores any more.
15. If a round both reaches the points to win and uses up the cards, the points end the game.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import count
from typing import Any

Rules = dict[str, Any]
Step = dict[str, Any]
Event = dict[str, Any]
Cards = frozenset[str]
Value = tuple[int, int]
Strength = tuple[int, Value]

LETTERS = "VIBGYOR"
COLOURS = {
    "R": "red",
    "O": "orange",
    "Y": "yellow",
    "G": "green",
    "B": "blue",
    "I": "indigo",
    "V": "violet",
}
ALL_CARDS = [f"{letter}{digit}" for digit in "1234567" for letter in LETTERS]


# ---------------------------------------------------------------------------------------------
# Cards
# ---------------------------------------------------------------------------------------------


def number(card: str) -> int:
    """The number of a card, 1 to 7."""
    return int(card[1])


def colour(card: str) -> str:
    """The colour of a card, by name."""
    return COLOURS[card[0]]


@cache
def card_value(card: str) -> Value:
    """The total order of the cards: higher number first, equal numbers by colour, red highest."""
    return number(card), LETTERS.index(card[0])


def in_order(cards: Collection[str]) -> list[str]:
    """The cards from the lowest to the highest."""
    return sorted(cards, key=card_value)


def highest(cards: Collection[str]) -> str:
    """The highest of some cards."""
    return max(cards, key=card_value)


def face_value(cards: Collection[str]) -> int:
    """The points of some cards: each is worth its number."""
    return sum(number(card) for card in cards)


# ---------------------------------------------------------------------------------------------
# The seven rules: every set that could count, of which the best one does
# ---------------------------------------------------------------------------------------------


def groups(palette: Cards, feature: Callable[[str], object]) -> list[Cards]:
    """The cards of a palette in groups that share a feature."""
    found: dict[object, list[str]] = {}
    for card in palette:
        found.setdefault(feature(card), []).append(card)
    return [frozenset(cards) for cards in found.values()]


def red_sets(palette: Cards) -> list[Cards]:
    """Highest card: each single card is a set."""
    return groups(palette, card_value)


def orange_sets(palette: Cards) -> list[Cards]:
    """Most of one number: all cards of each number."""
    return groups(palette, number)


def yellow_sets(palette: Cards) -> list[Cards]:
    """Most of one colour: all cards of each colour."""
    return groups(palette, colour)


def green_sets(palette: Cards) -> list[Cards]:
    """Most even cards: all 2, 4 and 6."""
    return [frozenset(c for c in palette if number(c) % 2 == 0)]


def blue_sets(palette: Cards) -> list[Cards]:
    """Most different colours: the highest card of each colour."""
    return [frozenset(highest(group) for group in groups(palette, colour))]


def indigo_sets(palette: Cards) -> list[Cards]:
    """Most in a row: every row of consecutive numbers, each number by its highest colour."""
    best_of = {number(card): card for card in in_order(palette)}
    sets = []
    for first in best_of:
        row = []
        for n in count(first):
            if n not in best_of:
                break
            row.append(best_of[n])
        sets.append(frozenset(row))
    return sets


def violet_sets(palette: Cards) -> list[Cards]:
    """Most below 4: all 1, 2 and 3."""
    return [frozenset(c for c in palette if number(c) in {1, 2, 3})]


RULE_SETS: dict[str, Callable[[Cards], list[Cards]]] = {
    "red": red_sets,
    "orange": orange_sets,
    "yellow": yellow_sets,
    "green": green_sets,
    "blue": blue_sets,
    "indigo": indigo_sets,
    "violet": violet_sets,
}


def set_strength(cards: Cards) -> Strength:
    """How good a set is: the number of its cards first, then its highest card."""
    return (len(cards), card_value(highest(cards))) if cards else (0, (0, 0))


@lru_cache(maxsize=1 << 16)
def best_set(palette: Cards, rule: str) -> Cards:
    """The best set of a palette under a rule; the empty set if no card counts."""
    return max(RULE_SETS[rule](palette), key=set_strength, default=frozenset())


def counting_set(palette: Collection[str], rule: str) -> Cards:
    """The cards of a palette that count under one of the seven rules."""
    return best_set(frozenset(palette), rule)


@lru_cache(maxsize=1 << 16)
def best_strength(palette: Cards, rule: str) -> Strength:
    """How good the best set of a palette is under a rule."""
    return set_strength(best_set(palette, rule))


def strength(palette: Collection[str], rule: str) -> Strength:
    """What is compared between players: the count of the set, then its highest card."""
    return best_strength(frozenset(palette), rule)


def leader(palettes: Sequence[Collection[str]], live: Sequence[bool], rule: str) -> int | None:
    """Who is winning: the live player with the best set; nobody if no live player has a card."""
    players = [player for player, is_in in enumerate(live) if is_in]
    (best_count, _), best = max(
        (best_strength(frozenset(palettes[player]), rule), player) for player in players
    )
    return best if best_count > 0 else None


def scored_set(palette: Collection[str], rule: str, score_choice: str) -> Cards:
    """The cards that a round's winner takes: his set, or the dearest of his equally large sets."""
    counting = counting_set(palette, rule)
    if score_choice == "tiebreak":
        return counting
    sets = RULE_SETS[rule](frozenset(palette))
    largest = [cards for cards in sets if len(cards) == len(counting)]
    return max(largest, key=lambda cards: (face_value(cards), set_strength(cards)))


# ---------------------------------------------------------------------------------------------
# Positions and steps
# ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Turn:
    """The steps of one turn; an open one ends where a draw decides how it goes on."""

    steps: tuple[Step, ...]
    open: bool

    def key(self) -> tuple[Any, ...]:
        """A hashable form of the turn, for sets of turns."""
        return (self.open, *(tuple(sorted(step.items())) for step in self.steps))


@dataclass
class Position:
    """Everything on the table, in the middle of a round; functions return changed copies."""

    rules: Rules
    hands: list[Cards]
    palettes: list[Cards]
    live: list[bool]
    canvas: str
    deck: list[str]
    mover: int
    steps: tuple[Step, ...] = ()
    canvas_pile: list[str] = field(default_factory=list)
    scored: list[list[str]] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    """Those before the round; empty where nobody asks."""
    modifiers: frozenset[str] = frozenset()
    """Restrictions of the mover, which a player obeys; the rules know nothing of them."""
    gone: frozenset[str] = frozenset()
    """Cards that all players know to be with one who is out."""


def rule_of(position: Position, canvas: str) -> str:
    """The rule that a canvas colour stands for."""
    return str(position.rules["rules_in_play"][canvas])


def wins_with(position: Position, canvas: str) -> bool:
    """Whether the mover would be winning if the canvas had this colour."""
    rule = rule_of(position, canvas)
    return leader(position.palettes, position.live, rule) == position.mover


def is_winning(position: Position) -> bool:
    """Whether the mover is winning the current game."""
    return wins_with(position, position.canvas)


def after_step(position: Position, step: Step) -> Position:
    """The position after one step of the mover, who is trusted that he may do it."""
    new = replace(
        position,
        hands=list(position.hands),
        palettes=list(position.palettes),
        live=list(position.live),
        deck=list(position.deck),
        canvas_pile=list(position.canvas_pile),
        steps=(*position.steps, step),
    )
    me, do = position.mover, step["do"]
    if do == "fold":
        return new
    card = step["card"]
    if do in {"play", "discard"}:
        new.hands[me] -= {card}
    if do in {"discard_palette", "to_deck"}:
        new.palettes[me] -= {card}
    if do == "take":
        new.palettes[step["from"]] -= {card}
    if do == "play":
        new.palettes[me] |= {card}
    if do in {"discard", "discard_palette"}:
        new.canvas_pile.append(card)
        new.canvas = colour(card)
    if do in {"take", "to_deck"}:
        new.deck.insert(0, card)
    if do == "draw":
        new.deck.remove(card)
        new.hands[me] |= {card}
    return new


def after_steps(position: Position, steps: Sequence[Step]) -> Position:
    """The position after several steps of the mover."""
    for step in steps:
        position = after_step(position, step)
    return position


def draw_step(position: Position) -> Step:
    """Drawing the top card of the deck."""
    return {"do": "draw", "card": position.deck[0]}


def may_draw(position: Position, card: str) -> bool:
    """Advanced draw: the discarded number is greater than the palette (plus offset), deck left."""
    limit = len(position.palettes[position.mover]) + int(position.rules["draw_offset"])
    return position.rules["draw"] == "auto" and bool(position.deck) and number(card) > limit


def final_draw(position: Position) -> list[Step]:
    """The draw after the hand discard with which a turn ended, if it is due."""
    last = position.steps[-1]
    due = last["do"] == "discard" and may_draw(position, last["card"])
    return [draw_step(position)] if due else []


def next_live(position: Position) -> int:
    """The next player in turn order who is still in."""
    players = len(position.live)
    seats = [(position.mover + i) % players for i in range(1, players + 1)]
    return next(seat for seat in seats if position.live[seat])


def end_turn(position: Position, *, survives: bool) -> Position:
    """The turn passes on; who does not survive is out."""
    live = list(position.live)
    live[position.mover] = survives
    new = replace(position, live=live, steps=())
    new.mover = next_live(new)
    return new


# ---------------------------------------------------------------------------------------------
# What a player may do
# ---------------------------------------------------------------------------------------------


def may_discard(position: Position) -> bool:
    """Whether a hand discard may still follow: a house rule forbids it after a 7's discard."""
    seven = any(step["do"] == "discard_palette" for step in position.steps)
    return bool(position.rules["discard_after_seven"]) or not seven


def surviving_discards(position: Position) -> list[str]:
    """The hand cards whose discard leaves the mover winning the new game."""
    if not may_discard(position):
        return []
    hand = in_order(position.hands[position.mover])
    winning = {name for name in {colour(card) for card in hand} if wins_with(position, name)}
    return [card for card in hand if colour(card) in winning]


def completions(position: Position) -> list[str]:
    """The ends of a turn begun: "stop" if winning, or the hand card of a surviving discard."""
    stop = ["stop"] if is_winning(position) else []
    return stop + surviving_discards(position)


def completion_steps(completion: str) -> tuple[Step, ...]:
    """The steps of a completion."""
    return () if completion == "stop" else ({"do": "discard", "card": completion},)


def finished(position: Position) -> list[Turn]:
    """The turns that go through this position, after the palette plays and their actions."""
    ends = completions(position)
    return [Turn(position.steps + completion_steps(end), open=False) for end in ends]


def turns(position: Position) -> list[Turn]:
    """Every turn with which the mover survives or may survive; the order means nothing."""
    discards = surviving_discards(position)
    found = [Turn(completion_steps(card), open=False) for card in discards]
    for card in in_order(position.hands[position.mover]):
        found += turns_playing(position, card)
    return found


def turns_playing(position: Position, card: str) -> list[Turn]:
    """The turns that go on by playing this card to the palette, with its action if it has one."""
    played = after_step(position, {"do": "play", "card": card})
    action = ACTIONS.get(number(card)) if position.rules["actions"] else None
    return action(played, card) if action else finished(played)


def takes(position: Position) -> list[Step]:
    """What a 1 may take: a card of another live player, but never a player's only card.

    Printing 1.2: and not from a player who has fewer palette cards than the mover has now.
    """
    mine = len(position.palettes[position.mover])
    found = []
    for player, palette in enumerate(position.palettes):
        if player == position.mover or not position.live[player] or len(palette) == 1:
            continue
        if position.rules["one_target"] == "not_fewer_than_me" and len(palette) < mine:
            continue
        found += [{"do": "take", "card": card, "from": player} for card in in_order(palette)]
    return found


def act_one(position: Position, _card: str) -> list[Turn]:
    """A 1 takes a card from another player's palette to the top of the deck, if it can."""
    steps = takes(position)
    if not steps:
        return finished(position)
    return [turn for step in steps for turn in finished(after_step(position, step))]


def act_three(position: Position, _card: str) -> list[Turn]:
    """A 3 draws a card, which may be a gamble; with an empty deck it does nothing."""
    return [Turn(position.steps, open=True)] if position.deck else finished(position)


def act_five(position: Position, _card: str) -> list[Turn]:
    """A 5 plays another hand card to the palette; with an empty hand it does nothing."""
    hand = in_order(position.hands[position.mover])
    if not hand:
        return finished(position)
    return [turn for card in hand for turn in turns_playing(position, card)]


def movable(position: Position, seven: str) -> list[str]:
    """The palette cards that a 7 may move: the others, in 1.2 itself too; never the only card."""
    palette = position.palettes[position.mover]
    if len(palette) == 1:
        return []
    itself: set[str] = set() if position.rules["seven_may_move_itself"] else {seven}
    return in_order(palette - itself)


def seven_draws(position: Position, card: str) -> bool:
    """Whether a card that a 7 has discarded to the canvas draws."""
    return bool(position.rules["draw_on_seven"]) and may_draw(position, card)


def act_seven(position: Position, seven: str) -> list[Turn]:
    """A 7 discards a palette card to the canvas, winning at once, or (1.2) puts one on the deck."""
    found, performed = [], False
    for card in movable(position, seven):
        moved = after_step(position, {"do": "discard_palette", "card": card})
        if is_winning(moved):
            performed = True
            draws = seven_draws(moved, card)
            found += [Turn(moved.steps, open=True)] if draws else finished(moved)
        if position.rules["seven_to_deck"]:
            performed = True
            found += finished(after_step(position, {"do": "to_deck", "card": card}))
    if not performed and position.rules["seven_no_valid"] == "skip":
        return finished(position)
    return found


ACTIONS: dict[int, Callable[[Position, str], list[Turn]]] = {
    1: act_one,
    3: act_three,
    5: act_five,
    7: act_seven,
}


def losing_ones(position: Position) -> list[Turn]:
    """Where it is allowed: playing a 1 (after any 5s), taking a card, and going out."""
    if not (position.rules["actions"] and position.rules["allow_losing_one"]):
        return []
    found = []
    for card in in_order(position.hands[position.mover]):
        played = after_step(position, {"do": "play", "card": card})
        if number(card) == 5:
            found += losing_ones(played)
        if number(card) == 1:
            taken = [after_step(played, step) for step in takes(played)]
            found += [Turn(after.steps, open=False) for after in taken if not is_winning(after)]
    return found


def surviving_pairs(position: Position) -> set[tuple[str | None, str | None]]:
    """Without actions: every (card to the palette, card to the canvas) with which one survives."""
    me = position.mover
    pairs: set[tuple[str | None, str | None]] = set()
    for play in [None, *position.hands[me]]:
        for discard in [None, *position.hands[me]]:
            if play == discard:
                continue
            palettes = [set(palette) for palette in position.palettes]
            if play is not None:
                palettes[me].add(play)
            canvas = position.canvas if discard is None else colour(discard)
            if leader(palettes, position.live, rule_of(position, canvas)) == me:
                pairs.add((play, discard))
    return pairs


# ---------------------------------------------------------------------------------------------
# The deal
# ---------------------------------------------------------------------------------------------


@dataclass
class Layout:
    """The cards of a new round, each list in dealing order."""

    hands: list[list[str]]
    palettes: list[list[str]]
    deck: list[str]
    canvas: str
    canvas_pile: list[str]
    start: int


def bonus_cards(rules: Rules, players: int) -> list[int]:
    """The extra hand cards of each player in turn order."""
    bonus = [int(extra) for extra in rules["start_bonus"]]
    if any(bonus[players:]):
        msg = "a start bonus for more players than there are"
        raise ValueError(msg)
    return (bonus + [0] * players)[:players]


def cards_needed(rules: Rules, players: int) -> int:
    """How many cards a round needs; with exactly so many the draw deck is empty."""
    each = int(rules["hand_size"]) + int(rules["palette_size"])
    canvas = 1 if rules["first_canvas"] == "dealt" else 0
    return players * each + sum(bonus_cards(rules, players)) + canvas


def start_player(rules: Rules, palettes: Sequence[Collection[str]]) -> int:
    """Who starts: left of the highest palette card, or by house rule the holder of a card."""
    owner = {card: player for player, palette in enumerate(palettes) for card in palette}
    cards = in_order(owner)
    if rules["start"] == "lowest_card":
        return owner[cards[0]]
    if rules["start"] == "highest_card":
        return owner[cards[-1]]
    return (owner[cards[-1]] + 1) % len(palettes)


def lay_out(rules: Rules, players: int, deck_order: Sequence[str]) -> Layout:
    """Deal hand and palette to each player, then the bonus in turn order, then the canvas."""
    if len(deck_order) < cards_needed(rules, players):
        msg = "not enough cards for a round"
        raise ValueError(msg)
    deck = list(deck_order)

    def from_top(many: int) -> list[str]:
        return [deck.pop(0) for _ in range(many)]

    hands, palettes = [], []
    for _ in range(players):
        hands.append(from_top(int(rules["hand_size"])))
        palettes.append(from_top(int(rules["palette_size"])))
    start = start_player(rules, palettes)
    for i, extra in enumerate(bonus_cards(rules, players)):
        hands[(start + i) % players] += from_top(extra)
    dealt = rules["first_canvas"] == "dealt"
    pile = from_top(1) if dealt else []
    canvas = colour(pile[0]) if dealt else str(rules["first_canvas"])
    return Layout(hands, palettes, deck, canvas, pile, start)


def first_position(rules: Rules, layout: Layout, scored: Sequence[Sequence[str]]) -> Position:
    """The position before the first turn of a round; each of the 49 cards is in one place."""
    places = [*layout.hands, *layout.palettes, layout.deck, layout.canvas_pile, *scored]
    if in_order([card for cards in places for card in cards]) != ALL_CARDS:
        msg = "the cards dealt and scored are not the 49 cards"
        raise ValueError(msg)
    return Position(
        rules=rules,
        hands=[frozenset(hand) for hand in layout.hands],
        palettes=[frozenset(palette) for palette in layout.palettes],
        live=[True] * len(layout.hands),
        canvas=layout.canvas,
        deck=list(layout.deck),
        mover=layout.start,
        canvas_pile=list(layout.canvas_pile),
        scored=[list(cards) for cards in scored],
    )


def deal(
    rules: Rules, players: int, deck_order: Sequence[str], scored: Sequence[Sequence[str]]
) -> tuple[Position, int]:
    """The first position of a round and its start player, from a deck listed from the top."""
    layout = lay_out(rules, players, deck_order)
    return first_position(rules, layout, scored), layout.start


# ---------------------------------------------------------------------------------------------
# The end of a round and of the game
# ---------------------------------------------------------------------------------------------


@dataclass
class Standing:
    """What is kept between rounds: points or rounds won, and the cards that have left the deck."""

    scores: list[int]
    scored: list[list[str]]


def new_standing(players: int) -> Standing:
    """The standing before the first round."""
    return Standing([0] * players, [[] for _ in range(players)])


def remaining_cards(standing: Standing) -> list[str]:
    """The cards for the next round: all but the scored ones."""
    gone = {card for cards in standing.scored for card in cards}
    return [card for card in ALL_CARDS if card not in gone]


def end_kind(rules: Rules) -> str:
    """How the game ends: "round", "points" or "wins"."""
    return str(rules["end"]).split(":")[0]


def end_goal(rules: Rules) -> int:
    """The points, or the rounds won, that end the game."""
    return int(str(rules["end"]).split(":")[1])


def round_winner(position: Position) -> int:
    """The last player who is in."""
    return position.live.index(True)


def round_set(position: Position) -> list[str]:
    """The winner's set under the current rule, highest card first."""
    palette = position.palettes[round_winner(position)]
    rule = rule_of(position, position.canvas)
    return in_order(scored_set(palette, rule, position.rules["score_choice"]))[::-1]


def round_points(position: Position) -> int:
    """The points for the winner's set, or the least that a round brings where that is more."""
    return max(face_value(round_set(position)), position.rules["round_minimum"])


def after_round(position: Position, standing: Standing) -> Standing:
    """The standing after a round: points for the set, or one more round won.

    The cards of the set leave the deck only in a game for points.
    """
    winner, cards = round_winner(position), round_set(position)
    scores, scored = list(standing.scores), [list(pile) for pile in standing.scored]
    scores[winner] += 1 if end_kind(position.rules) == "wins" else round_points(position)
    if end_kind(position.rules) == "points":
        scored[winner] += cards
    return Standing(scores, scored)


def end_reason(rules: Rules, players: int, standing: Standing, number: int) -> str | None:
    """Why the game is over after a round of that number, or None if it goes on."""
    kind = end_kind(rules)
    if kind == "round":
        return "round"
    if max(standing.scores) >= end_goal(rules):
        return kind
    too_few = len(remaining_cards(standing)) < cards_needed(rules, players)
    endless = kind == "points" and number == 32_767
    return "cards" if too_few or endless else None


def game_winners(reason: str, last_winner: int, standing: Standing) -> list[int]:
    """Who wins: the winner of the last round; if the cards ran out, all with the most points."""
    if reason != "cards":
        return [last_winner]
    most = max(standing.scores)
    return [player for player, score in enumerate(standing.scores) if score == most]


# ---------------------------------------------------------------------------------------------
# Playing a game
# ---------------------------------------------------------------------------------------------

Shuffle = Callable[[int, list[str]], list[str]]
Options = Sequence[Turn] | Sequence[str]
Choose = Callable[[Position, Options], int | None]


def ask(position: Position, options: Options, choose: Choose) -> int | None:
    """The index of the option that the player chooses; None to fold, and where there is none."""
    index = choose(position, options) if options else None
    if index is not None and not 0 <= index < len(options):
        msg = f"option {index} of {len(options)}"
        raise ValueError(msg)
    return index


def complete(position: Position, choose: Choose) -> Position:
    """The draw that an open turn waits for, and the player's completion of the turn."""
    drawn = after_step(position, draw_step(position))
    ends = completions(drawn)
    index = ask(drawn, ends, choose)
    if index is not None:
        return after_steps(drawn, completion_steps(ends[index]))
    if is_winning(drawn):
        msg = "a player who is winning after his draw cannot go out"
        raise ValueError(msg)
    return drawn


def play_turn(position: Position, choose: Choose, *, offer_losing_ones: bool) -> Position:
    """The position after the mover's whole turn, its draws included, before the turn passes on."""
    options = turns(position) + (losing_ones(position) if offer_losing_ones else [])
    index = ask(position, options, choose)
    if index is None:
        return after_step(position, {"do": "fold"})
    after = after_steps(position, options[index].steps)
    if options[index].open:
        after = complete(after, choose)
    return after_steps(after, final_draw(after))


def survives_turn(position: Position) -> bool:
    """At the end of a turn: who folded or is not winning is out."""
    return position.steps[-1]["do"] != "fold" and is_winning(position)


def deal_event(round_number: int, layout: Layout, standing: Standing) -> Event:
    """The log entry of a deal."""
    return {
        "type": "deal",
        "round": round_number,
        "hands": layout.hands,
        "palettes": layout.palettes,
        "deck": layout.deck,
        "canvas": layout.canvas,
        "scored": [list(cards) for cards in standing.scored],
        "start": layout.start,
    }


def turn_event(round_number: int, position: Position) -> Event:
    """The log entry of a turn, from the position at its end."""
    return {
        "type": "turn",
        "round": round_number,
        "player": position.mover,
        "steps": [dict(step) for step in position.steps],
        "canvas": position.canvas,
        "survives": survives_turn(position),
    }


def round_event(round_number: int, position: Position, standing: Standing) -> Event:
    """The log entry of a round's end, with the standing after it."""
    cards = round_set(position)
    return {
        "type": "round_end",
        "round": round_number,
        "winner": round_winner(position),
        "canvas": position.canvas,
        "scored": cards,
        "points": round_points(position),
        "scores": list(standing.scores),
    }


def game_event(reason: str, position: Position, standing: Standing) -> Event:
    """The log entry of the game's end."""
    return {
        "type": "game_end",
        "winners": game_winners(reason, round_winner(position), standing),
        "scores": list(standing.scores),
        "reason": reason,
    }


def play_game(
    rules: Rules,
    players: int,
    shuffle: Shuffle,
    choose: Choose,
    *,
    offer_losing_ones: bool = False,
) -> list[Event]:
    """One game as a list of log entries; losing 1s are among the options only if asked for."""
    events: list[Event] = []
    standing = new_standing(players)
    for round_number in count():
        layout = lay_out(rules, players, shuffle(round_number, remaining_cards(standing)))
        start = first_position(rules, layout, standing.scored)
        position = replace(start, scores=list(standing.scores))
        events.append(deal_event(round_number, layout, standing))
        while sum(position.live) > 1:
            position = play_turn(position, choose, offer_losing_ones=offer_losing_ones)
            events.append(turn_event(round_number, position))
            position = end_turn(position, survives=survives_turn(position))
        standing = after_round(position, standing)
        events.append(round_event(round_number, position, standing))
        reason = end_reason(rules, players, standing, round_number)
        if reason is not None:
            events.append(game_event(reason, position, standing))
            break
    return events


# ---------------------------------------------------------------------------------------------
# The referee
# ---------------------------------------------------------------------------------------------

FIELDS = {
    "deal": {"round", "hands", "palettes", "deck", "canvas", "scored", "start"},
    "turn": {"round", "player", "steps", "canvas", "survives"},
    "round_end": {"round", "winner", "canvas", "scored", "points", "scores"},
    "game_end": {"winners", "scores", "reason"},
}
STEP_FIELDS = {
    "play": {"do", "card"},
    "discard": {"do", "card"},
    "draw": {"do", "card"},
    "take": {"do", "card", "from"},
    "discard_palette": {"do", "card"},
    "to_deck": {"do", "card"},
    "fold": {"do"},
}


def require(condition: object, message: str) -> None:
    """Refuse a log with a message unless the condition holds."""
    if not condition:
        raise AssertionError(message)


def same(found: object, expected: object, what: str) -> None:
    """Refuse a log in which something is not what the rules make it."""
    require(found == expected, f"{what} is {found!r}, must be {expected!r}")


def same_fields(found: set[str], expected: set[str], what: str) -> None:
    """Refuse a log in which an entry or a step has a field too many or too few."""
    same(sorted(found), sorted(expected), f"the list of fields of a {what}")


def next_event(events: Iterator[Event], kind: str) -> Event:
    """The next entry, which must be of this kind with exactly its fields (and a format of 1)."""
    event: Event = next(events, {"type": "the end of the log"})
    same(event.get("type"), kind, "the type of the entry")
    same_fields(set(event) - {"type", "format"}, FIELDS[kind], kind)
    same(event.get("format", 1), 1, "format")
    return event


def check_cards_of_deal(event: Event, standing: Standing) -> list[str]:
    """Each card is in one place; returns the dealt canvas cards, which are listed nowhere."""
    lists = [*event["hands"], *event["palettes"], event["deck"], *event["scored"]]
    seen = [card for cards in lists for card in cards]
    for card in seen:
        require(card in ALL_CARDS, f"there is no card {card!r}")
        require(seen.count(card) == 1, f"{card} is in two places")
    same(
        [sorted(cards) for cards in event["scored"]],
        [sorted(cards) for cards in standing.scored],
        "the cards scored so far",
    )
    return [card for card in ALL_CARDS if card not in seen]


def check_deal(event: Event, rules: Rules, players: int, standing: Standing) -> Position:
    """The deal of a round: sizes, starter, canvas; returns the position before the first turn."""
    missing = check_cards_of_deal(event, standing)
    palette_sizes = [len(palette) for palette in event["palettes"]]
    same(palette_sizes, [rules["palette_size"]] * players, "the list of palette sizes")
    start = start_player(rules, event["palettes"])
    same(event["start"], start, "start")
    hand_sizes = [int(rules["hand_size"])] * players
    for i, extra in enumerate(bonus_cards(rules, players)):
        hand_sizes[(start + i) % players] += extra
    same([len(hand) for hand in event["hands"]], hand_sizes, "the list of hand sizes")
    canvas = rules["first_canvas"]
    if canvas == "dealt":
        same(len(missing), 1, "the number of cards that are in no list of the deal")
        canvas = colour(missing[0])
    else:
        same(missing, [], "the list of cards that are in no list of the deal")
    same(event["canvas"], canvas, "canvas")
    layout = Layout(event["hands"], event["palettes"], event["deck"], canvas, missing, start)
    start_position = first_position(rules, layout, standing.scored)
    return replace(start_position, scores=list(standing.scores))


def check_step(position: Position, step: Step) -> None:
    """A step has its form, and its card is where the step takes it from."""
    do, me = step.get("do"), position.mover
    require(do in STEP_FIELDS, f"there is no step {do!r}")
    same_fields(set(step), STEP_FIELDS[str(do)], f"step {do}")
    card = step.get("card")
    if do in {"play", "discard"}:
        require(card in position.hands[me], f"{do} {card}: not in the hand")
    if do == "draw":
        require(position.deck, f"draw {card}: the deck is empty")
        require(position.deck[0] == card, f"draw {card}: the top is {position.deck[0]}")
    if do in {"discard_palette", "to_deck"}:
        require(card in position.palettes[me], f"{do} {card}: not in the own palette")
    if do == "take":
        others = [p for p, is_in in enumerate(position.live) if is_in and p != me]
        require(step["from"] in others, f"take from {step['from']}: no other live player")
        palette = position.palettes[step["from"]]
        require(card in palette, f"take {card}: not in that player's palette")


def check_steps(position: Position, steps: Sequence[Step]) -> Position:
    """Each card of the steps is where it must be; returns the position after all of them."""
    for step in steps:
        check_step(position, step)
        position = after_step(position, step)
    return position


def check_completion(drawn: Position, rest: list[Step], *, giving_up: bool) -> Position:
    """What follows a draw inside a turn; returns the position before the final draw."""
    ends = completions(drawn)
    if rest and rest[0]["do"] == "discard":
        card = rest[0]["card"]
        require(card in ends, f"discard {card} after the draw: illegal or not winning")
        return after_step(drawn, rest[0])
    if not is_winning(drawn) and not giving_up:
        same(ends, [], "the list of discards that would have saved a failed gamble")
    return drawn


def check_turn_steps(position: Position, steps: list[Step], *, giving_up: bool) -> None:
    """The steps are a turn that the rules allow, with every draw that is due and no other."""
    draws = [i for i, step in enumerate(steps) if step["do"] == "draw"]
    head = tuple(steps[: draws[0]] if draws else steps)
    allowed = [turn for turn in turns(position) + losing_ones(position) if turn.steps == head]
    require(allowed, f"no turn that the rules allow: {list(head)}")
    after = after_steps(position, head)
    if allowed[0].open:
        require(draws, "the compulsory draw is missing")
        drawn = after_step(after, steps[len(head)])
        after = check_completion(drawn, steps[len(head) + 1 :], giving_up=giving_up)
    rest = steps[len(after.steps) :]
    same(rest, final_draw(after), "the list of steps that end the turn")


def check_turn(position: Position, event: Event, *, giving_up: bool) -> Position:
    """One turn; returns the position before the next one. A fold is always legal."""
    same(event["player"], position.mover, "player")
    steps = event["steps"]
    require(steps, "a turn without steps")
    after = check_steps(position, steps)
    if any(step["do"] == "fold" for step in steps):
        same(len(steps), 1, "the number of steps of a turn with a fold")
    else:
        check_turn_steps(position, steps, giving_up=giving_up)
    same(event["canvas"], after.canvas, "canvas")
    survives = survives_turn(after)
    require(event["survives"] is survives, f"survives must be {survives}")
    return end_turn(after, survives=survives)


def check_round_end(event: Event, expected: Event) -> None:
    """The round's winner, canvas, set, points and the scores; the order of the set is free."""
    for name in FIELDS["round_end"] - {"scored"}:
        same(event[name], expected[name], name)
    same(sorted(event["scored"]), sorted(expected["scored"]), "the list of scored cards")


def check_shuffle(event: Event, rules: Rules, standing: Standing, shuffle: Shuffle) -> None:
    """The deal is the one that this deck gives; hands may be listed in any order."""
    deck = shuffle(event["round"], remaining_cards(standing))
    layout = lay_out(rules, len(event["hands"]), deck)
    for name in ("hands", "palettes"):
        dealt = [sorted(cards) for cards in getattr(layout, name)]
        same([sorted(cards) for cards in event[name]], dealt, name)
    same(event["deck"], layout.deck, "deck")


Watch = Callable[[Position, int, int, Event], None]
"""Called before each turn with the position, the round, the turn within it and its entry."""


def check_game(
    events: Iterator[Event],
    players: int,
    rules: Rules,
    *,
    giving_up: bool,
    watch: Watch | None,
    shuffle: Shuffle | None,
) -> None:
    """All entries of one game, from the first deal to the game's end."""
    standing = new_standing(players)
    for round_number in count():
        event = next_event(events, "deal")
        same(event["round"], round_number, "round")
        position = check_deal(event, rules, players, standing)
        if shuffle:
            check_shuffle(event, rules, standing, shuffle)
        for turn in count():
            if sum(position.live) == 1:
                break
            event = next_event(events, "turn")
            same(event["round"], round_number, "round")
            if watch:
                watch(position, round_number, turn, event)
            position = check_turn(position, event, giving_up=giving_up)
        standing = after_round(position, standing)
        event = next_event(events, "round_end")
        check_round_end(event, round_event(round_number, position, standing))
        reason = end_reason(rules, players, standing, round_number)
        if reason is not None:
            break
    event = next_event(events, "game_end")
    expected = game_event(str(reason), position, standing)
    for name in FIELDS["game_end"]:
        same(event[name], expected[name], name)
    require(next(events, None) is None, "the log goes on after the end of the game")


def check_log(
    events: Sequence[Event],
    players: int,
    rules: Rules,
    *,
    giving_up: bool = False,
    watch: Watch | None = None,
    shuffle: Shuffle | None = None,
) -> None:
    """Refuse (AssertionError) a log of one game at the first thing that is not by the rules.

    `watch` sees every turn before it is checked; with `shuffle` the deals are checked against the
    decks that it gives. `giving_up` accepts a player who goes out after the draw of a 3 although
    a discard could have saved him; without it such a turn is refused as a rescue overlooked.
    """
    read = 0

    def counted() -> Iterator[Event]:
        nonlocal read
        for event in events:
            read += 1
            yield event

    try:
        check_game(counted(), players, rules, giving_up=giving_up, watch=watch, shuffle=shuffle)
    except AssertionError as error:
        msg = f"log entry {read - 1}: {error}"
        raise AssertionError(msg) from None
