"""The slow twins of the players and of the random streams, on plain sets and Python integers."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import exp, inf, log
from typing import Any

import naive
import naive_solver
from naive import Position, Turn

Option = tuple[str | None, str | None]
"""A turn without actions: card played, card discarded."""


# --- random numbers -----------------------------------------------------------------------------


def philox(counter: list[int], key: list[int]) -> list[int]:
    """Philox4x32-10 on Python integers, after Salmon et al. 2011, section 3.3."""
    for _ in range(10):
        high_0, low_0 = divmod(0xD2511F53 * counter[0], 2**32)
        high_1, low_1 = divmod(0xCD9E8D57 * counter[2], 2**32)
        counter = [high_1 ^ counter[1] ^ key[0], low_1, high_0 ^ counter[3] ^ key[1], low_0]
        key = [(key[0] + 0x9E3779B9) % 2**32, (key[1] + 0xBB67AE85) % 2**32]
    return counter


def stream_word(seed: int, game: int, round_number: int, purpose: int, part: int, w: int) -> int:
    """Word `w` (64 bits) of a stream."""
    counter = [game % 2**32, game >> 32, w // 2, round_number << 16 | part << 4 | purpose]
    words = philox(counter, [seed % 2**32, seed >> 32])
    return words[2 * (w % 2)] | words[2 * (w % 2) + 1] << 32


def step_word(seed: int, game: int, round_number: int, turn: int, step: int) -> int:
    """The choice word of a step: half `step & 1` of block `turn` in part `step >> 1`."""
    return stream_word(seed, game, round_number, 2, step >> 1, 2 * turn + (step & 1))


def deck_order(seed: int, game: int, round_number: int, cards: list[str]) -> list[str]:
    """The deck from the top: mixed-radix digits of the deck stream pick from the sorted cards."""
    left = naive.in_order(cards)
    order = []
    for k in range(len(cards)):
        if k % 4 == 0:
            x = stream_word(seed, game, round_number, 0, 0, k // 4)
        digit, x = divmod(x * len(left), 2**64)
        order.append(left.pop(digit))
    return order


# --- restrictions -------------------------------------------------------------------------------


def may_discard(position: Position, card: str) -> bool:
    """Whether the mover's restrictions let him discard a card to the canvas."""
    barred = {"no-discard", f"no-rule:{naive.colour(card)}"}
    return not barred & position.modifiers


def performed(steps: tuple[naive.Step, ...], *, draws: bool) -> set[int]:
    """The numbers whose action is performed by some steps; `draws`: a draw comes after them."""
    acts = {1: {"take"}, 3: {"draw"}, 5: {"play"}, 7: {"discard_palette", "to_deck"}}
    done = [step["do"] for step in steps] + (["draw"] if draws else [])
    played = [naive.number(step["card"]) if step["do"] == "play" else 0 for step in steps]
    return {n for n, then in zip(played, done[1:], strict=False) if then in acts.get(n, set())}


def obeys(position: Position, turn: Turn) -> bool:
    """Whether a turn keeps to the mover's restrictions."""
    if "no-play" in position.modifiers and any(step["do"] == "play" for step in turn.steps):
        return False
    to_canvas = [s["card"] for s in turn.steps if s["do"] in {"discard", "discard_palette"}]
    if not all(may_discard(position, card) for card in to_canvas):
        return False
    actions = {f"no-action:{n}" for n in performed(turn.steps, draws=turn.open)}
    return not actions & position.modifiers


class Memory:
    """What everybody knows of hidden cards: those put on the deck in sight, and who drew them."""

    def __init__(self) -> None:
        self.round = 0
        self.deck: list[str] = []
        self.hands: dict[int, set[str]] = {}
        self.gone: set[str] = set()

    def see(self, event: dict[str, Any]) -> None:
        """Take in a turn of the log."""
        if event["round"] != self.round:
            self.__init__()
            self.round = event["round"]
        held = self.hands.setdefault(event["player"], set())
        for step in event["steps"]:
            match step["do"]:
                case "take" | "to_deck":
                    self.deck.append(step["card"])
                case "draw" if self.deck:
                    held.add(self.deck.pop())
                case "play" | "discard":
                    held.discard(step["card"])
        if not event["survives"]:
            self.gone |= held


def restricted(text: str, position: Position) -> tuple[str, Position]:
    """A player's name with his parameters, and the position with his restrictions."""
    name, *modifiers = text.split("+")
    return name, replace(position, modifiers=frozenset(modifiers))


# --- turns without actions ----------------------------------------------------------------------


def numbered(position: Position) -> list[Option]:
    """Surviving turns in their numbering: by card played, none last; then by card discarded."""

    def place(card: str | None) -> tuple[float, ...]:
        return (inf,) if card is None else naive.card_value(card)

    pairs = [
        pair
        for pair in naive.surviving_pairs(position)
        if obeys(position, Turn(as_turn(pair), open=False))
    ]
    return sorted(pairs, key=lambda pair: (place(pair[0]), place(pair[1])))


def after(position: Position, option: Option) -> tuple[set[str], set[str], str]:
    """The mover's palette and hand and the canvas after a turn."""
    play, discard = option
    me = position.mover
    palette = set(position.palettes[me]) | ({play} if play else set())
    hand = set(position.hands[me]) - {play, discard}
    return palette, hand, naive.colour(discard) if discard else position.canvas


def strongest_rival(position: Position, rule: str) -> Any:
    """The best strength among the live rivals under a rule."""
    return max(
        naive.strength(palette, rule)
        for player, palette in enumerate(position.palettes)
        if player != position.mover and position.live[player]
    )


def card_id(card: str) -> int:
    """The number of a card in the order of all cards, 0 to 48."""
    return naive.ALL_CARDS.index(card)


def top_id(cards: Any) -> int:
    """The id of the highest card; -1 where there is none."""
    return max(map(card_id, cards), default=-1)


def margin(position: Position, option: Option) -> tuple[int, int]:
    """By how much a turn wins: difference of counts, then of the highest cards' ids."""
    palette, _, canvas = after(position, option)
    rule = naive.rule_of(position, canvas)
    own = naive.counting_set(palette, rule)
    rival_palettes = [
        palette
        for player, palette in enumerate(position.palettes)
        if player != position.mover and position.live[player]
    ]
    rival = naive.counting_set(max(rival_palettes, key=lambda p: naive.strength(p, rule)), rule)
    return len(own) - len(rival), top_id(own) - top_id(rival)


def rules_led(position: Position, palette: set[str]) -> set[str]:
    """The rules that a player with this palette would win."""
    return {
        rule
        for rule in naive.COLOURS.values()
        if naive.strength(palette, rule) > strongest_rival(position, rule)
    }


def cards_spent(option: Option) -> list[str]:
    """The cards that a turn takes from the hand."""
    return [card for card in option if card]


def leads_value(position: Position, option: Option) -> tuple[int, int]:
    """Hand cards left whose colour's rule is led, then number of rules led."""
    palette, hand, _ = after(position, option)
    led = rules_led(position, palette)
    hand = {card for card in hand if may_discard(position, card)}
    useful = [card for card in hand if naive.rule_of(position, naive.colour(card)) in led]
    return len(useful), len(led)


def greedy_value(position: Position, option: Option) -> tuple[int, ...]:
    """Margin, then fewer cards."""
    return (*margin(position, option), -len(cards_spent(option)))


def thrifty_value(_position: Position, option: Option) -> tuple[int, int]:
    """Fewer cards, then lower ones."""
    spent = cards_spent(option)
    return -len(spent), -sum(map(card_id, spent))


# --- what comes next ----------------------------------------------------------------------------


def unseen(position: Position) -> list[str]:
    """The cards that the mover does not see now, and does not know to be out of the round."""
    piles = [*position.palettes, position.canvas_pile, *position.scored, position.gone]
    seen = position.hands[position.mover].union(*piles)
    return [card for card in naive.ALL_CARDS if card not in seen]


def rivals(position: Position) -> list[int]:
    """The live rivals in turn order after the mover."""
    players = len(position.live)
    order = [(position.mover + i) % players for i in range(1, players)]
    return [player for player in order if position.live[player]]


def outlook(position: Position, option: Option, *, adds: bool) -> float:
    """How many turns would survive next time, expected if a rival adds an unseen card."""
    own, hand, canvas = after(position, option)
    theirs = [position.palettes[rival] for rival in rivals(position)]
    states = [
        [*theirs[:i], palette | {card}, *theirs[i + 1 :]]
        for i, palette in enumerate(theirs)
        for card in (unseen(position) if adds else [])
    ] or [theirs]
    total = 0
    for play in (None, *hand):
        for discard in (None, *hand):
            steps = Turn(as_turn((play, discard)), open=False)
            if play == discard or not obeys(position, steps):
                continue
            rule = naive.rule_of(position, naive.colour(discard) if discard else canvas)
            reach = naive.strength(own | ({play} if play else set()), rule)
            total += sum(
                all(reach > naive.strength(their, rule) for their in state) for state in states
            )
    unit = len(states)
    discard = option[1]
    size = len(own) + int(position.rules["draw_offset"])
    if (
        discard
        and position.rules["draw"] == "auto"
        and position.deck
        and naive.number(discard) > size
    ):
        return total * (len(hand) + 2) / (len(hand) * unit) if hand else 1.0
    return total / unit


def expected_replies(position: Position, option: Option) -> float:
    """How many turns the next player would have, on average over the hands that he may hold."""
    palette, _, canvas = after(position, option)
    cards = unseen(position)
    replier, *others = rivals(position)
    bars = [palette, *(position.palettes[player] for player in others)]
    theirs = position.palettes[replier]

    def survives(played: str | None, colour: str) -> bool:
        rule = naive.rule_of(position, colour)
        reply = naive.strength(theirs | ({played} if played else set()), rule)
        return all(reply > naive.strength(bar, rule) for bar in bars)

    singles = sum(survives(card, canvas) for card in cards)
    singles += sum(survives(None, naive.colour(card)) for card in cards)
    pairs = sum(
        survives(first, naive.colour(second))
        for first in cards
        for second in cards
        if first != second
    )
    held, n = len(position.hands[replier]), len(cards)
    replies = singles * held / n if n else 0.0
    return replies + (pairs * (held * (held - 1)) / (n * (n - 1)) if n > 1 else 0.0)


def prospect(
    position: Position, option: Option, *, adds: bool, threat: float = 0, base: float = 0
) -> float:
    """The outlook of a turn, weighed against the next player's replies if `threat` is not 0."""
    value = outlook(position, option, adds=adds)
    if threat == 0:
        return value
    return log(base + value) - threat * log(base + expected_replies(position, option))


PROSPECTS: dict[str, dict[str, Any]] = {
    "mobility": {"adds": False},
    "foresight": {"adds": True},
    "pressure": {"adds": True, "threat": 0.7, "base": 0.3},
}


def prospect_of(player: str) -> dict[str, Any]:
    """The settings of a player who goes by prospects, with the parameters in his text."""
    name, *given = player.split(":")
    return PROSPECTS[name] | {key: float(value) for key, value in (p.split("=") for p in given)}


VALUES: dict[str, Callable[[Position, Option], tuple[int, ...]]] = {
    "leads": leads_value,
    "greedy": greedy_value,
    "thrifty": thrifty_value,
}


def turn_value(player: str, position: Position, option: Option) -> Any:
    """What a player maximises."""
    if player in VALUES:
        return VALUES[player](position, option)
    return prospect(position, option, **prospect_of(player))


# --- playing on with guessed cards --------------------------------------------------------------


@dataclass(frozen=True)
class Moment:
    """When a turn is chosen: the choice word, the round and the turn within it."""

    word: int
    round: int = 0
    turn: int = 0


def guess(position: Position, moment: Moment, number: int) -> Position:
    """The position with hidden cards as the mover guesses them, without actions."""
    cards = deck_order(moment.word, number, moment.round, unseen(position))
    hands = list(position.hands)
    for player in sorted(rivals(position)):
        held = len(hands[player])
        hands[player], cards = frozenset(cards[:held]), cards[held:]
    # The first ones left are with players who are out.
    return replace(position, hands=hands, deck=cards[len(cards) - len(position.deck) :])


def carried_out(position: Position, option: Option | None) -> Position:
    """The position after a turn with its draw, or a fold, and with the next player to move."""
    if option is None:
        return naive.end_turn(position, survives=False)
    position = naive.after_steps(position, as_turn(option))
    position = naive.after_steps(position, naive.final_draw(position))
    return naive.end_turn(position, survives=True)


def play_on(
    position: Position, option: Option | None, moment: Moment, number: int, playout: str
) -> Position:
    """The end of the round after a turn, or a fold, on a guess of the mover."""
    mover, modifiers, turn = position.mover, position.modifiers, moment.turn
    position = carried_out(guess(position, moment, number), option)
    while sum(position.live) > 1:
        turn += 1
        mine = position.mover == mover
        position = replace(position, modifiers=modifiers if mine else frozenset())
        word = stream_word(moment.word, number, moment.round, 1, 0, turn)
        options = numbered(position)
        chosen = choice(playout, position, Moment(word)) if options else None
        position = carried_out(position, chosen)
    return position


def wins(position: Position, option: Option, moment: Moment, given: dict[str, Any]) -> int:
    """The number of guesses with which the mover wins the round."""
    return sum(
        play_on(position, option, moment, number, given["playout"]).live[position.mover]
        for number in range(given["samples"])
    )


def solved_wins(position: Position, option: Option, moment: Moment, given: dict[str, Any]) -> int:
    """The number of guesses that the mover wins by perfect play with open hands after a turn."""
    won = 0
    for number in range(given["samples"]):
        after_it = naive_solver.after_turn(guess(position, moment, number), *option)
        won += not naive_solver.mover_wins(after_it, {})
    return won


def gain(position: Position, end: Position, bonus: float) -> float:
    """What the end of a round is worth to the mover of a position, in points."""
    winner = naive.round_winner(end)
    points = naive.round_points(end)
    needed = naive.end_goal(position.rules) - position.scores[winner]
    value = needed + bonus if points >= needed else float(points)
    return value if winner == position.mover else -value / (len(position.live) - 1)


def gains(
    position: Position, option: Option | None, moment: Moment, given: dict[str, Any]
) -> float:
    """The sum over the guesses of what a turn, or a fold, gains."""
    if naive.end_kind(position.rules) != "points":
        return -inf if option is None else wins(position, option, moment, given)
    total = 0.0
    for number in range(given["samples"]):
        end = play_on(position, option, moment, number, given["playout"])
        total += gain(position, end, given["bonus"])
    return total


SAMPLERS: dict[str, dict[str, Any]] = {
    "rollout": {"samples": 30, "playout": "leads", "turns": None, "prior": 0.0},
    "search": {"samples": 100, "playout": "leads", "turns": 6, "prior": 30.0},
    "banker": {"samples": 20, "playout": "leads", "bonus": 6.0},
    "pimc": {"samples": 30, "turns": None, "prior": 0.0},
}


def sampler_choice(player: str, position: Position, moment: Moment) -> Option | None:
    """The turn of a player who plays turns on; None to fold."""
    name, *pairs = player.split(":")
    given = SAMPLERS[name]
    given = given | {k: type(given[k])(v) for k, v in (pair.split("=") for pair in pairs)}
    options: list[Option | None] = [*numbered(position)]
    if name in ("search", "rollout", "pimc"):
        values = {option: prospect(position, option, **PROSPECTS["pressure"]) for option in options}
        options = sorted(options, key=lambda option: -values[option])[: given["turns"]]

        def share(option: Option) -> float:
            prior = given["prior"] / (1.0 + len(rivals(position)) * exp(-values[option]))
            won = solved_wins if name == "pimc" else wins
            return prior + won(position, option, moment, given)

        return max(options, key=share)
    if "no-fold" not in position.modifiers:
        options.append(None)
    return max(options, key=lambda option: gains(position, option, moment, given))


def choice(name: str, position: Position, moment: Moment) -> Option | None:
    """The turn that a player chooses; None to fold."""
    options = numbered(position)
    if name == "random":
        return options[moment.word * len(options) >> 64]
    if name.split(":", maxsplit=1)[0] in SAMPLERS:
        return sampler_choice(name, position, moment)
    return max(options, key=lambda option: turn_value(name, position, option))


def as_turn(option: Option) -> tuple[dict[str, str], ...]:
    """The steps of a turn without actions, without its draw."""
    play, discard = option
    steps = [{"do": "play", "card": play}] if play else []
    return (*steps, *([{"do": "discard", "card": discard}] if discard else []))


# --- turns with actions, step by step -----------------------------------------------------------

Step = dict[str, Any]
KINDS = ("play", "discard", "take", "discard_palette", "to_deck")
STOP: Step = {"do": "discard", "card": None}


def step_place(step: Step) -> tuple[float, ...]:
    """The place of a step in the numbering: by kind, then by card, stopping after the discards."""
    card = step["card"]
    return (KINDS.index(step["do"]), inf if card is None else card_id(card))


def surviving_steps(position: Position, turns: list[Turn]) -> list[tuple[Step, list[Turn]]]:
    """The next steps after those already done, in their numbering, with the turns behind each."""
    done = len(position.steps)
    behind: dict[tuple[float, ...], tuple[Step, list[Turn]]] = {}
    for turn in turns:
        step = turn.steps[done] if len(turn.steps) > done else STOP
        behind.setdefault(step_place(step), (step, []))[1].append(turn)
    return [behind[place] for place in sorted(behind)]


def completion_turns(position: Position) -> list[Turn]:
    """The completions after a draw, as turns of one more step."""
    ends = [naive.completion_steps(end) for end in naive.completions(position)]
    turns = [Turn((*position.steps, *end), open=False) for end in ends]
    return [turn for turn in turns if obeys(position, turn)]


def after_rules_led(position: Position, step: Step) -> set[str]:
    """The rules that the mover leads after a step, before any action that it asks for."""
    new = position if step["card"] is None else naive.after_step(position, step)
    return rules_led(new, set(new.palettes[new.mover]))


def leads_step(position: Position, step: Step) -> tuple[int, ...]:
    """Hand cards left whose colour's rule is led, then number of rules led."""
    led = after_rules_led(position, step)
    hand = {card for card in position.hands[position.mover] if may_discard(position, card)}
    hand -= {step["card"]}
    useful = [card for card in hand if naive.rule_of(position, naive.colour(card)) in led]
    return len(useful), len(led)


def thrifty_step(position: Position, step: Step) -> tuple[int, ...]:
    """Fewer cards by the end of the turn, as far as it can be told; then lower ones."""
    card = step["card"]
    spent = card is not None and step["do"] in ("play", "discard")
    discard_follows = step["do"] in ("play", "take", "to_deck") and (
        naive.rule_of(position, position.canvas) not in after_rules_led(position, step)
    )
    chain = step["do"] == "play" and naive.number(card) == 5
    return -(spent + discard_follows + chain), -card_id(card) if spent else 0


def greedy_step(position: Position, step: Step) -> tuple[float, ...]:
    """The largest margin that the turn could end with, then fewer cards; actions by rules won."""
    card = step["card"]
    if step["do"] == "discard":
        return (*margin(position, (None, card)), -(card is not None))
    if step["do"] != "play":
        return (len(after_rules_led(position, step)),)
    ends: list[Option] = [(card, None)]
    others = position.hands[position.mover] - {card}
    ends += [(card, other) for other in others if may_discard(position, other)]
    led = after_rules_led(position, step)
    margins = [
        margin(position, end)
        for end in ends
        if naive.rule_of(position, naive.colour(end[1]) if end[1] else position.canvas) in led
    ]
    return (*max(margins, default=(-inf, -inf)), -1)


def prospect_step(player: str, position: Position, step: Step) -> float:
    """The best prospect of a turn that ends with the step, or with a discard after it."""
    settings = prospect_of(player)
    if step["do"] == "discard":
        return prospect(position, (None, step["card"]), **settings)
    new = naive.after_step(position, step)
    led = after_rules_led(position, step)
    ends = [card for card in new.hands[new.mover] if may_discard(new, card)]
    values = [
        prospect(new, (None, end), **settings)
        for end in (None, *ends)
        if naive.rule_of(new, naive.colour(end) if end else new.canvas) in led
    ]
    return max(values, default=-inf)


STEP_VALUES: dict[str, Callable[[Position, Step], tuple[float, ...]]] = {
    "leads": leads_step,
    "thrifty": thrifty_step,
    "greedy": greedy_step,
}


def next_step(name: str, position: Position, turns: list[Turn], word: Callable[[], int]) -> Step:
    """The step that a player takes next; `word` gives the choice word, where he is asked."""
    options = surviving_steps(position, turns)
    if len(options) == 1 and position.steps:
        return options[0][0]
    if name == "random":
        number = word() * sum(len(behind) for _, behind in options) >> 64
        for step, behind in options:
            if number < len(behind):
                return step
            number -= len(behind)
    if name not in STEP_VALUES:
        steps = [step for step, _ in options]
        return max(steps, key=lambda step: prospect_step(name, position, step))
    return max((step for step, _ in options), key=lambda step: STEP_VALUES[name](position, step))


def action_steps(name: str, position: Position, word: Callable[[int], int]) -> list[Step]:
    """All steps of the mover's turn; `word(n)` is the choice word of its n-th step."""
    turns = [turn for turn in naive.turns(position) if obeys(position, turn)]
    if not turns:
        return [{"do": "fold"}]
    decisions = 0
    while True:
        step = next_step(name, position, turns, lambda n=decisions: word(n))
        decisions += 1
        if step["do"] == "discard":
            end = [] if step["card"] is None else [step]
            last = naive.after_steps(position, end)
            return [*last.steps, *naive.final_draw(last)]
        position = naive.after_step(position, step)
        done = len(position.steps)
        turns = [turn for turn in turns if turn.steps[:done] == position.steps]
        if turns[0].open and len(turns[0].steps) == done:
            position = naive.after_step(position, naive.draw_step(position))
            turns = completion_turns(position)
            if not turns:
                return [*position.steps]
