"""vqa.md shows a book's text, and nothing in it runs, loads or leads anywhere, whatever the text holds."""

from html.parser import HTMLParser

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from dataflow_ext.report.texts import markdown_line, markdown_text

PICTURES = ("fig.png", "图 (1).png")

#: What Markdown itself makes of lines, and tables without anything but spans.
TAGS = {
    *("p", "br", "strong", "em", "code", "pre", "ul", "ol", "li", "blockquote", "hr", "h1", "h2", "img"),
    *("table", "tr", "td", "th"),
}
ATTRIBUTES = {"colspan", "rowspan", "src", "alt", "start"}

HOSTILE = (
    '<table><tr><td><iframe srcdoc="<table><tr><td><script>alert(1)</script></td></tr></table>"></iframe></table>',
    "<table onclick=alert(1)><tr onclick=x><td srcdoc='<b>' style=\"a>b\" colspan='2' onmouseover=alert(1)>x</td></table>",
    "<table><tr><td>a\n\n<script>alert(1)</script>\n\n</td></tr></table>",
    "<table><tr><td>&lt;script&gt;alert(1)&lt;/script&gt;",
    "<table><tr><td>&lt;script&gt;alert(1)&lt;/script&gt;</table>",
    "<td><img src=x onerror=alert(1)>",
    "<script\n>alert(1)</script\n>",
    "<!-- x --><?php ?><![CDATA[x]]><!DOCTYPE x>",
    "[x](javascript:alert(1))",
    "[x]\n(javascript:alert(1))",
    "![](http://example.org/seen.png)",
    "![x][1]\n\n[1]: http://example.org/seen.png",
    "[x]\n\n[x]: javascript:alert(1)",
    "> [x]: <javascript:alert(1)>\n\n[x]",
    "$[x](javascript:alert(1))$",
    "$$[x]: javascript:alert(1)$$\n\n[x]",
    "[![f](vqa_images/fig.png)](javascript:alert(1))",
    "<javascript:alert(1)>",
    '![a](vqa_images/fig.png "onerror=x")',
    "![a](vqa_images/../../secret.png)",
)


class Seen(HTMLParser):
    """What a viewer shows: tags, attributes, places, words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: dict[str, set[str]] = {}
        self.words = ""
        self.feed(MarkdownIt("commonmark", {"html": True}).render(text))

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        for name, value in attrs:
            self.attributes.setdefault(name, set()).add(value or "")

    def handle_data(self, data):
        self.words += data

    def handle_comment(self, data):
        self.tags.add("comment")

    handle_pi = handle_decl = unknown_decl = handle_comment


def check_inert(text: str) -> Seen:
    seen = Seen(text)
    assert seen.tags <= TAGS, text
    assert set(seen.attributes) <= ATTRIBUTES, text
    assert seen.attributes.get("src", set()) <= {"vqa_images/fig.png", "vqa_images/%E5%9B%BE%20%281%29.png"}, text
    return seen


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_that_a_text_brings_runs_loads_or_leads_anywhere(text):
    check_inert(markdown_text(text, PICTURES, "vqa_images"))
    check_inert(f"# {markdown_line(text)}")


PARTS = (
    *(
        "<table>",
        "<tr>",
        "<td colspan=2>",
        "<th>",
        "</td>",
        "</tr>",
        "</table>",
        "<script>",
        "x",
        "\n",
        "\n\n",
        " ",
        "$",
    ),
    *(
        "$$",
        "\\(",
        "\\)",
        "\\[",
        "\\]",
        "[",
        "]",
        "(",
        ")",
        ":",
        "!",
        "javascript:x",
        "http://x/y",
        "<",
        ">",
        "&lt;",
        '"',
    ),
    *("![a](vqa_images/fig.png)", "![b](vqa_images/图 (1).png)", "\\", "`", "#", "&", "<br>", "<!--", "-->", "*"),
)


@given(st.lists(st.sampled_from(PARTS), max_size=14).map("".join))
@example("[$x$](javascript:x)")
@example("[\\](javascript:x)")
@example("```<table>")
def test_nothing_that_is_put_together_of_its_parts_does_either(text):
    check_inert(markdown_text(text, PICTURES, "vqa_images"))


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("# What?\nA. 1", "\\# What?  \nA. 1"),
        ("If a<b and $a<b$, $1<2$.", "If a&lt;b and $a\\lt b$, $1\\lt2$."),
        ("$$x<\\sqrt[3](y)$$", "$$x\\lt\\sqrt[3]{}(y)$$"),
        ("It costs $5 < $6.", "It costs $5 &lt; $6."),
        ("[1](see) [例]: x", "[1]&#40;see) [例]&#58; x"),
        ("![a < b](vqa_images/图 (1).png)!", "![a &lt; b](vqa_images/%E5%9B%BE%20%281%29.png)!"),
        ("![a](vqa_images/other.png)", "![a]&#40;vqa_images/other.png)"),
        ("<table><tr><td>$x<y$", "&lt;table>&lt;tr>&lt;td>$x\\lt y$"),
        (
            '<table class="x"><thead><tr><th colspan="2" style="x">a &amp; b</th></tr></thead>'
            "<tr><td rowspan=3>1 &lt; 2<br>$x<y$<b>c</b></table>",
            '<table><tr><th colspan="2">a &amp; b</th></tr>'
            '<tr><td rowspan="3">1 &lt; 2<br>$x\\lt y$&lt;b>c&lt;/b></td></tr></table>',
        ),
        ("```<table></table>", "&#96;``<table></table>"),
        ("~~~~ x", "&#126;&#126;~~ x"),
        ("<table><tr><td>1</td><td>2</td></tr></table>", "<table><tr><td>1</td><td>2</td></tr></table>"),
    ],
)
def test_a_text_stays_readable(text, made):
    assert markdown_text(text, PICTURES, "vqa_images") == made


def test_words_are_what_a_reader_sees():
    text = "If a<b then [see](http://x) <i>this</i> & that: [1]: 2"
    assert Seen(markdown_text(text, ())).words.strip() == text
