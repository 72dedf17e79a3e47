"""Find the sets that may stand together in a choice: (b) of the rule *choices* of section 10.

Which sets of a group fit beside a set is kept in words, a bit for each of 64 places. The words of earlier sets
have in common what fits beside all of them, so that the others need not be tried one by one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

MOST_FITS = 1 << 26  # pairs of two groups of which words are kept


class Compatible:
    """Which sets of groups fit beside each other."""

    def __init__(self, groups: Any, is_disjoint: bool) -> None:
        self.groups, self.is_disjoint = groups, is_disjoint
        self.kept: dict[tuple[int, int], tuple[Any, Any]] = {}

    def beside(self, g: int, earlier: Any, start: Any, reach: Any) -> tuple[Any, Any]:
        """Return rows, and places of sets of a group that fit beside all that are `earlier` in the row.

        Only places from `start` of the row on, before `reach`. `earlier` has (group, places) for each step.
        """
        first, counts = start >> 6, np.where(start < reach, (reach + 63 >> 6) - (start >> 6), 0)
        row = np.repeat(np.arange(len(start)), counts)
        word = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts) + first[row]
        before = np.maximum(start[row] - 64 * word, 0).astype(np.uint64)
        after = np.maximum(64 * word + 64 - reach[row], 0).astype(np.uint64)
        bits = (~np.uint64(0) << before) & (~np.uint64(0) >> after)
        kept = [len(self.groups[own].sets) * len(self.groups[g].sets) <= MOST_FITS for own, _ in earlier]
        for (own, places), is_kept in zip(earlier, kept, strict=True):
            if is_kept:
                bits &= self.words(own, g, places)[places[row], word]
        (some,) = np.nonzero(bits)
        octets = bits[some, None].astype("<u8").view(np.uint8)
        at, bit = np.nonzero(np.unpackbits(octets, axis=1, bitorder="little").view(bool))
        row, place = row[some[at]], 64 * word[some[at]] + bit
        for (own, places), is_kept in zip(earlier, kept, strict=True):
            if not is_kept:
                stays = self.may_stand(own, places[row], g, place)
                row, place = row[stays], place[stays]
        return row, place

    def words(self, own: int, g: int, places: Any) -> Any:
        """Return the words of sets of a group beside those of another, filled in at these places at least."""
        others = np.arange(len(self.groups[g].sets))
        if (own, g) not in self.kept:
            count = len(self.groups[own].sets)
            self.kept[own, g] = np.zeros((count, len(others) + 63 >> 6), "<u8"), np.zeros(count, dtype=bool)
        table, is_known = self.kept[own, g]
        for place in np.unique(places[~is_known[places]]).tolist():
            octets = np.packbits(self.may_stand(own, place, g, others), bitorder="little")
            table[place].view(np.uint8)[: len(octets)] = octets
            is_known[place] = True
        return table

    def may_stand(self, own: int, places: Any, g: int, others: Any) -> Any:
        """Say which sets of a group may stand beside sets of another."""
        shared = self.groups[own].masks[places] & self.groups[g].masks[others]
        return (shared == 0) if self.is_disjoint else (shared == 0) | (shared & shared - 1 != 0)
