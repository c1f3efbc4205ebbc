"""Chunks: where a document may be cut, and the laws that hold for every document."""

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataflow_ext.errors import OptionError
from operators.pdf.chunks import Chunk, Marks, count_tokens, plan, smaller
from operators.pdf.numbering.title_ranks import title_rank

SIZE = 200


def marks(texts: list[str], levels: dict[int, int] | None = None) -> Marks:
    return Marks(texts, ["text"] * len(texts), [(levels or {}).get(n) for n in range(len(texts))])


def cost(tokens: list[int], chunk: Chunk) -> int:
    return sum(tokens[h] for h in chunk.headings) + sum(tokens[chunk.start : chunk.seen])


LINES = st.sampled_from(
    ["第一章 集合", "19.1 平方根(2)", "一、选择题", "1. 求值", "例2 化简", "(1) 甲", "A. 1", "由题意得", "解：设 x", ""]
)
BOOKS = st.lists(st.tuples(LINES, st.integers(1, 90) | st.integers(1, 700), st.none() | st.integers(1, 3)), max_size=60)


@given(BOOKS, st.integers(SIZE, 600))
def test_any_book_is_cut_by_the_laws(book: list[tuple[str, int, int | None]], size: int) -> None:
    texts, tokens = [line for line, _, _ in book], [n for _, n, _ in book]
    found = Marks(texts, ["text"] * len(book), [level for _, _, level in book])
    chunks = plan(found, tokens, size)
    cores = [n for c in chunks for n in range(c.start, c.end)]
    assert cores == list(range(len(book))), "the cores hold every block once"
    for chunk in chunks:
        assert chunk.start < chunk.end <= chunk.seen <= len(book)
        alone = chunk.end == chunk.start + 1 and chunk.seen == chunk.end
        assert cost(tokens, chunk) <= size or alone, "only a block that is too large itself is more"
        ranks = [found.rank(h) for h in chunk.headings]
        assert None not in ranks and all(a < b for a, b in pairwise(ranks))
        assert all(h < chunk.start for h in chunk.headings)
    assert not chunks or chunks[-1].end == chunks[-1].seen == len(book)


@given(BOOKS, st.integers(SIZE, 600))
def test_any_chunk_becomes_smaller_until_it_is_one_block(book: list[tuple[str, int, int | None]], size: int) -> None:
    texts, tokens, levels = ([row[n] for row in book] for n in range(3))
    for chunk in plan(Marks(texts, ["text"] * len(book), levels), tokens, size):
        todo, last = [chunk], []
        while todo:
            one = todo.pop(0)
            parts = smaller(Marks(texts, ["text"] * len(book), levels), tokens, one)
            assert [n for p in parts for n in range(p.start, p.end)] == list(range(one.start, one.end)) * bool(parts)
            assert all(p.end <= p.seen <= one.seen and p.seen - p.start < one.seen - one.start for p in parts)
            assert all(h < p.start for p in parts for h in p.headings)
            todo += parts
            last += [] if parts else [one]
        assert sorted((c.start, c.end, c.seen) for c in last) == [
            (n, n + 1, n + 1) for n in range(chunk.start, chunk.end)
        ]


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(1, 13)), min_size=1, max_size=60))
def test_no_item_is_cut_where_items_are_much_smaller_than_a_chunk(items: list[tuple[int, int]]) -> None:
    texts, tokens, starts = [], [], {0}
    for number, (size, price) in enumerate(items):
        starts.add(len(texts))
        texts += [f"{number % 99 + 1}. 求值", *["由题意得"] * (size - 1)]
        tokens += [price] * size
    for chunk in plan(marks(texts), tokens, SIZE):
        assert chunk.start in starts
        assert chunk.seen == len(texts) or chunk.seen > chunk.end


def headings_in_force(texts: list[str], start: int) -> tuple[int, ...]:
    """The plain way: of each rank the last heading that no higher one has followed."""
    own = title_rank(texts[start])
    above: list[tuple[int, int]] = []
    for place, text in enumerate(texts[:start]):
        rank = title_rank(text)
        if rank is not None:
            above = [(r, p) for r, p in above if r < rank] + [(rank, place)]
    return tuple(p for r, p in above if own is None or r < own)[-3:]


@given(st.lists(LINES, min_size=1, max_size=80))
def test_a_chunk_has_the_headings_that_its_first_block_stands_under(texts: list[str]) -> None:
    for chunk in plan(marks(texts), [20] * len(texts), SIZE):
        right = headings_in_force(texts, chunk.start)
        # Three headings of 20 tokens are more than their share of 200.
        assert chunk.headings == right[-2:]


def test_a_heading_is_the_best_cut_even_if_a_later_item_would_fill_the_chunk_better() -> None:
    texts = ["1. a", "2. b", "3. c", "4. d", "第二章 函数", "19.1 平方根", "1. e", "2. f", "3. g"]
    chunks = plan(marks(texts), [25] * 9, SIZE)
    assert [(c.start, c.end) for c in chunks] == [(0, 4), (4, 9)]


def test_the_look_ahead_shows_one_whole_item_after_the_cut() -> None:
    texts = [line for n in range(1, 40) for line in (f"{n}. 求值", "A. 1")]
    first, second, *_ = plan(marks(texts), [5] * len(texts), SIZE)
    assert (first.start, first.end, first.seen, second.start) == (0, 32, 34, 32)


def test_an_item_longer_than_the_window_is_not_cut_if_the_chunk_can_end_before_it() -> None:
    texts = ["1. a", *["由"] * 7, "2. b", *["由"] * 20, "3. c", *["由"] * 8]
    chunks = plan(marks(texts), [7] * len(texts), SIZE)
    assert [c.start for c in chunks] == [0, 8, 29]


def test_a_block_larger_than_a_chunk_is_one_of_its_own_wherever_it_stands() -> None:
    for at in range(3):
        tokens = [150, 150, 150]
        tokens[at] = 900
        chunks = plan(marks(["a", "b", "c"]), tokens, SIZE)
        assert [(c.headings, c.start, c.end, c.seen) for c in chunks] == [((), n, n + 1, n + 1) for n in range(3)]
    assert plan(marks(["a"]), [900], SIZE) == [Chunk((), 0, 1, 1)]
    assert plan(marks([]), [], SIZE) == []


def test_a_page_that_was_taken_for_a_heading_is_not_repeated_in_every_chunk() -> None:
    texts = ["第一章 集合", "all the words of a page", *[f"{n}. 求值" for n in range(1, 9)]]
    chunks = plan(marks(texts, {1: 5}), [10, 150, *[30] * 8], SIZE)
    assert [c.headings for c in chunks] == [(), (0,), (0,)]


def test_the_headings_of_a_section_are_handed_on_from_chunk_to_chunk() -> None:
    texts = ["第一章 集合", "19.1 平方根", *[f"{n}. 求值" for n in range(1, 30)], "19.2 立方根", "1. 求值"]
    chunks = plan(marks(texts), [10] * len(texts), SIZE)
    assert {c.headings for c in chunks} == {(), (0, 1)}
    assert [c.headings for c in chunks[1:]] == [(0, 1)] * (len(chunks) - 1)


def test_planning_a_book_without_any_mark_takes_time_in_proportion() -> None:
    texts = ["由题意得 x = 1 " * 5] * 15_000
    began = time.process_time()
    chunks = plan(marks(texts), [20] * len(texts), 2_000)
    assert time.process_time() - began < 5
    assert len(chunks) < 1000


def test_tokens_are_estimated_from_bytes_and_counted_exactly_with_a_tokenizer() -> None:
    texts = ["", "abcd", "已知函数", "hello world"]
    assert count_tokens(texts) == [1, 2, 4, 3]
    assert count_tokens(texts, "o200k_base") == [0, 1, 3, 2]
    assert count_tokens(texts, "cl100k_base") == [0, 1, 3, 2]


def test_an_unknown_tokenizer_is_refused_with_the_known_ones() -> None:
    with pytest.raises(OptionError, match=r"^Unknown tokenizer 'abc'; known: o200k_base, cl100k_base\.$"):
        count_tokens(["a"], "abc")


def test_half_of_a_surrogate_pair_is_counted_like_any_sign() -> None:
    assert count_tokens(["\ud835"]) == [1]
