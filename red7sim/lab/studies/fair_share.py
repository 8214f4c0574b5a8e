"""What one player among others of another kind wins, set against the fair share."""

from typing import Any, Final

import polars as pl

from red7sim.lab.stats import Estimate, joint_confidence, known, mean_share
from red7sim.lab.studies.verdicts import COSTS, OPEN, PAYS

FAIR_SHARE_COLUMNS: Final = {
    "deals": pl.Int64,
    "share": pl.Float64,
    "fair": pl.Float64,
    "difference": pl.Float64,
    "difference_se": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "joint_low": pl.Float64,
    "joint_high": pl.Float64,
    "verdict": pl.String,
}


def against_fair(
    estimate: Estimate, deals: int, players: int, confidence: float, family: int
) -> dict[str, Any]:
    """Return a share of the games and its difference to 1/`players`, with intervals; the deal is
    the unit, and the joint interval holds for `family` differences together.
    """
    fair = 1 / players
    share = mean_share(estimate, deals, confidence, joint_confidence(confidence, family))
    joint_low, joint_high = share.joint_low - fair, share.joint_high - fair
    return {
        "deals": deals,
        "share": share.value,
        "fair": fair,
        "difference": share.value - fair,
        "difference_se": known(estimate.error),
        "low": share.low - fair,
        "high": share.high - fair,
        "joint_low": joint_low,
        "joint_high": joint_high,
        "verdict": COSTS if joint_high < 0 else PAYS if joint_low > 0 else OPEN,
    }
