"""Which files belong together: two arguments become pairs of a ground truth file and a hypothesis file.

`pair(gt, hyp)` works in four steps:

1. **What is each argument?** (`arguments`) A file, a folder, a list of files (one path per line), JSON lines
   with one text per page, or, as the only argument, a table of pairs. Each can be a path or a URL; an archive
   is a folder. With file groups, the arguments are METS files (`mets`), whose pages need no matching.
2. **Collect the files of each side** as `SideFiles`: `page_files` searches folders and parses file names
   (`0001.gt.txt` is page `0001`, ground truth), and `lists` reads lists and JSON lines.
   Files that are not pages are ignored, with a reason. If one folder is given for both sides, suffixes or
   tags such as `.gt` divide its files.
3. **Match the files by name** (`matching`): first with their folders, then without the folders that only name
   a side. Two lists without a common name are matched line by line. A table (`tables`) needs no matching.
4. **Return the pairs** (`pairs`) in the order of the ground truths, as a `Pairing`. A file without a partner
   is a pair with None for the other side. A pair that cannot be evaluated has `errors`, for example two
   hypotheses for one page.

Page files are read only when they are evaluated, except where their names are not enough. Millions of files
are possible: only their names are kept, and each `Pair` is created when it is needed. `locations` reads a
file from wherever it is.
"""

from pagemeter.inputs.arguments import pair
from pagemeter.inputs.page_files import PassedOver
from pagemeter.inputs.pairs import Pair, Pairing

__all__ = ["Pair", "Pairing", "PassedOver", "pair"]
