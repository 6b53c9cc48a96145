"""Synthetic pages for tests and screenshots: a newspaper page of a thousand lines, and a table."""

from __future__ import annotations

import random

from pagemeter import Line, Page

NEWS = """
the harbour council met on Tuesday and heard that grain from the northern mills is dear again while coal
stands at last week's price a brig laden with timber was seen off the point two lodgers of Water Street
found a purse and gave it back the concert in aid of the hospital is put off until the snow has gone wanted
at once a steady man who can read and write apply at the office of this paper
"""
WORDS = NEWS.split()
MISREAD = {"e": "c", "h": "b", "n": "u", "l": "1", "m": "rn", "a": "o", "t": "l", "s": "f"}
WIDTH, HEIGHT = 3000, 4400


def misread(rng: random.Random, text: str, rate: float) -> str:
    """Return a text with some letters replaced by similar ones."""
    return "".join(MISREAD.get(c, c) if rng.random() < rate else c for c in text)


def line(text: str, left: float, right: float, y: float, name: str) -> Line:
    box = ((left, y - 18), (right, y - 18), (right, y + 5), (left, y + 5))
    return Line(text, ((left, y), (right, y)), box, name)


def newspaper(columns: int = 5, rows: int = 200, seed: int = 7) -> tuple[Page, Page]:
    """Return GT in columns, and HYP with two columns swapped and some lines merged, split or missing."""
    rng = random.Random(seed)
    step, pitch = (WIDTH - 200) / columns, (HEIGHT - 300) / rows
    places = [(column, row) for column in range(columns) for row in range(rows)]
    texts = {place: " ".join(rng.choices(WORDS, k=rng.randint(4, 7))) for place in places}

    def box(column: int, row: int) -> tuple[float, float, float]:
        left = 100 + column * step
        return left, left + step - 40, 200 + row * pitch

    gt = [line(texts[c, r], *box(c, r), f"c{c}r{r}") for c, r in places]
    hyp = []
    order = [0, 2, 1, *range(3, columns)]
    for c, r in ((c, r) for c in order for r in range(rows)):
        left, right, y = box(c, r)
        rate = 0.4 if 60 <= r < 75 and c == 1 else 0.03
        text, luck = misread(rng, texts[c, r], rate), rng.random()
        if luck < 0.02:
            continue
        if luck < 0.05 and c + 1 < columns:
            text, right = f"{text} {misread(rng, texts[c + 1, r], rate)}", box(c + 1, r)[1]
        if luck > 0.95:
            first, _, second = text.partition(" ")
            hyp += [
                line(first, left, left + 80, y, f"h{c}-{r}a"),
                line(second, left + 90, right, y + 2, f"h{c}-{r}b"),
            ]
        else:
            hyp.append(line(text, left, right, y + rng.choice((0, 1, 2)), f"h{c}-{r}"))
    return Page(tuple(gt), width=WIDTH, height=HEIGHT), Page(tuple(hyp), width=WIDTH, height=HEIGHT)


def table(rows: int = 24, seed: int = 3) -> tuple[Page, Page]:
    """Return GT column by column, and HYP row by row with some rows read as one line."""
    rng = random.Random(seed)
    names = ["Abel Harrow", "Ruth Penny", "Tom Skerry", "Ann Marlowe", "Eli Drew", "Jane Cotter"]
    cells = {
        (c, r): text
        for r in range(rows)
        for c, text in enumerate(
            (
                str(r + 1),
                rng.choice(names),
                str(rng.randint(1801, 1899)),
                f"{rng.randint(1, 90)}.{rng.randint(10, 99)}",
            )
        )
    }
    edges = [(60, 120), (160, 480), (560, 680), (760, 900)]

    def place(c: int, r: int) -> tuple[float, float, float]:
        return *edges[c], 120 + 52 * r

    gt = [line(cells[c, r], *place(c, r), f"t{c}.{r}") for c in range(4) for r in range(rows)]
    hyp = []
    for r in range(rows):
        read = [misread(rng, cells[c, r], 0.05) for c in range(4)]
        if r % 5 == 2:
            hyp.append(line(" ".join(read), 60, 900, 120 + 52 * r, f"row{r}"))
        else:
            hyp += [line(text, *place(c, r), f"x{c}.{r}") for c, text in enumerate(read)]
    return Page(tuple(gt), width=960, height=1400), Page(tuple(hyp), width=960, height=1400)
