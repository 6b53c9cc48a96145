"""A made-up page, and answers of made-up models to it: each has one known fault."""

from __future__ import annotations

GT = [
    "The mill at the lower bridge was sold in the spring of 1784",
    "to Johann Kerner, a miller from Waldau, for ninety florins.",
    "He repaired the weir with oak from the forest of the abbey",
    "and put a second pair of stones into the western chamber.",
    "In the dry summer that followed the river carried no water",
    "and the farmers of the valley took their grain to Altdorf.",
    "The abbot complained of this in a letter to the bailiff,",
    "who answered that no law bound a farmer to a single mill.",
    "When the rain returned in October the wheel turned again",
    "and by Christmas the debts of the miller had been paid.",
    "His daughter Agnes kept the books in a clear small hand;",
    "they are now in the archive of the town, shelf mark 41.",
]
"""The lines of the page, of 684 characters."""

INVENTED = [
    "Pilgrims crossed many mountains before sunrise, singing quietly.",
    "Nobody expected seventeen elephants within Queen Viktoria's zoo.",
    "Yellow submarines explored frozen oceans beyond Cape Horn daily.",
]

MISREAD = [line.replace("mill", "rnill").replace("of", "os") for line in GT]
DROPPED = GT[:3] + GT[6:]
"""Three lines are left out."""
DROPPED_HALF_LINE = [*GT[:-1], "they are now in the archive"]
LOOP = GT + [GT[-1]] * 30
"""The last line is repeated thirty times."""
LOOP_IN_ONE_LINE = [*GT[:-1], " ".join([GT[-1]] * 31)]
HALLUCINATED = GT + INVENTED
REPLACED = GT[:3] + INVENTED + GT[6:]
"""Three lines are replaced by others."""
