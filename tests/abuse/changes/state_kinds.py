"""Changes that no file shows, or that are made while the process runs: state, patches, reloads, notebook cells."""

from tests.abuse.changes.projects import Kind, operator

HELPER = "def helper(text):\n    return text + '1'\n"
SUFFIX = "SUFFIX = '1'\n"
AGAIN = "pipeline = [Op()]"

SET_BEFORE_THE_RUN = [
    Kind(
        "a class variable that the script sets",
        "text + self.SUFFIX",
        "from typing import ClassVar",
        "SUFFIX: ClassVar[str] = '0'",
        make="import sys\nfrom ops import Op\nOp.SUFFIX = sys.argv[1]\npipeline = [Op()]",
        arguments=("§",),
    ),
    Kind(
        "a class variable of a helper's class that the script sets",
        "text + Helper.suffix",
        "from helpers import Helper",
        make="import sys\nfrom helpers import Helper\nfrom ops import Op\nHelper.suffix = sys.argv[1]\npipeline = [Op()]",
        files={"helpers.py": "class Helper:\n    suffix = '0'\n"},
        arguments=("§",),
    ),
    Kind(
        "a global of the operator's module that the script sets",
        imports="SUFFIX = '0'",
        make="import sys, ops\nfrom ops import Op\nops.SUFFIX = sys.argv[1]\npipeline = [Op()]",
        arguments=("§",),
    ),
    Kind(
        "a global of another module that the script sets",
        "helper(text)",
        "from helpers import helper",
        make="import sys, far\nfrom ops import Op\nfar.SUFFIX = sys.argv[1]\npipeline = [Op()]",
        files={"helpers.py": "import far\ndef helper(text):\n    return text + far.SUFFIX\n", "far.py": SUFFIX},
        arguments=("§",),
    ),
    Kind(
        "a global of the script that comes from the command line",
        make="import sys\nSUFFIX = sys.argv[1]\n" + operator("text + SUFFIX") + "\npipeline = [Op()]",
        arguments=("§",),
    ),
    Kind(
        "a global that was read from the environment when its module was imported",
        imports="import os\nSUFFIX = os.environ['SUFFIX_OF_THE_TEST']",
        environment={"SUFFIX_OF_THE_TEST": "§"},
    ),
    Kind(
        "a setting in an object of a module",
        "text + CONFIG.inner['suffix']",
        "from config import CONFIG",
        make="import sys\nfrom config import CONFIG\nfrom ops import Op\nCONFIG.inner['suffix'] = sys.argv[1]\npipeline = [Op()]",
        files={"config.py": "class Config:\n    def __init__(self):\n        self.inner = {}\nCONFIG = Config()\n"},
        arguments=("§",),
    ),
    Kind(
        "a function that the script put in another's place",
        "helpers.helper(text)",
        "import helpers",
        make="""
            import sys, helpers
            from ops import Op
            def patched(text, suffix=sys.argv[1]):
                return text + suffix
            helpers.helper = patched
            pipeline = [Op()]
            """,
        files={"helpers.py": HELPER},
        arguments=("§",),
    ),
    Kind(
        "a method that the script put in another's place",
        "Helper().put(text)",
        "from helpers import Helper",
        make="""
            import sys
            from helpers import Helper
            from ops import Op
            suffix = sys.argv[1]
            Helper.put = lambda self, text: text + suffix
            pipeline = [Op()]
            """,
        files={"helpers.py": "class Helper:\n    def put(self, text):\n        return text\n"},
        arguments=("§",),
    ),
    Kind(
        "a function of the standard library that the script put in another's place",
        "textwrap.dedent(text)",
        "import textwrap",
        make="""
            import sys, textwrap
            from ops import Op
            suffix = sys.argv[1]
            textwrap.dedent = lambda text: text + suffix
            pipeline = [Op()]
            """,
        arguments=("§",),
        provable=False,
    ),
    Kind(
        "a context variable",
        "text + SUFFIX.get()",
        "from contextvars import ContextVar\nSUFFIX = ContextVar('SUFFIX')",
        make="import sys\nfrom ops import SUFFIX, Op\nSUFFIX.set(sys.argv[1])\npipeline = [Op()]",
        arguments=("§",),
        provable=False,
    ),
    Kind(
        "a thread's own variable",
        "text + LOCAL.suffix",
        "import threading\nLOCAL = threading.local()",
        make="import sys\nfrom ops import LOCAL, Op\nLOCAL.suffix = sys.argv[1]\npipeline = [Op()]",
        arguments=("§",),
        provable=False,
    ),
]

BETWEEN_TWO_RUNS = [
    Kind(
        "a class variable is set",
        "text + self.SUFFIX",
        "from typing import ClassVar",
        "SUFFIX: ClassVar[str] = '1'",
        between="Op.SUFFIX = '2'",
    ),
    Kind(
        "a class variable of a base class is set",
        files={
            "ops.py": operator("text + self.SUFFIX", "from bases import Base").replace("(RowOp", "(Base, RowOp"),
            "bases.py": "class Base:\n    SUFFIX = '1'\n",
        },
        between="import bases\nbases.Base.SUFFIX = '2'",
    ),
    Kind("a global is set", imports=SUFFIX, between="import ops\nops.SUFFIX = '2'"),
    Kind(
        "a module's attribute is set",
        "text + far.SUFFIX",
        "import far",
        files={"far.py": SUFFIX},
        between="import far\nfar.SUFFIX = '2'",
    ),
    Kind(
        "a list of a module grows",
        "text + SUFFIXES[-1]",
        "SUFFIXES = ['1']",
        between="import ops\nops.SUFFIXES.append('2')",
    ),
    Kind(
        "a function is put in another's place",
        "helper(text)",
        HELPER,
        between="import ops\nops.helper = lambda text: text + '2'",
    ),
    Kind(
        "a function's code is put in another's place",
        "helper(text)",
        HELPER,
        between="import ops\nops.helper.__code__ = (lambda text: text + '2').__code__",
    ),
    Kind(
        "a function's defaults are set",
        "helper(text)",
        "def helper(text, suffix='1'):\n    return text + suffix\n",
        between="import ops\nops.helper.__defaults__ = ('2',)",
    ),
    Kind(
        "a method of a base class is put in another's place",
        files={
            "ops.py": operator("self.put(text)", "from bases import Base").replace("(RowOp", "(Base, RowOp"),
            "bases.py": "class Base:\n    def put(self, text):\n        return text + '1'\n",
        },
        between="import bases\nbases.Base.put = lambda self, text: text + '2'",
    ),
    Kind(
        "the row itself is put in another's place",
        "text + '1'",
        between="Op.row = lambda self, text: {'out': text + '2'}",
    ),
    Kind(
        "a module is put in another's place",
        "far.helper(text)",
        "import far",
        files={"far.py": HELPER, "other.py": HELPER.replace("1", "2")},
        between="import ops, other\nops.far = other",
    ),
    Kind(
        "a closure's variable is set by the closure's owner",
        "self.how(text)",
        "from collections.abc import Callable",
        "how: Callable[[str], str]",
        make="""
            from ops import Op
            def made():
                suffix = "1"
                def put(text):
                    return text + suffix
                def change(new):
                    nonlocal suffix
                    suffix = new
                return put, change
            put, change = made()
            pipeline = [Op(how=put)]
            """,
        between="change('2')",
    ),
    Kind(
        "a callable object's state is set",
        "self.how(text)",
        "from collections.abc import Callable",
        "how: Callable[[str], str]",
        make="""
            from ops import Op
            class Put:
                suffix = "1"
                def __call__(self, text):
                    return text + self.suffix
            put = Put()
            pipeline = [Op(how=put)]
            """,
        between="put.suffix = '2'",
    ),
    Kind(
        "a list in an option grows",
        "text + self.settings.suffixes[-1]",
        "from dataclasses import dataclass\n@dataclass\nclass Settings:\n    suffixes: list[str]\n",
        "settings: Settings",
        make="from ops import Op, Settings\nsettings = Settings(['1'])\npipeline = [Op(settings=settings)]",
        between="settings.suffixes.append('2')",
    ),
    Kind(
        "a case of functools.singledispatch is added",
        "helper(text)",
        "import functools\n@functools.singledispatch\ndef helper(value):\n    return value + '1'\n",
        between="import ops\nops.helper.register(str, lambda value: value + '2')",
    ),
    Kind(
        "an entry of a registry is set",
        "REGISTRY['put'](text)",
        "REGISTRY = {'put': lambda text: text + '1'}",
        between="import ops\nops.REGISTRY['put'] = lambda text: text + '2'",
    ),
    Kind(
        "a file behind a Path option",
        "text + self.file.read_text()",
        "from pathlib import Path",
        "file: Path",
        make="from pathlib import Path\nfrom ops import Op\npipeline = [Op(file=Path('suffix.txt'))]",
        files={"suffix.txt": "1"},
        between="Path('suffix.txt').write_text('2')",
    ),
    Kind(
        "a file behind a Path option, of equal size and time",
        "text + self.file.read_text()",
        "from pathlib import Path",
        "file: Path",
        make="from pathlib import Path\nfrom ops import Op\npipeline = [Op(file=Path('suffix.txt'))]",
        files={"suffix.txt": "1"},
        between="""
            import os
            seen = os.stat('suffix.txt')
            Path('suffix.txt').write_text('2')
            os.utime('suffix.txt', ns=(seen.st_atime_ns, seen.st_mtime_ns))
            """,
    ),
    Kind(
        "a file behind a Path option that is relative, by another working folder",
        "text + self.file.read_text()",
        "from pathlib import Path",
        "file: Path",
        make="""
            import os
            from pathlib import Path
            from ops import Op
            memory = os.path.abspath("memory")
            pipeline = [Op(file=Path("suffix.txt"))]
            """,
        files={"suffix.txt": "1", "below/suffix.txt": "2"},
        between="os.symlink(memory, 'below/memory')\nos.chdir('below')",
    ),
    Kind(
        "a prompt's text in the user's folder",
        "text + self.prompt.text[-1]",
        "from prompts import QAExtractPrompt",
        "prompt: QAExtractPrompt",
        make="""
            from pathlib import Path
            from ops import Op
            from prompts import QAExtractPrompt
            def made():
                return [Op(prompt=QAExtractPrompt(folder=Path("my")))]
            pipeline = made()
            """,
        files={"my/qa_extract.md": "Extract 1"},
        between="Path('my/qa_extract.md').write_text('Extract 2')\npipeline = made()",
    ),
    Kind(
        "the operator's module is loaded again",
        "text + '1'",
        between="""
            import importlib, ops, pathlib
            pathlib.Path("ops.py").write_text(pathlib.Path("ops.py").read_text().replace("'1'", "'2'"))
            importlib.reload(ops)
            pipeline = [ops.Op()]
            """,
    ),
    Kind(
        "a helper's module is loaded again",
        "helpers.helper(text)",
        "import helpers",
        files={"helpers.py": HELPER},
        between="""
            import helpers, importlib, pathlib
            pathlib.Path("helpers.py").write_text("def helper(text):\\n    return text + '2'\\n")
            importlib.reload(helpers)
            """,
    ),
]

NOTEBOOK = """
import linecache
number = 0

def cell(text, shown=True):
    global number
    number += 1
    name = f"<cell {number}>"
    if shown:
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    exec(compile(text, name, "exec"), globals())

"""


def notebook(cells: str, shown: bool = True) -> str:
    """A script's beginning that does this text as the cell of a notebook."""
    return NOTEBOOK + f"cell({cells!r}, {shown})\n"


OP = operator("helper(text)")
BASE = operator("self.put(text)").replace("class Op", "class Base")
BASE += "    def put(self, text):\n        return text + '1'\n"
CELLS = {
    "its helper": (HELPER + OP, "def helper(text):\n    return text + '2'\n"),
    "its helper's global": (SUFFIX + "def helper(text):\n    return text + SUFFIX\n" + OP, "SUFFIX = '2'"),
    "a helper of its helper": (
        HELPER.replace("helper", "inner") + "def helper(text):\n    return inner(text)\n" + OP,
        "def inner(text):\n    return text + '2'\n",
    ),
    "a property of the class": (
        operator("text + self.suffix", members="@property\ndef suffix(self):\n    return '1'"),
        "Op.suffix = property(lambda self: '2')",
    ),
    "the class, with another property": (
        operator("text + self.suffix", members="@property\ndef suffix(self):\n    return '1'"),
        operator("text + self.suffix", members="@property\ndef suffix(self):\n    return '2'"),
    ),
    "the class, with another default": (
        operator("text + self.suffix", members="suffix: str = '1'"),
        operator("text + self.suffix", members="suffix: str = '2'"),
    ),
    "a default of its helper": (
        "def helper(text, suffix='1'):\n    return text + suffix\n" + OP,
        "def helper(text, suffix='2'):\n    return text + suffix\n",
    ),
    "its base class and itself": (
        BASE + "class Op(Base):\n    pass\n",
        BASE.replace("'1'", "'2'") + "class Op(Base):\n    pass\n",
    ),
    "a class that its row makes": (
        "class Helper:\n    suffix = '1'\n" + operator("text + Helper().suffix"),
        "class Helper:\n    suffix = '2'\n",
    ),
}

REDEFINED = [
    Kind(f"a notebook's cell redefines {what}", make=notebook(first) + AGAIN, between=f"cell({second!r})\n{AGAIN}")
    for what, (first, second) in CELLS.items()
]

WITHOUT_SOURCE = [
    Kind(
        f"a cell whose text is not kept redefines {what}",
        make=notebook(first, shown=False) + AGAIN,
        between=f"cell({second!r}, False)\n{AGAIN}",
    )
    for what, (first, second) in CELLS.items()
]

RESTARTED = [
    Kind(
        "a notebook is started anew with another cell",
        make=notebook(HELPER.replace("1", "§") + OP) + AGAIN,
    ),
    Kind(
        "a notebook is started anew with another cell whose text is not kept",
        make=notebook(HELPER.replace("1", "§") + OP, shown=False) + AGAIN,
    ),
    Kind(
        "a notebook is started anew with another cell, and nothing of the operator in it",
        "helper(text)",
        "from __main__ import helper",
        make=notebook(HELPER.replace("1", "§")) + "from ops import Op\npipeline = [Op()]",
    ),
]

ALL = [*SET_BEFORE_THE_RUN, *BETWEEN_TWO_RUNS, *REDEFINED, *WITHOUT_SOURCE, *RESTARTED]
