"""Poisson bootstrap: weights of deals that need nothing but the number of the deal.

Each replicate counts a deal k times, k Poisson of mean 1, which for many deals is resampling with
replacement (Chamandy et al., "Estimating uncertainty for massive data streams", 2012). A weight is
a function of seed, deal and replicate, so replicates add over pieces like any count.
"""

import numpy as np

from red7sim.jit.rng import PURPOSE_BOOTSTRAP, stream_block
from red7sim.jit.settings import kernel

WEIGHTS_A_BLOCK = 8
"""Weights out of one block of a stream: one for each 16 bits."""

_QUARTER = np.uint64(16)
_LOW = np.uint64(0xFFFF)

# 65536 * P(weight <= k), rounded, for k = 0, 1, 2, ...: the mean is 1 to within 2e-5.
_THRESHOLDS = np.array([24109, 48219, 60273, 64292, 65296, 65497, 65531, 65535], dtype=np.int64)


@kernel
def fill_weights(seed, first_deal, weights):
    """Fill `weights` (float64 of shape (deals, replicates)) for the deals from `first_deal` on.

    Replicates must be a multiple of WEIGHTS_A_BLOCK. The weights are whole numbers.
    """
    deals, replicates = weights.shape
    for i in range(deals):
        for block in range(replicates // WEIGHTS_A_BLOCK):
            words = stream_block(seed, first_deal + i, 0, PURPOSE_BOOTSTRAP, 0, block)
            for j in range(WEIGHTS_A_BLOCK):
                word = words[0] if j < 4 else words[1]
                part = np.int64(word >> (_QUARTER * np.uint64(j & 3)) & _LOW)
                weight = 0
                for threshold in _THRESHOLDS:
                    weight += part >= threshold
                weights[i, WEIGHTS_A_BLOCK * block + j] = weight
