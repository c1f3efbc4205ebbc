"""Order-preserving alignment of two sequences, and how sure each of its pairs is."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from operator import add

#: Cells further off the diagonal than this and the difference in length are not looked at.
BAND = 24


def increasing(values: Sequence[int]) -> list[int]:
    """The indices of a longest strictly increasing subsequence; of equal values it takes the first.

    >>> increasing([3, 1, 2, 9, 4])
    [1, 2, 4]
    """
    tails: list[int] = []
    ends: list[int] = []
    before = [-1] * len(values)
    for i, value in enumerate(values):
        k = bisect_left(tails, value)
        before[i] = ends[k - 1] if k else -1
        if k == len(tails):
            tails.append(value)
            ends.append(i)
        elif value < tails[k]:
            tails[k] = value
            ends[k] = i
    chain = []
    at = ends[-1] if ends else -1
    while at >= 0:
        chain.append(at)
        at = before[at]
    return chain[::-1]


def align(n: int, m: int, weight: Callable[[int, int], float]) -> list[tuple[int, int, float]]:
    """The pairs (i, j, margin) of the order-preserving alignment with the greatest total weight.

    ``margin`` is what the total would lose at best if i were matched to something else than j, or left
    alone; near 0, the pair is a guess. Pairs of weight 0 are never made. Weights are looked up along a
    band of width ``BAND``, which the difference in length widens.

    >>> align(2, 3, lambda i, j: float("ab"[i] == "axb"[j]))
    [(0, 0, 1.0), (1, 2, 1.0)]
    """
    if not n or not m:
        return []
    cells = _cells(n, m, weight)
    forward = _totals(n, m, cells)
    back = _totals(n, m, [{m - 1 - j: w for j, w in row.items()} for row in reversed(cells)])
    best = forward[n][m]
    through: list[tuple[float, int, int]] = []
    for i, row in enumerate(cells):
        through += [(forward[i][j] + w + back[n - 1 - i][m - 1 - j], i, j) for j, w in row.items()]
    rivals = _two_best(through, n)
    pairs = []
    for total, i, j in through:
        if total >= best - 1e-9:
            alone = max(map(add, forward[i], reversed(back[n - 1 - i])))
            pairs.append((i, j, total - max(rivals[i][1], alone)))
    return _consistent(pairs)


def _cells(n: int, m: int, weight: Callable[[int, int], float]) -> list[dict[int, float]]:
    cells = []
    reach = BAND + abs(n - m)
    for i in range(n):
        middle = i * m // n
        row = {}
        for j in range(max(0, middle - reach), min(m, middle + reach + 1)):
            value = weight(i, j)
            if value > 0:
                row[j] = value
        cells.append(row)
    return cells


def _totals(n: int, m: int, cells: Sequence[dict[int, float]]) -> list[list[float]]:
    """Row i, column j: the greatest total of the first i and the first j."""
    rows = [[0.0] * (m + 1)]
    for i in range(n):
        above, weights = rows[-1], cells[i]
        row = above.copy()
        rows.append(row)
        if not weights:
            continue
        running = 0.0
        last = max(weights)
        for j in range(min(weights), last + 1):
            value = above[j + 1]
            if j in weights and above[j] + weights[j] > value:
                value = above[j] + weights[j]
            if running > value:
                value = running
            row[j + 1] = running = value
        # Totals never fall along a row: behind the last cell the gain holds as far as it is the greater.
        end = bisect_right(above, running, last + 2)
        row[last + 2 : end] = [running] * (end - last - 2)
    return rows


def _two_best(through: Sequence[tuple[float, int, int]], rows: int) -> list[tuple[float, float]]:
    """For each row, the greatest and the second greatest total that goes through a cell of it."""
    best = [(0.0, 0.0)] * rows
    for total, i, _ in through:
        first, second = best[i]
        if total > first:
            best[i] = (total, first)
        elif total > second:
            best[i] = (first, total)
    return best


def _consistent(pairs: Sequence[tuple[int, int, float]]) -> list[tuple[int, int, float]]:
    """Of pairs that lie on equally good alignments, a set that one alignment can hold."""
    kept: list[tuple[int, int, float]] = []
    for pair in sorted(pairs):
        if not kept or (pair[0] > kept[-1][0] and pair[1] > kept[-1][1]):
            kept.append(pair)
    return kept
