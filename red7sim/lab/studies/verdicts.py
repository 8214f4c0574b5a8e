"""What studies say of a difference, in a word; light, for the command line shows them, too."""

from typing import Final

OPEN: Final = "open"
"""Nothing is shown, in whichever study."""

ABOVE: Final = "above"
BELOW: Final = "below"
"""A share is shown to be another one than the fair one."""

COSTS: Final = "costs"
PAYS: Final = "pays"
"""It is shown that being of the other kind loses or wins games."""

HELPS: Final = "helps"
HURTS: Final = "hurts"
"""A card is shown to have an effect."""
