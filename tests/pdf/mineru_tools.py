"""Small programs that stand in for MinerU's commands: they take its arguments and write what it writes."""

import sys
import textwrap
from pathlib import Path

FIXTURES = Path(__file__).parent / "fixtures_mineru"

_SCRIPT = """\
#!{python} -IS
import json, os, shutil, signal, subprocess, sys, time, zipfile
from pathlib import Path

FIXTURE, HERE, SAYS, DOES = Path({fixture!r}), Path({here!r}), {says!r}, {does!r}
if "--version" in sys.argv:
    print(SAYS)
    sys.exit(0)
with open(HERE / "calls.jsonl", "a") as calls:
    calls.write(json.dumps({{"args": sys.argv[1:], "env": dict(os.environ), "cwd": os.getcwd()}}) + "\\n")
out = Path(sys.argv[sys.argv.index("-o") + 1])
pdf = Path(sys.argv[2] if sys.argv[1] in ("parse", "-p") else "")
assert pdf.read_bytes().startswith(b"%PDF"), "no PDF was given"
if DOES:
    exec(DOES)
if "zip" in sys.argv:
    with zipfile.ZipFile(out / (pdf.stem + ".zip"), "w") as archive:
        for path in sorted(p for p in FIXTURE.rglob("*") if p.is_file()):
            archive.write(path, path.relative_to(FIXTURE))
else:
    shutil.copytree(FIXTURE, out, dirs_exist_ok=True)
    (out / pdf.stem / (pdf.stem + "_origin.pdf")).write_bytes(pdf.read_bytes())
"""

SAID = {
    "v1_3": "magic-pdf, version 1.3.12",
    "v2_5": "mineru, version 2.5.4",
    "v3_0": "mineru, version 3.4.5",
    "v4_0": "MinerU version: 4.0.12\nPython version: 3.11.7",
}


def tool(folder: Path, version: str, *, does: str = "", name: str = "mineru", says: str | None = None) -> Path:
    """A command that writes the fixture of a version; ``does`` is Python that runs before."""
    folder.mkdir(parents=True, exist_ok=True)
    script = _SCRIPT.format(
        python=sys.executable,
        fixture=str(FIXTURES / version),
        here=str(folder),
        says=SAID[version] if says is None else says,
        does=textwrap.dedent(does),
    )
    names = {name, "mineru-kit"} if version == "v4_0" else {name}
    for each in names:
        (folder / each).write_text(script, encoding="utf-8")
        (folder / each).chmod(0o755)
    return folder / name
