"""Replies of models read leniently and safely: nothing is lost without a word, nothing odd brings it down."""

import contextlib
import gc
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.pdf.reply import ReplyChapter, ReplyPair, UnreadableReply, read_reply, render

KNOWN = set(range(100))


def pair(words: str, known: set[int] = KNOWN, hidden: set[int] = frozenset()) -> ReplyPair:  # type: ignore[assignment]
    """The one pair of a reply."""
    ((one,),) = [c.pairs for c in read_reply(words, known, hidden)]
    return one


def ids(text: str, known: set[int] = KNOWN, hidden: set[int] = frozenset()) -> tuple[list[int], list[str]]:  # type: ignore[assignment]
    found = pair(f"<qa_pair><label>1</label><question>{text}</question></qa_pair>", known, hidden)
    return found.question, found.notes


WHOLE = ReplyChapter([4], [ReplyPair("例1", [5, 6], "x = 3", [7, 8], at=5)])
REPLY = (
    "<chapter><title>4</title>\n<qa_pair><at>5</at><label>例1</label><question>5,6</question>"
    "<answer>x = 3</answer><solution>7,8</solution></qa_pair>\n</chapter>"
)


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(REPLY, id="as asked"),
        pytest.param(f"```xml\n{REPLY}\n```", id="in a fence"),
        pytest.param(f"Sure! Here it is:\n\n{REPLY}\n\nI hope this helps.", id="with chatter around"),
        pytest.param(REPLY.upper().replace("X = 3", "x = 3"), id="upper case tags"),
        pytest.param(REPLY.replace("<", "< ").replace("< /", "</ ").replace(">", " >"), id="spaces in tags"),
        pytest.param(REPLY.replace("</chapter>", ""), id="chapter not closed"),
        pytest.param(REPLY.replace("</qa_pair>", ""), id="pair not closed"),
        pytest.param(
            "<chapter><title>4<qa_pair><at>5<label>例1<question>5,6<answer>x = 3<solution>7,8", id="no end tag at all"
        ),
        pytest.param(REPLY[: REPLY.index("</solution>")], id="cut off after the last id"),
        pytest.param(REPLY.replace("<qa_pair>", '<qa_pair id="1" kind="example">'), id="attributes"),
        pytest.param(REPLY.replace("<chapter>", "<document><chapter>") + "</document>", id="a root around"),
        pytest.param(REPLY.replace("</question>", "</question> and now the answer: "), id="chatter between the parts"),
        pytest.param(REPLY.replace("例1", "例①"), id="label as printed"),
        pytest.param(REPLY.replace("5,6", "5-6").replace("7,8", "7, 8"), id="a range"),
        pytest.param(REPLY.replace("<qa_pair>", "").replace("</qa_pair>", ""), id="no pair tags"),
        pytest.param("<title>4</title>" + REPLY[len("<chapter><title>4</title>") :], id="no chapter tag"),
        pytest.param(REPLY.replace("x = 3", "<![CDATA[x = 3]]>"), id="CDATA"),
    ],
)
def test_one_reply_in_many_forms_is_read_alike(reply: str) -> None:
    assert read_reply(reply, KNOWN) == [WHOLE]


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("5", [5]),
        ("5-8", [5, 6, 7, 8]),
        ("5 – 8", [5, 6, 7, 8]),
        ("5~6，8", [5, 6, 8]),
        ("5至7", [5, 6, 7]),
        ("5..7", [5, 6, 7]),
        ("5，6", [5, 6]),
        ("5、6;7 8\n9", [5, 6, 7, 8, 9]),
        ("[5]", [5]),
        ("[5], [6]", [5, 6]),
        ("blocks 5 and 6", [5, 6]),
        ("５，６", [5, 6]),
        ("5,6,5,6", [5, 6]),
        ("5-7,6-8", [5, 6, 7, 8]),
        ("56,50", [56, 50]),
        ("", []),
        (" , ", []),
    ],
)
def test_ids_are_read_as_lists_and_ranges_in_the_order_given(text: str, right: list[int]) -> None:
    assert ids(text) == (right, [])


@pytest.mark.parametrize("bad", ["-1", "100", "9" * 13, "9" * 5000, "8-5", "0-99999999999", "1-5000"])
def test_ids_that_cannot_be_are_left_out_and_noted(bad: str) -> None:
    assert ids(f"3,{bad},4") == ([3, 4], [f"question names block {bad[:30]}, which does not exist"])


def test_a_range_that_runs_past_the_known_blocks_keeps_what_there_is_and_says_so() -> None:
    assert ids("97-104") == ([97, 98, 99], ["question names blocks 97-104, of which 5 do not exist"])


def test_a_range_passes_over_blocks_that_its_writer_never_saw() -> None:
    assert ids("5-8", hidden={6, 7}) == ([5, 8], [])
    assert ids("5,6", hidden={6}) == ([5, 6], [])


def test_doubts_are_kept_one_by_one_however_the_reply_is_written() -> None:
    doubted = ReplyPair("5", [6], at=6, doubts=["number missing between 3 and 5: 4", "its options stand twice"])
    exact = render([ReplyChapter([4], [doubted])])
    assert read_reply(exact, KNOWN) == [ReplyChapter([4], [doubted])]
    assert read_reply(exact.replace("</doubt>", "\n").replace("<doubt>", "<DOUBT> "), KNOWN) == [
        ReplyChapter([4], [doubted])
    ]
    odd = ReplyPair("5", [6], at=6, doubts=["3 < 5 & so on"])
    assert read_reply(render([ReplyChapter([4], [odd])]), KNOWN) == [ReplyChapter([4], [odd])]


def test_unknown_ids_of_every_part_are_noted_with_their_part() -> None:
    found = read_reply(
        "<chapter><title>200</title><qa_pair><at>201</at><label>1</label><question>202,3</question>"
        "<solution>203</solution></qa_pair></chapter>",
        KNOWN,
    )
    notes = [f"{part} names block {n}, which does not exist" for n, part in enumerate(
        ("title", "at", "question", "solution"), 200)]  # fmt: skip
    assert found == [ReplyChapter([], [ReplyPair("1", [3], "", [], None, notes)])]


@pytest.mark.parametrize(
    ("written", "right"),
    [
        ("x &lt; 3 &amp;&amp; y &gt; 4", "x < 3 && y > 4"),
        ("x < 3 & y > 4", "x < 3 & y > 4"),
        ("x<y, <b>bold</b>", "x<y, <b>bold</b>"),
        ("&quot;a&quot; &apos;b&apos; &#65;&#x42;", "\"a\" 'b' AB"),
        ("&amp;lt;", "&lt;"),
        ("&nbsp; &unknown; &lt", "&nbsp; &unknown; &lt"),
        ("a&#0;b&#xD800;c&#9999999;d", "abcd"),
        (r"$\frac{1}{2} \le x < \pi$", r"$\frac{1}{2} \le x < \pi$"),
        (r"\begin{matrix} a & b \\ c & d \end{matrix}", r"\begin{matrix} a & b \\ c & d \end{matrix}"),
        ("  B \n", "B"),
        ("two\nlines", "two\nlines"),
    ],
)
def test_an_answer_keeps_its_signs(written: str, right: str) -> None:
    assert pair(f"<qa_pair><label>1</label><answer>{written}</answer></qa_pair>").answer == right


def test_self_closing_tags_are_empty_parts() -> None:
    words = "<qa_pair><at/>7<label>2</label><question>5</question><answer />no<solution/></qa_pair>"
    assert pair(words) == ReplyPair("2", [5], "", [])


def test_a_part_given_in_two_pieces_is_both_pieces() -> None:
    words = "<qa_pair><label>2</label><question>5</question><solution>6</solution><question>7</question></qa_pair>"
    assert pair(words) == ReplyPair("2", [5, 7], "", [6])


def test_a_second_label_begins_an_item_even_if_the_pair_tags_are_missing() -> None:
    words = "<label>1</label><question>5</question><answer>A</answer><label>2</label><question>6</question>"
    assert read_reply(words, KNOWN) == [ReplyChapter([], [ReplyPair("1", [5], "A"), ReplyPair("2", [6])])]


def test_pairs_outside_any_chapter_stand_under_no_title() -> None:
    words = "<qa_pair><label>1</label><question>1</question></qa_pair>"
    assert read_reply(words, KNOWN) == [ReplyChapter([], [ReplyPair("1", [1])])]


def test_a_title_after_pairs_opens_the_next_chapter() -> None:
    one = "<qa_pair><label>1</label><question>{}</question></qa_pair>"
    words = f"<chapter><title>1</title>{one.format(2)}<title>3</title>{one.format(4)}"
    assert read_reply(words, KNOWN) == [
        ReplyChapter([1], [ReplyPair("1", [2])]),
        ReplyChapter([3], [ReplyPair("1", [4])]),
    ]


def test_a_pair_without_anything_in_it_is_none() -> None:
    words = "<chapter><qa_pair><label></label><question> </question></qa_pair></chapter>"
    assert read_reply(words, KNOWN) == [ReplyChapter()]


@pytest.mark.parametrize(
    "reply", ["<empty></empty>", "<empty/>", "<EMPTY>", "```\n<empty></empty>\n```", "<chapter></chapter>"]
)
def test_a_reply_that_says_there_is_nothing_has_no_pairs(reply: str) -> None:
    assert [p for c in read_reply(reply, KNOWN) for p in c.pairs] == []


@pytest.mark.parametrize(
    "reply", ["", " \n", "I cannot help with that.", "<html><body>502</body></html>", "1: A, 2: B", "<<<>>>"]
)
def test_a_reply_without_the_tags_is_refused(reply: str) -> None:
    with pytest.raises(UnreadableReply, match=r"^the reply has none of the tags that were asked for$"):
        read_reply(reply, KNOWN)


@pytest.mark.parametrize("reply", ["</qa_pair></chapter>", "<question></question>", "It has no </answer>."])
def test_a_reply_with_nothing_in_its_tags_is_refused(reply: str) -> None:
    with pytest.raises(UnreadableReply, match=r"^the reply has some of the tags that were asked for, but nothing in"):
        read_reply(reply, KNOWN)


@pytest.mark.parametrize(
    "head",
    [
        '<!DOCTYPE a [<!ENTITY x "y"><!ENTITY z "&x;&x;&x;">]>',
        '<!ENTITY x SYSTEM "file:///etc/passwd">',
        "<! doctype html>",
    ],
)
def test_a_reply_that_declares_entities_is_refused(head: str) -> None:
    with pytest.raises(UnreadableReply, match=r"^the reply declares a document type or entities, which is refused$"):
        read_reply(head + REPLY, KNOWN)


def test_a_label_without_end_is_cut_and_noted() -> None:
    found = pair(f"<qa_pair><label>例{'一' * 50_000}</label><question>5</question></qa_pair>")
    assert (len(found.label) <= 80, found.question, found.notes) == (True, [5], ["a label of 50001 characters was cut"])
    assert pair(f"<label>{'1' * 50_000}</label><question>5").label == "1" * 80


SOUP = st.lists(
    st.sampled_from(
        [f"<{slash}{name}>" for slash in ("", "/") for name in
         ("chapter", "title", "qa_pair", "at", "label", "question", "answer", "solution", "empty")]
        + ["<answer/>", "1", "-1", "5-8", ",", " ", "<", ">", "/", "&", "&lt;", "&#x41;", "```", "例①", "<label", "<![CDATA[", "]]>"]
    )
    | st.text(max_size=5)
)  # fmt: skip


@given(st.text() | SOUP.map("".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        chapters = read_reply(text, KNOWN)
    except UnreadableReply:
        return
    for found in (p for c in chapters for p in c.pairs):
        named = [*found.question, *found.solution, *([] if found.at is None else [found.at])]
        assert set(named) <= KNOWN
        assert len(set(found.question)) == len(found.question)


@pytest.mark.parametrize(
    "unit",
    ["<", "< ", " <", "<!", "<! ", "<at>1", "<label>1</label>", "<question>", "<chapter>", "<title>", "<answer><answer>x",
     "<qa_pair><question>0-99", "<question>0-99,", "5-", "<question>5 ", "&", "<at ", "</", "<question>1</question>",
     "<chapter><title>1</title>"],
)  # fmt: skip
def test_reading_takes_time_in_proportion_to_the_reply(unit: str) -> None:
    def seconds(size: int) -> float:
        text = "<question>" + unit * (size // len(unit))
        gc.disable()  # it looks through what all tests before have left, however long the reply is
        began = time.process_time()
        try:
            with contextlib.suppress(UnreadableReply):
                read_reply(text, KNOWN)
            return time.process_time() - began
        finally:
            gc.enable()

    # Of quadratic time, the second would be 64 times the first.
    short = seconds(32_000)
    assert seconds(256_000) < max(20 * short, 1.0)


@pytest.mark.parametrize("text", ["<" * 1_000_000, "<" + " " * 1_000_000, "<question>" + "7" * 1_000_000,
                                  "<question>1" + " " * 1_000_000, "<chapter" * 125_000])  # fmt: skip
def test_a_megabyte_of_nonsense_is_read_within_seconds(text: str) -> None:
    began = time.process_time()
    with contextlib.suppress(UnreadableReply):
        read_reply(text, KNOWN)
    assert time.process_time() - began < 5


def test_ranges_cannot_be_used_to_fill_the_memory() -> None:
    known = set(range(2_000))
    words = "<qa_pair><label>1</label><question>0-1999</question></qa_pair>" * 2_000
    chapters = read_reply(words, known)
    assert sum(len(p.question) for c in chapters for p in c.pairs) <= 40_000
    assert chapters[0].pairs[-1].notes == ["question names block 0-1999, which does not exist"]


NUMBERS = st.lists(st.integers(0, 99), unique=True, max_size=5)
ANSWERS = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=12
).map(str.strip).filter(lambda s: not s.endswith("```") and "<![CDATA[" not in s)  # fmt: skip
LABELS = st.sampled_from(["1", "12", "例1", "习题2", "5.4", "Example 3", "A", "IV", "(3)", "x < 2 & y"])
PAIRS = st.builds(ReplyPair, LABELS, NUMBERS, ANSWERS, NUMBERS, st.none() | st.integers(0, 99))


@given(st.lists(st.builds(ReplyChapter, NUMBERS, st.lists(PAIRS, min_size=1, max_size=4)), max_size=4))
def test_what_is_rendered_is_read_as_it_was(chapters: list[ReplyChapter]) -> None:
    assert read_reply(render(chapters), KNOWN) == chapters


exact_pairs = st.builds(
    ReplyPair,
    st.sampled_from(["1", "例①", " 2. ", "Example 3", "A"]),
    st.lists(st.integers(0, 120), max_size=4),
    st.sampled_from(["", "x = 3", " B ", "a > b"]),
    st.lists(st.integers(0, 120), max_size=4),
    st.none() | st.integers(0, 120),
)
exact_chapters = st.lists(
    st.builds(ReplyChapter, st.lists(st.integers(0, 120), max_size=2), st.lists(exact_pairs, min_size=1, max_size=4)),
    min_size=1,
    max_size=4,
)


@given(exact_chapters)
def test_a_reply_to_the_letter_reads_the_same_on_its_short_way_and_on_the_lenient_one(chapters):
    reply = render(chapters)
    assert read_reply(reply, KNOWN) == read_reply("Sure: " + reply, KNOWN)
