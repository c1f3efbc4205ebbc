"""A Word document written by hand out of its parts, and LibreOffice's PDF of it."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import escape

from book import picture, plain
from omml import omml

PARTS = Path(__file__).parent / "word_parts"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
SIDES = ("top", "left", "bottom", "right", "insideH", "insideV")


@dataclass
class Document:
    """Paragraphs of a document, its lists that count by themselves, and its pictures."""

    heading: str
    body: list[str] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)
    lists: int = 0

    def paragraph(self, text: str, style: str = "", number: int = 0) -> None:
        """A paragraph with formulas; with ``number``, an entry of that list."""
        style = f'<w:pStyle w:val="{style}"/>' if style else ""
        counted = f'<w:numPr><w:ilvl w:val="0"/><w:numId w:val="{number}"/></w:numPr>' if number else ""
        self.body.append(f"<w:p><w:pPr>{style}{counted}</w:pPr>{_runs(text)}</w:p>")

    def table(self, rows: Sequence[Sequence[str]]) -> None:
        """A table with lines around its cells."""
        borders = "".join(f'<w:{side} w:val="single" w:sz="4"/>' for side in SIDES)
        cells = [[f"<w:tc><w:p>{_runs(cell)}</w:p></w:tc>" for cell in row] for row in rows]
        lines = "".join(f"<w:tr>{''.join(row)}</w:tr>" for row in cells)
        self.body.append(f"<w:tbl><w:tblPr><w:tblBorders>{borders}</w:tblBorders></w:tblPr>{lines}</w:tbl><w:p/>")

    def picture(self, name: str) -> None:
        """A drawing, as a picture in a paragraph of its own."""
        self.pictures.append(name)
        self.body.append(_part("picture", N=str(len(self.pictures)), NAME=name))

    def write(self, path: Path) -> None:
        """The document as a ``.docx`` file."""
        own = {name: (name, f"{name}.xml") for name in ("styles", "numbering", "header")}
        own |= {f"p{n}": ("image", f"media/{name}.png") for n, name in enumerate(self.pictures, start=1)}
        numbers = range(1, self.lists + 1)
        lists = [_part("list", N=str(n)) for n in numbers]
        lists += [f'<w:num w:numId="{n}"><w:abstractNumId w:val="{n}"/></w:num>' for n in numbers]
        parts = {
            "[Content_Types].xml": _part("content_types"),
            "_rels/.rels": _part("rels", LINKS=_links({"d": ("officeDocument", "word/document.xml")})),
            "word/_rels/document.xml.rels": _part("rels", LINKS=_links(own)),
            "word/document.xml": _part("document", BODY="".join(self.body)),
            "word/header.xml": _part("header", HEADING=_runs(self.heading)),
            "word/styles.xml": _part("styles"),
            "word/numbering.xml": _part("numbering", LISTS="".join(lists)),
        }
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
            for name, text in parts.items():
                file.writestr(name, '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' + text)
            for name in self.pictures:
                file.writestr(f"word/media/{name}.png", _drawn(name))


def pdf_of(document: Path, target: Path) -> None:
    """LibreOffice's PDF of a document."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["soffice", f"-env:UserInstallation=file://{folder}/user", "--headless", "--convert-to", "pdf"]
        subprocess.run([*command, "--outdir", folder, str(document)], check=True, capture_output=True)
        shutil.move(Path(folder) / f"{document.stem}.pdf", target)


def _part(part: str, **values: str) -> str:
    text = (PARTS / f"{part}.xml").read_text(encoding="utf-8")
    for key, value in values.items():
        text = text.replace(f"@{key}@", value)
    return text


def _links(targets: dict[str, tuple[str, str]]) -> str:
    return "".join(
        f'<Relationship Id="{key}" Type="{OFFICE}/{kind}" Target="{path}"/>' for key, (kind, path) in targets.items()
    )


def _runs(text: str) -> str:
    pieces = re.split(r"(\$[^$]+\$)", text)
    return "".join(omml(p[1:-1]) if n % 2 else _words(p) for n, p in enumerate(pieces))


def _words(piece: str) -> str:
    lead, trail = piece[:1].isspace() * " ", (len(piece) > 1 and piece[-1:].isspace()) * " "
    printed = lead + plain(piece) + trail if piece.strip() else piece
    return f'<w:r><w:t xml:space="preserve">{escape(printed)}</w:t></w:r>' if piece else ""


def _drawn(name: str) -> bytes:
    """A TikZ picture as PNG."""
    with tempfile.TemporaryDirectory() as folder:
        source = r"\documentclass[tikz,border=4pt]{standalone}\begin{document}" + picture(name) + r"\end{document}"
        (Path(folder) / "drawn.tex").write_text(source)
        for command in (
            "pdflatex -interaction=batchmode drawn.tex",
            "pdftoppm -r 150 -png -singlefile drawn.pdf drawn",
        ):
            subprocess.run(command.split(), cwd=folder, check=True, capture_output=True)
        return (Path(folder) / "drawn.png").read_bytes()
