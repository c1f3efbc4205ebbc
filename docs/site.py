"""What the site of these pages does with links to files that are no part of it: it names them."""

import re

_OUTSIDE = re.compile(r"\[([^\]]*)\]\((?:\.\./|notebooks/)([^)#\s]+)[^)]*\)")


def on_page_markdown(markdown, **_):
    """The page with links out of docs/ as the link's words and the file's name."""
    return _OUTSIDE.sub(lambda link: f"{link[1]} (`{link[2]}`)", markdown)
