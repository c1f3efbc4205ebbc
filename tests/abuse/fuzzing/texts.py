"""Texts as models, books and annotators would never write them, and records with anything in any place."""

from hypothesis import strategies as st

#: What readers look for, and what comes near it.
PIECES = (
    *("{", "}", "[", "]", ":", ",", '"', "'", "\\", "\\\\", '\\"', "\\u12", "\\ud835", "null", "NaN", "-", "1e999"),
    *("```", "```json\n", "\n```", "~~~", "<think>", "</think>", "<answer>", "</answer>", "<SUMMARY>", "</SUMMARY>"),
    *("<CAPTION>", "</CAPTION>", "<REASONING>", "</REASONING>", "<CONCLUSION>", "</CONCLUSION>", "<pair>", "</pair>"),
    *(
        "<chapter>",
        "</chapter>",
        "<title>",
        "</title>",
        "<label>",
        "</label>",
        "<question>",
        "</question>",
        "<solution>",
    ),
    *(
        "</solution>",
        "<qa_pair>",
        "</qa_pair>",
        "<",
        ">",
        "</",
        "<!--",
        "-->",
        "<script>alert(1)</script>",
        "&lt;",
        "&#0;",
    ),
    *(
        "1",
        "2,",
        "1-9",
        "3-1",
        "0-99999999999",
        "9" * 60,
        "１２",
        "٣",
        "½",
        "1.",
        "(1)",
        "一、",
        "例1",
        "$",
        "$$",
        "\\(",
        "\\frac{",
    ),
    *(
        "**",
        "*",
        "_",
        "# ",
        "|",
        "|---|",
        "> ",
        "- ",
        "![](",
        "](",
        ")",
        "\n",
        "\r\n",
        "\t",
        " ",
        "\u00a0",
        "\u200b",
        "\u202e",
    ),
    *(
        "\0",
        "\x1b[31m",
        "\ud835",
        "\udfff",
        "\ufffe",
        "😀",
        "𝑥",
        "é",
        "e\u0301",
        "ﬁ",
        "İ",
        "ß",
        "so the answer is",
        "Answer: B",
    ),
)
TEXT = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(PIECES), max_size=40).map("".join),
    # What is short may be repeated until a reader that looks back at each step stands still.
    st.tuples(st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("".join), st.integers(1, 6_000)).map(
        lambda drawn: drawn[0] * drawn[1]
    ),
    st.tuples(
        st.lists(st.sampled_from(PIECES), max_size=3).map("".join),
        st.sampled_from(PIECES),
        st.integers(1, 6_000),
        st.lists(st.sampled_from(PIECES), max_size=3).map("".join),
    ).map(lambda drawn: drawn[0] + drawn[1] * drawn[2] + drawn[3]),
)
NUMBERS = st.sampled_from([0, -1, 1, 3, 10**20, 10**400, 0.5, -0.0, 1e308, -1e-300, float("nan"), float("inf")])


def anything(keys: tuple[str, ...]) -> st.SearchStrategy[object]:
    """Values of JSON whose objects have some of these keys."""
    leaf = st.one_of(st.none(), st.booleans(), NUMBERS, st.text(max_size=8), st.sampled_from(PIECES))
    return st.recursive(
        leaf,
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(st.sampled_from(keys) | st.text(max_size=3), inner, max_size=6)
        ),
        max_leaves=25,
    )
