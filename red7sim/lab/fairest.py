"""The search for the fairest of several variants, by successive elimination on common deals.

The unfairness of a variant with N players is max |p_s - 1/N| over the shares p_s of its seats. All
variants play the same deals, more and more of them; after each look those leave which are proven
less fair than another one. The proof is one of confidence sequences, which hold at all looks
together, so with the confidence that is asked for the fairest variant never leaves, and every
interval of an unfairness holds, however long the search goes on.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from red7sim.lab.sequential import ConfidenceSequence, Floats

_PRECISION: Final = 0.01
"""Half width at which the sequences are narrowest; it does not matter for validity."""

NOBODY: Final = -1


class FairestSearch:
    """Which variants may still be the fairest.

    Half of the error goes to the shares of all seats of all variants, which give the intervals of
    the unfairness. The other half goes to comparisons of two variants: v is less fair than w if
    for one seat s of v and one direction the deviation p_vs - 1/N is larger than that of every
    seat of w in either direction, and that is a matter of the signs of p_vs - p_wt and
    p_vs + p_wt - 2/N, whose sequences are taken deal by deal.

    Attributes
    ----------
    alive
        bool of shape (variants,).
    beaten_by
        For each variant the index of one that is fairer, or NOBODY.
    low, high
        Floats of shape (variants,): intervals of the unfairness; for a variant that has left,
        those when it left.
    """

    def __init__(self, variants: int, players: int, confidence: float) -> None:
        # With two players one share says everything.
        seats = 1 if players == 2 else players
        pairs = variants * (variants - 1) // 2
        half = (1 - confidence) / 2
        self._share_confidence = 1 - half / (variants * seats)
        # Two signs for each pair of seats.
        self._pair_confidence = 1 - half / max(1, pairs * seats * seats * 2)
        self._fair = 1 / players
        self._shape = (variants, seats)
        side = (variants * seats, variants * seats)
        self._shares = ConfidenceSequence(self._shape, self._fair, _PRECISION)
        self._differences = _Signed(side, 0.5)
        self._sums = _Signed(side, self._fair)
        self.alive = np.ones(variants, dtype=np.bool_)
        self.beaten_by = np.full(variants, NOBODY)
        self.low = np.zeros(variants)
        self.high = np.ones(variants)

    def look(self, deals: int, totals: Floats, products: Floats) -> None:
        """Add more deals and let those variants go which are proven less fair than another.

        Parameters
        ----------
        deals
            Number of deals since the last look.
        totals
            Sums of the shares over these deals, of shape (variants, players).
        products
            Sums of their products, of shape (variants, players, variants, players). What belongs
            to variants that have left is not read.
        """
        variants, seats = self._shape
        total = totals[:, :seats]
        product = products[:, :seats, :, :seats].reshape(variants * seats, -1)
        self._shares.add(deals, total, np.diagonal(product).reshape(self._shape))
        a, b = total.reshape(-1, 1), total.reshape(1, -1)
        squares = np.diagonal(product)
        both = squares[:, None] + squares[None, :]
        # A difference is between -1 and 1, a sum between 0 and 2: both moved to 0 .. 1.
        self._differences.add(
            deals, (a - b + deals) / 2, (both - 2 * product + 2 * (a - b) + deals) / 4
        )
        self._sums.add(deals, (a + b) / 2, (both + 2 * product) / 4)
        self._bound()
        self._eliminate()

    def _bound(self) -> None:
        """Bring the intervals of the unfairness of those that are left up to date."""
        share_low, share_high = self._shares.interval(self._share_confidence)
        above, below = share_low - self._fair, self._fair - share_high
        low = np.maximum(0.0, np.maximum(above, below).max(axis=1))
        high = np.maximum(share_high - self._fair, self._fair - share_low).max(axis=1)
        self.low = np.where(self.alive, low, self.low)
        self.high = np.where(self.alive, high, self.high)

    def _eliminate(self) -> None:
        less_fair = self._less_fair() | (self.low[:, None] > self.high[None, :])
        proven = np.logical_and(less_fair, self.alive[:, None] & self.alive[None, :])
        gone = np.any(proven, axis=1)
        # Of those who prove it, name the one whose unfairness is bounded best.
        provers = np.where(proven, self.high[None, :], np.inf).argmin(axis=1)
        self.beaten_by = np.where(gone, provers, self.beaten_by)
        self.alive = np.logical_and(self.alive, ~gone)

    def _less_fair(self) -> NDArray[np.bool_]:
        """Tell which variants (rows) the comparisons prove to be less fair than which others."""
        variants, seats = self._shape
        shape = (variants, seats, variants, seats)
        difference = self._differences.signs(0.5, self._pair_confidence).reshape(shape)
        total = self._sums.signs(self._fair, self._pair_confidence).reshape(shape)
        too_high = ((difference > 0) & (total > 0)).all(axis=3)
        too_low = ((difference < 0) & (total < 0)).all(axis=3)
        return np.asarray(np.any(too_high | too_low, axis=1))


class _Signed:
    """Confidence sequences that tell on which side of a value a mean lies."""

    def __init__(self, shape: tuple[int, ...], guess: float) -> None:
        self._sequence = ConfidenceSequence(shape, guess, _PRECISION)
        self._total = np.zeros(shape)
        self._n = 0

    def add(self, n: int, total: Floats, squares: Floats) -> None:
        """As `ConfidenceSequence.add`."""
        self._sequence.add(n, total, squares)
        self._total += total
        self._n += n

    def signs(self, value: float, confidence: float) -> NDArray[Any]:
        """Return 1 or -1 where the means are proven to lie above or below a value, else 0."""
        side = np.sign(self._total - self._n * value)
        return np.asarray(side * self._sequence.excludes(value, confidence))
