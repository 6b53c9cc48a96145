"""Keyword spotting: hits of queries, ranked by their scores, against the places of the queries in pages."""

from pagemeter.spotting.evaluation import QueryResult, SpottingResult, evaluate_spots
from pagemeter.spotting.matching import Hit, Place, Reference, Spots
from pagemeter.spotting.settings import PRESETS, SpottingSettings

__all__ = [
    "PRESETS",
    "Hit",
    "Place",
    "QueryResult",
    "Reference",
    "Spots",
    "SpottingResult",
    "SpottingSettings",
    "evaluate_spots",
]
