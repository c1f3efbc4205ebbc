"""What a browser would see of a page."""

from html.parser import HTMLParser


class Reader(HTMLParser):
    """Tags, attributes, places linked to, words, and tags that are left open."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.places: list[str] = []
        self.words = ""
        self.stack: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.places += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in ("img", "meta", "input", "br"):
            self.stack.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data
