"""What would run in a reader's browser: found in pages and in Markdown."""

import re
from html.parser import HTMLParser

#: Stands in every script that hostile inputs bring.
PLANTED = "alert(31337)"
SCRIPTS = (
    f"<script>{PLANTED}</script>",
    f"<img src=x onerror={PLANTED}>",
    f'"><svg onload="{PLANTED}">',
    f"</title></textarea></style></script><script>{PLANTED}</script>",
    f'<iframe srcdoc="<script>{PLANTED}</script>"></iframe>',
    f"[a link](javascript:{PLANTED})",
    f"' onmouseover='{PLANTED}' x='",
    f"<table><tr><td onclick={PLANTED} colspan=2>x</td></tr></table>",
    f'<a href="java\tscript:{PLANTED}">x</a>',
    f"<!--><script>{PLANTED}</script>-->",
    f"{{{{ ''.__class__ }}}}{{% for x in y %}}<{PLANTED}>",
)


class _Page(HTMLParser):
    """Notes of each place of a page where a planted script is live."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.live: list[str] = []
        self.script: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.script = dict(attrs).get("type") or "code" if tag == "script" else None
        for name, value in attrs:
            said = re.sub(r"\s", "", value or "").lower()
            code = name.startswith("on") or name == "srcdoc"
            address = name in ("href", "src", "action", "data") and said.startswith(
                ("javascript:", "data:text", "vbscript:")
            )
            if (code and PLANTED in said) or address:
                self.live.append(f"<{tag} {name}={value!r}>")

    def handle_endtag(self, tag: str) -> None:
        self.script = None

    def handle_data(self, data: str) -> None:
        if self.script is not None and not self.script.endswith("json") and PLANTED in data:
            self.live.append(f"<script>{data[:200]}")


def live_in_page(text: str) -> list[str]:
    """The places where a planted script would run if the page is opened."""
    page = _Page()
    page.feed(text)
    page.close()
    return page.live


_TAG = re.compile(r"(?<!\\)<(?!/?(?:table|tr|td|th|tbody|thead|br|sub|sup|p)\b|https?:)[a-zA-Z!/?][^\n]{0,80}")
_CELL = re.compile(r"<(?:table|tr|td|th|tbody|thead|br|sub|sup|p)\b([^>]*)>")
_SPAN = re.compile(r"(?:\s+(?:colspan|rowspan)=[\"']?\d+[\"']?)*\s*/?")
_LINK = re.compile(r"\]\(\s*<?\s*(?:javascript|data|vbscript)\s*:", re.IGNORECASE)


def live_in_markdown(text: str) -> list[str]:
    """The places that would be a tag, or a link that runs, where Markdown with HTML is shown."""
    text = re.sub(r"`[^`\n]*`", "", re.sub(r"(?ms)^```.*?^```", "", text))
    tags = [tag for tag in _TAG.findall(text) if "31337" in tag or "script" in tag.lower()]
    cells = [tag for tag in _CELL.findall(text) if not _SPAN.fullmatch(tag)]
    return [*tags, *cells, *_LINK.findall(text)]
