"""The names of HTML elements, by what they do to the lines of a text."""

from __future__ import annotations

from pagemeter.formats.walk import names

# Elements that begin and end a line.
BLOCKS = names(
    "address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hgroup html legend li main menu nav ol option p pre "
    "section select summary table tbody tfoot thead ul"
)
# A table row is one line; its cells are parted by a blank.
ROWS = frozenset(("td", "th", "tr"))
LISTS = frozenset(("menu", "ol", "ul"))
INLINE = names(
    "a abbr acronym b bdi bdo big button cite code data del dfn em font i ins kbd label mark math meter "
    "output progress q rb rp rt ruby s samp small span strike strong sub sup textarea time tt u var"
)
UNSEEN = frozenset(("head", "script", "style", "svg", "template", "title"))
IMAGES = frozenset(("image", "img", "object", "picture", "video"))
# Elements that have no content and no end tag.
EMPTY = frozenset(("area", "base", "br", "col", "colgroup", "hr", "img", "input", "link", "meta", "wbr"))

NAMES = BLOCKS | ROWS | INLINE | UNSEEN | IMAGES | EMPTY
