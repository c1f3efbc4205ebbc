"""Changes behind an operator's options, between two starts of a script."""

from tests.abuse.changes.projects import Kind

CALLABLE = "from collections.abc import Callable"
HOW = {"value": "self.how(text)", "imports": CALLABLE, "members": "how: Callable[[str], str]"}
PATH = {"imports": "from pathlib import Path"}

FUNCTIONS = [
    Kind(
        "a closure's variable",
        **HOW,
        make="from makers import putter\nfrom ops import Op\npipeline = [Op(how=putter('§'))]",
        files={"makers.py": "def putter(suffix):\n    def put(text):\n        return text + suffix\n    return put\n"},
    ),
    Kind(
        "a closure's function in a closure",
        **HOW,
        make="from makers import after, putter\nfrom ops import Op\npipeline = [Op(how=after(putter('§')))]",
        files={
            "makers.py": """
                def putter(suffix):
                    return lambda text: text + suffix
                def after(function):
                    return lambda text: function(text)
                """
        },
    ),
    Kind("a lambda", **HOW, make="from ops import Op\npipeline = [Op(how=lambda text: text + '§')]"),
    Kind(
        "a default argument",
        **HOW,
        make="from ops import Op\ndef put(text, suffix='§'):\n    return text + suffix\npipeline = [Op(how=put)]",
    ),
    Kind(
        "a default that is calculated",
        **HOW,
        make="from ops import Op\nN = §\ndef put(text, suffix=str(N)):\n    return text + suffix\npipeline = [Op(how=put)]",
    ),
    Kind(
        "a function of another module as an option",
        **HOW,
        make="from helpers import put\nfrom ops import Op\npipeline = [Op(how=put)]",
        files={"helpers.py": "import far\ndef put(text):\n    return text + far.SUFFIX\n", "far.py": "SUFFIX = '§'\n"},
    ),
    Kind(
        "functools.partial as an option",
        **HOW,
        make="""
            import functools
            from helpers import put
            from ops import Op
            pipeline = [Op(how=functools.partial(put, suffix="§"))]
            """,
        files={"helpers.py": "def put(text, suffix):\n    return text + suffix\n"},
    ),
    Kind(
        "the function inside functools.partial",
        **HOW,
        make="""
            import functools
            from helpers import put
            from ops import Op
            pipeline = [Op(how=functools.partial(put, suffix=""))]
            """,
        files={"helpers.py": "def put(text, suffix):\n    return text + '§'\n"},
    ),
    Kind(
        "a bound method as an option: the object's state",
        **HOW,
        make="from helpers import Putter\nfrom ops import Op\npipeline = [Op(how=Putter('§').put)]",
        files={
            "helpers.py": """
                class Putter:
                    def __init__(self, suffix):
                        self.suffix = suffix
                    def put(self, text):
                        return text + self.suffix
                """
        },
    ),
    Kind(
        "a bound method as an option: another method that it calls",
        **HOW,
        make="from helpers import Putter\nfrom ops import Op\npipeline = [Op(how=Putter().put)]",
        files={
            "helpers.py": """
                class Putter:
                    def suffix(self):
                        return "§"
                    def put(self, text):
                        return text + self.suffix()
                """
        },
    ),
    Kind(
        "a callable object as an option: its state",
        **HOW,
        make="from helpers import Put\nfrom ops import Op\npipeline = [Op(how=Put('§'))]",
        files={
            "helpers.py": """
                class Put:
                    def __init__(self, suffix):
                        self.inner = {"deep": [suffix]}
                    def __call__(self, text):
                        return text + self.inner["deep"][0]
                """
        },
    ),
    Kind(
        "a callable object as an option: its class",
        **HOW,
        make="from helpers import Put\nfrom ops import Op\npipeline = [Op(how=Put())]",
        files={"helpers.py": "class Put:\n    def __call__(self, text):\n        return text + '§'\n"},
    ),
    Kind(
        "a callable object as an option: slots",
        **HOW,
        make="from helpers import Put\nfrom ops import Op\npipeline = [Op(how=Put('§'))]",
        files={
            "helpers.py": """
                class Put:
                    __slots__ = ("suffix",)
                    def __init__(self, suffix):
                        self.suffix = suffix
                    def __call__(self, text):
                        return text + self.suffix
                """
        },
    ),
    Kind(
        "a callable object as an option that shows the same text always",
        **HOW,
        make="from helpers import Put\nfrom ops import Op\npipeline = [Op(how=Put('§'))]",
        files={
            "helpers.py": """
                class Put:
                    def __init__(self, suffix):
                        self.suffix = suffix
                    def __call__(self, text):
                        return text + self.suffix
                    def __repr__(self):
                        return "Put()"
                    def __eq__(self, other):
                        return True
                    def __hash__(self):
                        return 0
                """
        },
    ),
    Kind(
        "an object that holds itself",
        **HOW,
        make="from helpers import Put\nfrom ops import Op\npipeline = [Op(how=Put('§'))]",
        files={
            "helpers.py": """
                class Put:
                    def __init__(self, suffix):
                        self.suffix, self.me, self.list = suffix, self, []
                        self.list.append(self.list)
                    def __call__(self, text):
                        return text + self.suffix
                """
        },
    ),
    Kind(
        "operator.methodcaller",
        **HOW,
        make="import operator\nfrom ops import Op\npipeline = [Op(how=operator.methodcaller('replace', 'a', 'a§'))]",
        provable=False,
    ),
    Kind(
        "a class as an option",
        "self.kind().put(text)",
        members="kind: type",
        make="from helpers import Put\nfrom ops import Op\npipeline = [Op(kind=Put)]",
        files={"helpers.py": "class Put:\n    def put(self, text):\n        return text + '§'\n"},
    ),
]

VALUES = [
    Kind("a text", "text + self.suffix", members="suffix: str", make="from ops import Op\npipeline = [Op(suffix='§')]"),
    Kind("a default of an option", "text + self.suffix", members="suffix: str = '§'"),
    Kind(
        "a default of an option that another module makes",
        "text + self.suffix",
        "from pydantic import Field\nfrom helpers import made",
        "suffix: str = Field(default_factory=made)",
        files={"helpers.py": "def made():\n    return '§'\n"},
    ),
    Kind(
        "a value of any type: 1 is not True",
        "text + str(self.suffix)",
        "from typing import Any",
        "suffix: Any",
        make="from ops import Op\npipeline = [Op(suffix=1 if '§' == '1' else True)]",
        after=("aTrue",),
    ),
    Kind(
        "an enum's value",
        "text + self.kind.value",
        "from kinds import Suffix",
        "kind: Suffix = Suffix.LAST",
        files={"kinds.py": "from enum import Enum\nclass Suffix(Enum):\n    LAST = '§'\n"},
    ),
    Kind(
        "an enum's method",
        "text + self.kind.suffix()",
        "from kinds import Suffix",
        "kind: Suffix = Suffix.LAST",
        files={
            "kinds.py": "from enum import Enum\nclass Suffix(Enum):\n    LAST = 0\n    def suffix(self):\n        return '§'\n"
        },
    ),
    Kind(
        "a dataclass's field",
        "text + self.settings.suffix",
        "from settings import Settings",
        "settings: Settings",
        make="from ops import Op\nfrom settings import Settings\npipeline = [Op(settings=Settings('§'))]",
        files={"settings.py": "from dataclasses import dataclass\n@dataclass\nclass Settings:\n    suffix: str\n"},
    ),
    Kind(
        "a dataclass's default",
        "text + self.settings.suffix",
        "from settings import Settings",
        "settings: Settings = Settings()",
        files={
            "settings.py": "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass Settings:\n    suffix: str = '§'\n"
        },
    ),
    Kind(
        "a dataclass's field that is neither shown nor compared",
        "text + self.settings.suffix",
        "from settings import Settings",
        "settings: Settings",
        make="from ops import Op\nfrom settings import Settings\npipeline = [Op(settings=Settings('§'))]",
        files={
            "settings.py": """
                from dataclasses import dataclass, field
                @dataclass
                class Settings:
                    suffix: str = field(repr=False, compare=False)
                """
        },
    ),
    Kind(
        "a dataclass's method",
        "text + self.settings.made()",
        "from settings import Settings",
        "settings: Settings",
        make="from ops import Op\nfrom settings import Settings\npipeline = [Op(settings=Settings())]",
        files={
            "settings.py": """
                from dataclasses import dataclass
                @dataclass
                class Settings:
                    number: int = 0
                    def made(self):
                        return "§"
                """
        },
    ),
    Kind(
        "a pydantic model's field",
        "text + self.settings.suffix",
        "from settings import Settings",
        "settings: Settings",
        make="from ops import Op\nfrom settings import Settings\npipeline = [Op(settings=Settings(suffix='§'))]",
        files={"settings.py": "from pydantic import BaseModel\nclass Settings(BaseModel):\n    suffix: str\n"},
    ),
    Kind(
        "a pydantic model's field that is not dumped",
        "text + self.settings.suffix",
        "from settings import Settings",
        "settings: Settings",
        make="from ops import Op\nfrom settings import Settings\npipeline = [Op(settings=Settings(suffix='§'))]",
        files={
            "settings.py": "from pydantic import BaseModel, Field\nclass Settings(BaseModel):\n    suffix: str = Field(exclude=True)\n"
        },
    ),
    Kind(
        "a field of a pydantic model's subclass, nested",
        "text + self.settings.inner[0]['x'].suffix",
        "from settings import Settings",
        "settings: Settings",
        make="""
            from ops import Op
            from settings import Child, Settings
            pipeline = [Op(settings=Settings(inner=[{"x": Child(suffix="§")}]))]
            """,
        files={
            "settings.py": """
                from pydantic import BaseModel
                class Base(BaseModel):
                    pass
                class Child(Base):
                    suffix: str
                class Settings(BaseModel):
                    inner: list[dict[str, Base]]
                """
        },
    ),
    Kind(
        "a computed field of a pydantic model",
        "text + self.settings.suffix",
        "from settings import Settings",
        "settings: Settings = Settings()",
        files={
            "settings.py": """
                from pydantic import BaseModel, computed_field
                class Settings(BaseModel):
                    @computed_field
                    @property
                    def suffix(self) -> str:
                        return made()
                def made():
                    return "§"
                """
        },
    ),
    Kind(
        "a private attribute of a pydantic model",
        "text + self.settings._suffix",
        "from settings import Settings",
        "settings: Settings = Settings()",
        files={
            "settings.py": "from pydantic import BaseModel, PrivateAttr\nclass Settings(BaseModel):\n    _suffix: str = PrivateAttr(default='§')\n"
        },
    ),
    Kind(
        "a pydantic validator of the operator, in another module",
        "text + self.suffix",
        "from typing import Annotated\nfrom pydantic import AfterValidator\nfrom helpers import mended",
        "suffix: Annotated[str, AfterValidator(mended)]",
        make="from ops import Op\npipeline = [Op(suffix='')]",
        files={"helpers.py": "def mended(suffix):\n    return suffix + '§'\n"},
    ),
    Kind(
        "a type alias with a validator, in another module",
        "text + self.suffix",
        "from helpers import Suffix",
        "suffix: Suffix",
        make="from ops import Op\npipeline = [Op(suffix='')]",
        files={
            "helpers.py": """
                from typing import Annotated
                from pydantic import BeforeValidator
                Suffix = Annotated[str, BeforeValidator(lambda suffix: suffix + "§")]
                """
        },
    ),
    Kind(
        "a limit of a column's type, in another module",
        "text",
        files={
            "ops.py": """
                from dataflow_ext import RowOperator
                from records import Record
                class Op(RowOperator):
                    inputs = {"text": str}
                    outputs = {"record": Record}
                    def row(self, text: str) -> dict[str, Record]:
                        return {"record": Record(suffix="x")}
                """,
            "main.py": """
                import json
                from dataflow_ext import run
                from ops import Op
                result = run([Op()], [{"text": "a"}], cache_dir="memory")
                remembered = [step.remembered for step in result.report.steps]
                print(json.dumps([["a" + row["suffix"] for row in result.table["record"].to_pylist()], remembered]))
                """,
            "records.py": """
                from pydantic import BaseModel, field_validator
                class Record(BaseModel):
                    suffix: str
                    @field_validator("suffix")
                    @classmethod
                    def mended(cls, suffix):
                        return "§"
                """,
        },
    ),
    Kind(
        "a named tuple",
        "text + self.pair.suffix",
        "from typing import NamedTuple\nclass Pair(NamedTuple):\n    suffix: str\n",
        "pair: Pair",
        make="from ops import Op, Pair\npipeline = [Op(pair=Pair('§'))]",
    ),
    Kind(
        "what is in a frozenset",
        "text + ''.join(sorted(self.suffixes))",
        members="suffixes: frozenset[str]",
        make="from ops import Op\npipeline = [Op(suffixes=frozenset({'0', '§'}))]",
        before=("a01",),
        after=("a02",),
    ),
    Kind(
        "a regular expression as an option",
        "text + ('1' if self.pattern.match('x1') else '2')",
        "import re",
        "pattern: re.Pattern[str]",
        make="import re\nfrom ops import Op\npipeline = [Op(pattern=re.compile('x§'))]",
    ),
    Kind(
        "an Arrow table as an option",
        "text + self.table['suffix'][0].as_py()",
        "import pyarrow as pa",
        "table: pa.Table",
        make="import pyarrow as pa\nfrom ops import Op\npipeline = [Op(table=pa.table({'suffix': ['§']}))]",
        provable=False,
    ),
    Kind(
        "an operator inside an option",
        "text + self.inner[0].suffix",
        "from dataflow_ext import Operator",
        "inner: list[Operator]",
        make="from ops import Op\nfrom inner import Inner\npipeline = [Op(inner=[Inner(suffix='§')])]",
        files={
            "inner.py": """
                from dataflow_ext import RowOperator
                class Inner(RowOperator):
                    inputs = {"text": str}
                    outputs = {"more": str}
                    suffix: str
                    def row(self, text: str) -> dict[str, str]:
                        return {"more": text}
                """
        },
    ),
]

FILES = [
    Kind(
        "a file that a Path option names",
        "text + self.file.read_text()",
        **PATH,
        members="file: Path",
        make="from pathlib import Path\nfrom ops import Op\npipeline = [Op(file=Path('suffix.txt'))]",
        files={"suffix.txt": "§"},
    ),
    Kind(
        "a file that an option of texts and paths names",
        "text + self.files['one'][0].read_text()",
        **PATH,
        members="files: dict[str, list[Path]]",
        make="from pathlib import Path\nfrom ops import Op\npipeline = [Op(files={'one': [Path('suffix.txt')]})]",
        files={"suffix.txt": "§"},
    ),
    Kind(
        "a file that a dataclass in an option names",
        "text + self.settings.file.read_text()",
        "from settings import Settings",
        "settings: Settings",
        make="""
            from pathlib import Path
            from ops import Op
            from settings import Settings
            pipeline = [Op(settings=Settings(Path("suffix.txt")))]
            """,
        files={
            "suffix.txt": "§",
            "settings.py": "from dataclasses import dataclass\nfrom pathlib import Path\n@dataclass\nclass Settings:\n    file: Path\n",
        },
    ),
    Kind(
        "a file in a folder that a Path option names",
        "text + (self.folder / 'deep' / 'suffix.txt').read_text()",
        **PATH,
        members="folder: Path",
        make="from pathlib import Path\nfrom ops import Op\npipeline = [Op(folder=Path('data'))]",
        files={"data/deep/suffix.txt": "§"},
    ),
    Kind(
        "a new file in a folder that a Path option names",
        "text + str(len(list(self.folder.iterdir())))",
        **PATH,
        members="folder: Path",
        make="from pathlib import Path\nfrom ops import Op\npipeline = [Op(folder=Path('data'))]",
        files={"data/0.txt": "", "data/1.txt": "", "data/§.txt": ""},
        before=("a2",),
        after=("a3",),
    ),
    Kind(
        "a file that was not there when the run began",
        "text + (self.file.read_text() if self.file.exists() else '1')",
        **PATH,
        members="file: Path",
        make="from pathlib import Path\nfrom ops import Op\npipeline = [Op(file=Path('suffix2.txt'))]",
        files={"suffix§.txt": "2"},
    ),
    Kind(
        "a prompt in a folder of the user's",
        "text + self.prompt.text[-1]",
        "from prompts import QAExtractPrompt",
        "prompt: QAExtractPrompt",
        make="""
            from pathlib import Path
            from ops import Op
            from prompts import QAExtractPrompt
            pipeline = [Op(prompt=QAExtractPrompt(folder=Path("my")))]
            """,
        files={"my/qa_extract.md": "Extract §"},
    ),
    Kind(
        "a prompt of a package of the user's",
        "text + self.prompt.text[-1]",
        "from mine import Own",
        "prompt: Own = Own()",
        files={
            "mine/__init__.py": "from dataflow_ext.prompt import Prompt\nclass Own(Prompt):\n    package = 'mine'\n    template = 'own.md'\n",
            "mine/own.md": "Say §",
        },
    ),
    Kind(
        "the code of a prompt's class",
        "text + self.prompt.made()",
        "from mine import Own",
        "prompt: Own = Own()",
        files={
            "mine/__init__.py": """
                from dataflow_ext.prompt import Prompt
                class Own(Prompt):
                    package = "mine"
                    template = "own.md"
                    def made(self):
                        return "§"
                """,
            "mine/own.md": "Say",
        },
    ),
]

NAMED = [
    Kind(
        "a file that depends names",
        "text + open('suffix.txt').read()",
        make="from ops import Op\npipeline = [Op(depends=['suffix.txt'])]",
        files={"suffix.txt": "§"},
    ),
    Kind(
        "a variable that depends names",
        "text + vars(importlib.import_module('settings'))['SUFFIX']",
        "import importlib",
        make="import settings\nfrom ops import Op\npipeline = [Op(depends=['settings.SUFFIX'])]",
        files={"settings.py": "SUFFIX = '§'\n"},
        provable=False,
    ),
    Kind(
        "an environment variable that depends names",
        "text + os.environ['SUFFIX_OF_THE_TEST']",
        "import os",
        make="from ops import Op\npipeline = [Op(depends=['$SUFFIX_OF_THE_TEST'])]",
        environment={"SUFFIX_OF_THE_TEST": "§"},
    ),
]

ASKING = """
from dataflow_ext import RowOperator
from dataflow_ext.models import Model, Request, complete

class Op(RowOperator):
    inputs = {"text": str}
    outputs = {"out": str}
    model: Model

    async def row(self, text: str) -> dict[str, str]:
        return {"out": text + (await complete(self.model, Request(text))).text}
"""

MODELS = [
    Kind(
        "a scripted model's replies",
        make="from dataflow_ext.models import ScriptedModel\nfrom ops import Op\npipeline = [Op(model=ScriptedModel({'a': '§'}))]",
        files={"ops.py": ASKING},
    ),
    Kind(
        "a scripted model's function",
        make="""
            from dataflow_ext.models import ScriptedModel
            from brain import brain
            from ops import Op
            pipeline = [Op(model=ScriptedModel(brain))]
            """,
        files={
            "ops.py": ASKING,
            "brain.py": "def brain(request):\n    return '§'\n",
        },
    ),
    Kind(
        "a parameter of a model of the user's",
        make="from mine import Mine\nfrom ops import Op\npipeline = [Op(model=Mine(§))]",
        files={
            "ops.py": ASKING,
            "mine.py": """
                from dataflow_ext.models import Reply
                class Mine:
                    name = "mine"
                    def __init__(self, temperature):
                        self.temperature = temperature
                    def identity(self):
                        return {"temperature": self.temperature}
                    async def complete(self, request):
                        return Reply(text=str(self.temperature))
                """,
        },
    ),
    Kind(
        "the reply's reader, behind a model's stored reply",
        make="from dataflow_ext.models import ScriptedModel\nfrom ops import Op\npipeline = [Op(model=ScriptedModel({'a': ''}))]",
        files={
            "ops.py": ASKING.replace("Request(text))).text}", "Request(text))).text + read()}").replace(
                "\nfrom dataflow_ext import", "\nfrom reader import read\nfrom dataflow_ext import", 1
            ),
            "reader.py": "def read():\n    return '§'\n",
        },
    ),
]

ALL = [*FUNCTIONS, *VALUES, *FILES, *NAMED, *MODELS]
