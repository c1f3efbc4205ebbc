"""Changes that no result depends on: the second run is remembered."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.abuse.changes.projects import Kind

HELPER = "def helper(text):\n    return text + '1'\n"
PLAIN = Kind(
    "plain",
    "helper(text)",
    "from helpers import helper\nimport data",
    files={"helpers.py": HELPER, "data.py": "X = 1\n"},
)
SETS = Kind(
    "sets",
    "text + str(len(WORDS)) + ''.join(sorted(self.words))",
    "WORDS = {'one', 'two', 'three', 'four'}",
    "words: frozenset[str] = frozenset({'a', 'b', 'c', 'd'})\nmore: set[str] = {'e', 'f', 'g'}",
    before=("a4abcd",),
)
CALLED = Kind(
    "called",
    "self.how(text)",
    "from collections.abc import Callable",
    "how: Callable[[str], str]",
    make="from helpers import Put\nfrom ops import Op\npipeline = [Op(how=Put())]",
    files={"helpers.py": "class Put:\n    def __call__(self, text):\n        return text + '1'\n"},
)
FILE = Kind(
    "file",
    "text + self.file.read_text()",
    "from pathlib import Path",
    "file: Path",
    make="from pathlib import Path\nfrom ops import Op\npipeline = [Op(file=Path('suffix.txt'))]",
    files={"suffix.txt": "1"},
)
WRITING = Kind(
    "writing",
    "text + '1'",
    "from dataflow_ext import OutputPath",
    "out: OutputPath",
    make="from ops import Op\npipeline = [Op(out='out.txt')]",
    files={"out.txt": "1"},
)


@dataclass(frozen=True)
class Harmless:
    """A change that recomputes nothing: what ``files`` are afterwards, what ``act`` does to the folder, or the start."""

    name: str
    kind: Kind = PLAIN
    files: Mapping[str, str] = field(default_factory=dict)
    act: Callable[[Path], None] = lambda folder: None
    start: Mapping[str, object] = field(default_factory=dict)
    moved: bool = False


def edit(name: str, old: str, new: str) -> Callable[[Path], None]:
    """A change of a file's text."""

    def act(folder: Path) -> None:
        text = (folder / name).read_text(encoding="utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new), encoding="utf-8")

    return act


def touch(*names: str) -> Callable[[Path], None]:
    """Files get another time, or are written again as they are."""

    def act(folder: Path) -> None:
        for name in names:
            content = (folder / name).read_bytes()
            (folder / name).unlink()
            (folder / name).write_bytes(content)

    return act


def add(name: str, text: str) -> Callable[[Path], None]:
    """A file more."""

    def act(folder: Path) -> None:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")

    return act


def windows_lines(folder: Path) -> None:
    """Line ends of another system."""
    for path in folder.glob("*.py"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


WARM = """
import functools
@functools.lru_cache
def helper(text):
    return text + '1'
"""
TOLD = "\nLOG = logging.getLogger(__name__)\n"

ALL = [
    Harmless("nothing at all"),
    Harmless("a start of Python itself", start={"fresh": True}),
    Harmless("another hash seed", SETS, start={"fresh": True, "environment": {"PYTHONHASHSEED": "7"}}),
    Harmless("another order of sets, and a script that is started anew", SETS, start={"fresh": True}),
    Harmless("a comment in the operator's module", act=edit("ops.py", "class Op", "# a comment\nclass Op")),
    Harmless("a comment in a helper's module", act=edit("helpers.py", "def", "# a comment\ndef")),
    Harmless("a comment behind a line", act=edit("helpers.py", "'1'", "'1'  # one")),
    Harmless("another docstring of the operator", act=edit("ops.py", "what is put behind it", "what stands behind it")),
    Harmless("a docstring of a helper", act=edit("helpers.py", "    return", '    """Put a one."""\n    return')),
    Harmless("a docstring of a helper's module", act=edit("helpers.py", "def", '"""Helpers."""\n\ndef')),
    Harmless(
        "other quotes and brackets", act=edit("helpers.py", "text + '1'", '(\n        text\n        + "1"\n    )')
    ),
    Harmless("blank lines", act=edit("helpers.py", "def", "\n\n\ndef")),
    Harmless("line ends of another system", act=windows_lines),
    Harmless("files with another time", act=touch("ops.py", "helpers.py", "main.py", "data.py")),
    Harmless("a folder of another name", moved=True),
    Harmless("another working folder, the memory named in full", start={"elsewhere": True}),
    Harmless("a module that nobody imports, changed", act=add("unused.py", "X = 2\n")),
    Harmless("a test file", act=add("tests/test_ops.py", "from ops import Op\ndef test():\n    assert Op()\n")),
    Harmless("a README and a picture", act=add("README.md", "# Two\n")),
    Harmless(
        "a print in the script, behind the run",
        act=edit("main.py", "\ngo()", "\ngo()\nimport sys\nprint('done', file=sys.stderr)"),
    ),
    Harmless("a comment in the script", act=edit("main.py", "import json", "# a comment\nimport json")),
    Harmless("another name of a variable of the script", act=edit("main.py", "result", "outcome")),
    Harmless("an environment variable", start={"environment": {"SOMETHING": "else", "LANG": "C", "TZ": "Asia/Tokyo"}}),
    Harmless(
        "another log level", act=edit("main.py", "import json", "import json, logging\nlogging.basicConfig(level=10)\n")
    ),
    Harmless("several workers", act=edit("main.py", 'cache_dir="memory"', 'cache_dir="memory", workers=2')),
    Harmless("a limit that does not bind", act=edit("main.py", 'cache_dir="memory"', 'cache_dir="memory", limit=5')),
    Harmless(
        "the table as columns of Arrow",
        act=edit("main.py", '[{"text": "a"}]', '__import__("pyarrow").table({"text": ["a"]})'),
    ),
    Harmless("an equal operator, written otherwise", act=edit("main.py", "[Op()]", "list((Op(reads={}, writes={}),))")),
    Harmless(
        "a pickled operator",
        act=edit("main.py", "[Op()]", "[__import__('pickle').loads(__import__('pickle').dumps(Op()))]"),
    ),
    Harmless("a further folder of modules", start={"path": ["/nowhere"]}),
    Harmless(
        "a distribution that nobody imports",
        act=add("site-packages/other-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: other\nVersion: 1.0\n"),
        start={"path": ["site-packages"]},
    ),
    Harmless("an object of the same class and state at another address", CALLED, start={"fresh": True}),
    Harmless("a file behind a Path option with another time", FILE, act=touch("suffix.txt")),
    Harmless("what lies where an operator writes", WRITING, act=add("out.txt", "2")),
    Harmless(
        "a memory of a helper that has filled",
        Kind("warm", "helper(text)", WARM),
        act=edit("main.py", "\ngo()", "\nimport ops\nops.helper('x')\ngo()"),
    ),
    Harmless(
        "a log of a module",
        Kind("log", "(LOG.debug(text), text + '1')[1]", "import logging" + TOLD),
        start={"fresh": True},
    ),
    Harmless(
        "a module of the standard library",
        Kind("std", "re.sub('x', '', json.loads(json.dumps(text))) + '1'", "import json, re"),
    ),
    Harmless(
        "a module of another's distribution",
        Kind("other", "str(pydantic.TypeAdapter(str).validate_python(text)) + '1'", "import pydantic"),
    ),
]
# One process, two runs, and nothing between them that matters.
TWICE = [
    Kind("an operator that was used", "helper(text)", WARM, between="pass"),
    Kind("an equal operator made anew", "helper(text)", HELPER, between="pipeline = [Op()]"),
    Kind("a global that nobody names", "helper(text)", HELPER + "OTHER = 1\n", between="import ops\nUNUSED = 2"),
    Kind(
        "an equal function made anew",
        "self.how(text)",
        "from collections.abc import Callable",
        "how: Callable[[str], str]",
        make="from ops import Op\ndef putter(suffix):\n    return lambda text: text + suffix\npipeline = [Op(how=putter('1'))]",
        between="pipeline = [Op(how=putter('1'))]",
    ),
    Kind(
        "a module that is loaded again as it is",
        "helper(text)",
        HELPER,
        between="import importlib, ops\nimportlib.reload(ops)\npipeline = [ops.Op()]",
    ),
]
