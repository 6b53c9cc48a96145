"""What the report keeps of a page: packed where the page is evaluated, which may be another process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pagemeter.alignment import Aligner
from pagemeter.report.confusionfile import page_confusions
from pagemeter.report.html.pageblock import gt_block, hyp_block
from pagemeter.report.html.room import pack

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pagemeter.alignment import PageConfusions
    from pagemeter.corpus import PageResult
    from pagemeter.measure import Measure
    from pagemeter.report.html.images import Image, Images

HTML = "html"
"""The name of what is prepared for this report."""


@dataclass(frozen=True, slots=True)
class PackedPage:
    """The blocks of a page, its image, the number of its lines and its confusions."""

    gt: bytes
    read: bytes
    image: Image | None
    lines: int
    confusions: Mapping[Measure, PageConfusions]


@dataclass(frozen=True, slots=True)
class Packer:
    """Packs the pages of one system; it can be sent to other processes."""

    images: Images

    def __call__(self, result: PageResult) -> PackedPage | None:
        """The page packed, None where it was not evaluated."""
        if result.evaluation is None:
            return None
        aligner, image = Aligner(result.evaluation, breaks=True), self.images.of(result)
        return PackedPage(
            pack(gt_block(result, aligner)),
            pack(hyp_block(result, aligner, image)),
            image,
            len(result.evaluation.gt.lines),
            page_confusions(aligner),
        )
