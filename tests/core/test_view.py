"""A table can be looked at in a notebook: pictures as thumbnails, long texts cut, everything escaped."""

import base64
import io
import re
from html import escape
from pathlib import Path

import pyarrow as pa
import pytest
from PIL import Image

from dataflow_ext.images import IMAGE
from dataflow_ext.view import show


def png(size: tuple[int, int] = (8, 6), mode: str = "RGB") -> bytes:
    out = io.BytesIO()
    Image.new(mode, size).save(out, "PNG")
    return out.getvalue()


def thumbnails(html: str) -> list[tuple[int, int]]:
    found = re.findall(r'src="data:image/jpeg;base64,([^"]+)"', html)
    return [Image.open(io.BytesIO(base64.b64decode(data))).size for data in found]


def cells(html: str) -> list[str]:
    return re.findall(r"<td [^>]*>(.*?)</td>", html)


def test_plain_rows_show_as_a_table_and_as_lines() -> None:
    view = show([{"label": "例1", "n": 1.5, "ids": [1, 2], "at": None}])
    assert cells(view._repr_html_()) == ["例1", "1.5", "[1,2]", '<span style="opacity:.5">null</span>']
    assert repr(view) == "0: label=例1, n=1.5, ids=[1,2], at=None\n1 row, 4 columns"


def test_only_the_first_rows_are_shown_and_the_rest_is_counted() -> None:
    view = show(pa.table({"n": list(range(100))}), rows=3)
    assert cells(view._repr_html_()) == ["0", "1", "2"]
    assert repr(view) == "0: n=0\n1: n=1\n2: n=2\n100 rows, 1 column, the first 3 shown"


def test_an_empty_table_shows_its_columns() -> None:
    html = show(pa.table({"a": pa.array([], pa.string())}))._repr_html_()
    assert '<th style="text-align:left" title="string">a</th>' in html
    assert cells(html) == []


def test_long_text_is_cut_with_the_whole_behind_it() -> None:
    (cell,) = cells(show([{"t": "x" * 300}])._repr_html_())
    assert cell == f'<span title="{"x" * 300}">{"x" * 199}…</span>'


def test_a_very_long_text_does_not_weigh_its_size() -> None:
    assert len(show([{"t": "x" * 5_000_000}])._repr_html_()) < 10_000


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", '" onmouseover="x', "<img src=x onerror=y>.png"])
def test_hostile_names_and_texts_are_escaped(text: str) -> None:
    pictures = pa.array([{"bytes": png(), "path": text}], IMAGE)
    html = show(
        pa.table({text: [text], "long": [text * 50], "nested": [[{text: text}]], "pic": pictures})
    )._repr_html_()
    assert "<script" not in html
    assert "<img src=x" not in html
    assert '" onmouseover' not in html
    assert len(thumbnails(html)) == 1


def test_picture_bytes_become_small_thumbnails() -> None:
    pictures = pa.array([{"bytes": png((2000, 1000)), "path": None}, {"bytes": png(mode="LA"), "path": "a.png"}], IMAGE)
    assert thumbnails(show(pa.table({"p": pictures}))._repr_html_()) == [(272, 136), (8, 6)]


def test_paths_of_pictures_become_thumbnails_alone_and_in_lists(tmp_path: Path) -> None:
    path = tmp_path / "a.PNG"
    path.write_bytes(png())
    html = show([{"one": str(path), "many": [str(path)] * 6}])._repr_html_()
    assert thumbnails(html) == [(8, 6)] * 5
    assert cells(html)[1].endswith(" and 2 more")


def test_what_is_no_picture_stays_text(tmp_path: Path) -> None:
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"GIF89a")
    texts = [str(broken), str(tmp_path / "gone.png"), "https://example.org/a.png", str(tmp_path), "nul\0.png"]
    html = show(pa.table({"t": texts, "b": pa.array([{"bytes": b"xx", "path": None}] * 5, IMAGE)}))._repr_html_()
    assert "<img" not in html
    assert cells(html)[:2] == [str(broken), escape('{"bytes":"<2 bytes>","path":null}')]


def test_a_picture_too_large_to_decode_stays_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dataflow_ext.report.parts._MOST_PIXELS", 40)
    html = show(pa.table({"p": pa.array([{"bytes": png((8, 6)), "path": "a.png"}], IMAGE)}))._repr_html_()
    assert "<img" not in html


def test_pillow_is_not_imported_for_tables_without_pictures() -> None:
    import subprocess
    import sys

    code = (
        "import sys; from dataflow_ext.view import show; show([{'a': 'x'}])._repr_html_(); print('PIL' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
