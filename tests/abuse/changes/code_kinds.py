"""Changes of code, constants and files that an operator's module leads to, between two starts of a script."""

from tests.abuse.changes.projects import Kind, operator

HELPER = "def helper(text):\n    return text + '§'\n"

ELSEWHERE = [
    Kind("the operator's own row", value="text + '§'"),
    Kind("a helper in the operator's module", "helper(text)", imports=HELPER),
    Kind("a helper in another module", "helper(text)", "from helpers import helper", files={"helpers.py": HELPER}),
    Kind("a helper reached through its module", "helpers.helper(text)", "import helpers", files={"helpers.py": HELPER}),
    Kind("a helper under another name", "h.helper(text)", "import helpers as h", files={"helpers.py": HELPER}),
    Kind(
        "a constant in another module", imports="from constants import SUFFIX", files={"constants.py": "SUFFIX = '§'"}
    ),
    Kind("a constant of a module", "text + c.SUFFIX", "import constants as c", files={"constants.py": "SUFFIX = '§'"}),
    Kind(
        "a helper of a helper, two modules away",
        "middle.helper(text)",
        "import middle",
        files={"middle.py": "import far\ndef helper(text):\n    return far.helper(text)\n", "far.py": HELPER},
    ),
    Kind(
        "a module that only a loop of modules reaches",
        "one.helper(text)",
        "import one",
        files={
            "one.py": "import two\ndef helper(text):\n    return two.helper(text)\n",
            "two.py": "import one\nimport three\ndef helper(text):\n    return three.helper(text)\n",
            "three.py": HELPER,
        },
    ),
    Kind(
        "what a package's first file takes from elsewhere",
        "helper(text)",
        "from tools import helper",
        files={"tools/__init__.py": "from tools.inner import helper\n", "tools/inner.py": HELPER},
    ),
    Kind(
        "a module of a package below",
        "deep.helper(text)",
        "import tools.more.deep as deep",
        files={"tools/__init__.py": "", "tools/more/__init__.py": "", "tools/more/deep.py": HELPER},
    ),
    Kind(
        "a relative import",
        make="from project.ops import Op\npipeline = [Op()]",
        files={
            "project/__init__.py": "",
            "project/ops.py": operator("helper(text)", "from .helpers import helper"),
            "project/helpers.py": HELPER,
        },
    ),
    Kind(
        "a relative import two floors up",
        make="from project.steps.ops import Op\npipeline = [Op()]",
        files={
            "project/__init__.py": "",
            "project/steps/__init__.py": "",
            "project/steps/ops.py": operator("helper(text)", "from ..helpers import helper"),
            "project/helpers.py": HELPER,
        },
    ),
    Kind(
        "a module of a namespace package",
        "helper(text)",
        "from space.helpers import helper",
        files={"space/helpers.py": HELPER},
    ),
    Kind("everything of a module", "helper(text)", "from helpers import *", files={"helpers.py": HELPER}),
    Kind(
        "everything of a module that takes everything of another",
        "helper(text)",
        "from helpers import *",
        files={"helpers.py": "from more import *\n", "more.py": HELPER},
    ),
    Kind(
        "an import inside the row",
        "self.helped(text)",
        members="""
            def helped(self, text):
                from helpers import helper
                return helper(text)
            """,
        files={"helpers.py": HELPER},
    ),
    Kind(
        "an import inside a helper of another module",
        "helper(text)",
        "from helpers import helper",
        files={"helpers.py": "def helper(text):\n    import far\n    return far.helper(text)\n", "far.py": HELPER},
    ),
    Kind(
        "a module imported by its name as text",
        "importlib.import_module('helpers').helper(text)",
        "import importlib",
        files={"helpers.py": HELPER},
        provable=False,
    ),
    Kind(
        "a helper taken by its name as text",
        "getattr(helpers, 'hel' + 'per')(text)",
        "import helpers",
        files={"helpers.py": HELPER},
    ),
    Kind(
        "which of two modules is imported",
        "helper(text)",
        imports="""
            from flags import NEW
            if NEW == 2:
                from new import helper
            else:
                from old import helper
            """,
        files={
            "flags.py": "NEW = §",
            "old.py": "def helper(text):\n    return text + '1'\n",
            "new.py": "def helper(text):\n    return text + '2'\n",
        },
    ),
    Kind(
        "a module that was not there before",
        "helper(text)",
        imports="""
            try:
                from fast2 import helper
            except ImportError:
                from slow import helper
            """,
        files={
            "fast§.py": "def helper(text):\n    return text + '2'\n",
            "slow.py": "def helper(text):\n    return text + '1'\n",
        },
    ),
    Kind(
        "text that is evaluated",
        "eval(CODE)",
        "from constants import CODE",
        files={"constants.py": "CODE = \"text + '§'\"\n"},
        provable=False,
    ),
    Kind(
        "a helper of a script that is no module",
        make=operator("helper(text)", HELPER) + "\npipeline = [Op()]",
    ),
    Kind(
        "a constant of the script, reached by the operator's module",
        "text + __main__.SUFFIX",
        "import __main__",
        make="SUFFIX = '§'\nfrom ops import Op\npipeline = [Op()]",
    ),
]

CLASSES = [
    Kind(
        "a base class in another module",
        make="from ops import Op\npipeline = [Op()]",
        files={
            "ops.py": "from bases import Base\nclass Op(Base):\n    pass\n",
            "bases.py": operator("text + '§'").replace("class Op", "class Base"),
        },
    ),
    Kind(
        "a base class two levels up",
        files={
            "ops.py": "from bases import Base\nclass Op(Base):\n    pass\n",
            "bases.py": "from roots import Root\nclass Base(Root):\n    pass\n",
            "roots.py": operator("text + '§'").replace("class Op", "class Root"),
        },
    ),
    Kind(
        "a method that is called through super",
        files={
            "ops.py": """
                from bases import Base
                class Op(Base):
                    def row(self, text: str) -> dict[str, str]:
                        return super().row(text)
                """,
            "bases.py": operator("text + '§'").replace("class Op", "class Base"),
        },
    ),
    Kind(
        "a mixin",
        files={
            "ops.py": operator("self.mixed(text)", "from mixins import Mixin").replace("(RowOp", "(Mixin, RowOp"),
            "mixins.py": "class Mixin:\n    def mixed(self, text):\n        return text + '§'\n",
        },
    ),
    Kind(
        "the order of two bases",
        files={
            "ops.py": operator("self.mixed(text)", "from mixins import First, Second").replace(
                "(RowOp", "(First, RowOp"
            ),
            "mixins.py": """
                class One:
                    def mixed(self, text):
                        return text + "1"
                class Two:
                    def mixed(self, text):
                        return text + "2"
                class Second:
                    pass
                class First({"1": One, "2": Two}["§"]):
                    pass
                """,
        },
    ),
    Kind(
        "a subclass of a library operator",
        make="from ops import Op\npipeline = [Op()]",
        files={
            "ops.py": """
                from operators import LetterBalancer
                from helpers import change
                class Op(LetterBalancer):
                    inputs = {"text": str}
                    outputs = {"out": str}
                    rows = "same"
                    def batch(self, table):
                        return change(table)
                """,
            "helpers.py": """
                import pyarrow as pa
                from dataflow_ext import Made
                def change(table):
                    return Made({"out": pa.array([text + "§" for text in table["text"].to_pylist()])})
                """,
        },
    ),
    Kind(
        "a property of a base class",
        "text + self.suffix",
        files={
            "ops.py": operator("text + self.suffix", "from bases import Base").replace("(RowOp", "(Base, RowOp"),
            "bases.py": "class Base:\n    @property\n    def suffix(self):\n        return '§'\n",
        },
    ),
    Kind("a property", "text + self.suffix", members="@property\ndef suffix(self):\n    return '§'\n"),
    Kind(
        "a property whose getter is in another module",
        "text + self.suffix",
        "from helpers import suffix_of",
        "suffix = property(suffix_of)",
        files={"helpers.py": "def suffix_of(self):\n    return '§'\n"},
    ),
    Kind("a classmethod", "self.put(text)", members="@classmethod\ndef put(cls, text):\n    return text + '§'\n"),
    Kind(
        "a staticmethod of a class in another module",
        "Helper.put(text)",
        "from helpers import Helper",
        files={
            "helpers.py": "class Helper:\n    @staticmethod\n    def put(text):\n        return text + '§'\n",
        },
    ),
    Kind(
        "a classmethod of a base class in another module",
        "Helper.put(text)",
        "from helpers import Helper",
        files={
            "helpers.py": "from far import Base\nclass Helper(Base):\n    pass\n",
            "far.py": "class Base:\n    @classmethod\n    def put(cls, text):\n        return text + '§'\n",
        },
    ),
    Kind(
        "a class variable of a base class",
        "text + self.SUFFIX",
        files={
            "ops.py": operator("text + self.SUFFIX", "from bases import Base").replace("(RowOp", "(Base, RowOp"),
            "bases.py": "class Base:\n    SUFFIX = '§'\n",
        },
    ),
    Kind(
        "a descriptor in another module",
        "text + Helper.suffix",
        "from helpers import Helper",
        files={
            "helpers.py": "from far import Suffix\nclass Helper:\n    suffix = Suffix()\n",
            "far.py": "class Suffix:\n    def __get__(self, instance, owner):\n        return '§'\n",
        },
    ),
    Kind(
        "what __init_subclass__ of a base does",
        "text + self.SUFFIX",
        files={
            "ops.py": operator("text + self.SUFFIX", "from bases import Base").replace("(RowOp", "(Base, RowOp"),
            "bases.py": """
                class Base:
                    def __init_subclass__(cls, **options):
                        super().__init_subclass__(**options)
                        cls.SUFFIX = "§"
                """,
        },
    ),
    Kind(
        "a metaclass of a helper",
        "text + Helper.suffix",
        "from helpers import Helper",
        files={
            "helpers.py": "from far import Meta\nclass Helper(metaclass=Meta):\n    pass\n",
            "far.py": "class Meta(type):\n    @property\n    def suffix(cls):\n        return '§'\n",
        },
    ),
    Kind(
        "a class made by a function of another module",
        make="from makers import operator\npipeline = [operator('§')]",
        files={
            "makers.py": """
                from dataflow_ext import RowOperator
                def operator(suffix):
                    class Made(RowOperator):
                        inputs = {"text": str}
                        outputs = {"out": str}
                        def row(self, text: str) -> dict[str, str]:
                            return {"out": text + suffix}
                    return Made()
                """,
        },
    ),
    Kind(
        "a method of the records of a column",
        make="from ops import Op\npipeline = [Op()]",
        files={
            "ops.py": """
                from dataflow_ext import GroupOperator, Merged
                from keys import KEY, joined
                class Op(GroupOperator):
                    key = KEY
                    inputs = {"text": str}
                    outputs = {"out": str}
                    def group(self, text: list[str]):
                        yield Merged(range(len(text)), {"out": joined(text)})
                """,
            "keys.py": "KEY = ('text',)\ndef joined(texts):\n    return texts[0] + '§'\n",
        },
    ),
]

SHAPES = [
    Kind(
        "a decorator in another module",
        "helper(text)",
        "from decorators import decorated\n@decorated\ndef helper(text):\n    return text\n",
        files={
            "decorators.py": """
                def decorated(function):
                    def inner(text):
                        return function(text) + "§"
                    return inner
                """,
        },
    ),
    Kind(
        "a decorator that names what it wraps",
        "helper(text)",
        "from decorators import decorated\n@decorated\ndef helper(text):\n    return text\n",
        files={
            "decorators.py": """
                import functools
                def decorated(function):
                    @functools.wraps(function)
                    def inner(text):
                        return function(text) + "§"
                    return inner
                """,
        },
    ),
    Kind(
        "a decorator of the row itself",
        files={
            "ops.py": operator("text", "from decorators import decorated").replace(
                "    def row", "    @decorated\n    def row"
            ),
            "decorators.py": """
                import functools
                def decorated(function):
                    @functools.wraps(function)
                    def inner(self, text):
                        return {"out": function(self, text)["out"] + "§"}
                    return inner
                """,
        },
    ),
    Kind(
        "a decorator of the class",
        files={
            "ops.py": operator("text + self.SUFFIX", "from decorators import decorated").replace(
                "class Op", "@decorated\nclass Op"
            ),
            "decorators.py": "def decorated(made):\n    made.SUFFIX = '§'\n    return made\n",
        },
    ),
    Kind(
        "a lambda in a dict of another module",
        "RULES['put'](text)",
        "from rules import RULES",
        files={"rules.py": "RULES = {'put': lambda text: text + '§'}\n"},
    ),
    Kind(
        "two lambdas on one line",
        "RULES[1](text)",
        "from rules import RULES",
        files={"rules.py": "RULES = [lambda text: text, lambda text: text + '§']\n"},
    ),
    Kind(
        "a regular expression of a module",
        "PATTERN.sub('a§', text) if PATTERN.search('x§') else text",
        "from patterns import PATTERN",
        files={"patterns.py": "import re\nPATTERN = re.compile('x§|a')\n"},
    ),
    Kind(
        "a dict of a module",
        "text + SUFFIXES['last']",
        "from tables import SUFFIXES",
        files={"tables.py": "SUFFIXES = {'first': '0', 'last': '§'}\n"},
    ),
    Kind(
        "a list that a loop of a module fills",
        "text + SUFFIXES[-1]",
        "from tables import SUFFIXES",
        files={"tables.py": "SUFFIXES = []\nfor n in range(§ + 1):\n    SUFFIXES.append(str(n))\n"},
    ),
    Kind(
        "a function inside a function",
        "helper(text)",
        "from helpers import helper",
        files={
            "helpers.py": "def helper(text):\n    def inner():\n        return text + '§'\n    return inner()\n",
        },
    ),
    Kind(
        "a generator of another module",
        "''.join(pieces(text))",
        "from helpers import pieces",
        files={"helpers.py": "def pieces(text):\n    yield text\n    yield '§'\n"},
    ),
    Kind(
        "an asynchronous helper of another module",
        files={
            "ops.py": operator("await helper(text)", "from helpers import helper").replace("def row", "async def row"),
            "helpers.py": "async def helper(text):\n    return text + '§'\n",
        },
    ),
    Kind(
        "a helper behind functools.lru_cache",
        "helper(text)",
        "from helpers import helper",
        files={"helpers.py": "import functools\n@functools.lru_cache\n" + HELPER},
    ),
    Kind(
        "what a helper behind functools.cache calls",
        "helper(text)",
        "from helpers import helper",
        files={
            "helpers.py": "import functools, far\n@functools.cache\ndef helper(text):\n    return far.helper(text)\n",
            "far.py": HELPER,
        },
    ),
    Kind(
        "a case of functools.singledispatch in another module",
        "helper(text)",
        "from helpers import helper\nimport cases",
        files={
            "helpers.py": "import functools\n@functools.singledispatch\ndef helper(value):\n    return 'none'\n",
            "cases.py": "from helpers import helper\n@helper.register\ndef _(value: str):\n    return value + '§'\n",
        },
    ),
    Kind(
        "functools.partial in another module",
        "put(text)",
        "from helpers import put",
        files={
            "helpers.py": "import functools\ndef both(text, more):\n    return text + more\nput = functools.partial(both, more='§')\n",
        },
    ),
    Kind(
        "a bound method in another module",
        "put(text)",
        "from helpers import put",
        files={
            "helpers.py": """
                class Putter:
                    def __init__(self, suffix):
                        self.suffix = suffix
                    def put(self, text):
                        return text + self.suffix
                put = Putter("§").put
                """,
        },
    ),
    Kind(
        "functions in a list that a third module made",
        "functools.reduce(lambda text, step: step(text), STEPS, text)",
        "import functools\nfrom steps import STEPS",
        files={
            "steps.py": "from makers import putter\nSTEPS = [str.strip, putter('§')]\n",
            "makers.py": "def putter(suffix):\n    return lambda text: text + suffix\n",
        },
    ),
    Kind(
        "a default argument of a helper, from a third module",
        "helper(text)",
        "from helpers import helper",
        files={
            "helpers.py": "from far import SUFFIX\ndef helper(text, *, suffix=SUFFIX):\n    return text + suffix\n",
            "far.py": "SUFFIX = '§'\n",
        },
    ),
    Kind(
        "__getattr__ of a module",
        "text + helpers.suffix",
        "import helpers",
        files={
            "helpers.py": "def __getattr__(name):\n    if name == 'suffix':\n        return '§'\n    raise AttributeError(name)\n"
        },
    ),
    Kind(
        "a registry that another module fills",
        "REGISTRY['put'](text)",
        "from registry import REGISTRY\nimport plugin",
        files={
            "registry.py": "REGISTRY = {}\n",
            "plugin.py": "from registry import REGISTRY\ndef put(text):\n    return text + '§'\nREGISTRY['put'] = put\n",
        },
    ),
    Kind(
        "the order of two imports, of which the last one counts",
        "REGISTRY['put'](text)",
        "from registry import REGISTRY\nimport order",
        files={
            "registry.py": "REGISTRY = {}\n",
            "order.py": "import p§\nimport p1\nimport p2\n",
            "p1.py": "from registry import REGISTRY\nREGISTRY['put'] = lambda text: text + '2'\n",
            "p2.py": "from registry import REGISTRY\nREGISTRY['put'] = lambda text: text + '1'\n",
        },
    ),
    Kind(
        "a registry that a module filled which only the script imports",
        "REGISTRY['put'](text)",
        "from registry import REGISTRY",
        make="import plugin\nfrom ops import Op\npipeline = [Op()]",
        files={
            "registry.py": "REGISTRY = {}\n",
            "plugin.py": "from registry import REGISTRY\ndef put(text):\n    return text + '§'\nREGISTRY['put'] = put\n",
        },
    ),
    Kind(
        "a type of a constant: 1 is not True",
        "text + str(SUFFIX)",
        "from far import SUFFIX",
        files={"far.py": "SUFFIX = 1 if '§' == '1' else True\n"},
        after=("aTrue",),
    ),
    Kind(
        "a type of a constant: 1 is not 1.0",
        "text + str(SUFFIX)",
        "from far import SUFFIX",
        files={"far.py": "SUFFIX = (1,) if '§' == '1' else (1.0,)\n"},
        before=("a(1,)",),
        after=("a(1.0,)",),
    ),
    Kind(
        "a sign of a constant: 0.0 is not -0.0",
        "text + str(SUFFIX)",
        "from far import SUFFIX",
        files={"far.py": "SUFFIX = 0.0 if '§' == '1' else -0.0\n"},
        before=("a0.0",),
        after=("a-0.0",),
    ),
    Kind(
        "the order of a dict",
        "text + ''.join(SUFFIXES)",
        "from far import SUFFIXES",
        files={"far.py": "SUFFIXES = dict.fromkeys('12' if '§' == '1' else '21')\n"},
        before=("a12",),
        after=("a21",),
    ),
    Kind(
        "a letter in another normal form",
        "text + str(len(WORD))",
        "from far import WORD",
        files={"far.py": "import unicodedata\nWORD = unicodedata.normalize('NFC' if §==1 else 'NFD', 'é')\n"},
    ),
]

FILES = [
    Kind(
        "data of a package, read by importlib.resources in the row",
        "text + resources.files('data').joinpath('suffix.txt').read_text()",
        "from importlib import resources\nimport data",
        files={"data/__init__.py": "", "data/suffix.txt": "§"},
    ),
    Kind(
        "data of a package, read when its module is imported",
        imports="from data.loader import SUFFIX",
        files={
            "data/__init__.py": "",
            "data/suffix.txt": "§",
            "data/loader.py": "from importlib import resources\nSUFFIX = resources.files('data').joinpath('suffix.txt').read_text()\n",
        },
    ),
    Kind(
        "a JSON file beside the module, read when it is imported",
        imports="""
            import json
            from pathlib import Path
            SUFFIX = json.loads(Path(__file__).with_name("suffix.json").read_text())["suffix"]
            """,
        files={"suffix.json": '{"suffix": "§"}'},
    ),
    Kind(
        "a distribution of another version",
        "lib.helper(text)",
        "import lib",
        files={
            "env/lib/python3/site-packages/lib.py": HELPER,
            "env/lib/python3/site-packages/lib-§.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: lib\nVersion: §.0\n",
            "env/lib/python3/site-packages/lib-§.0.dist-info/RECORD": "lib.py,,\nlib-§.0.dist-info/METADATA,,\nlib-§.0.dist-info/RECORD,,\n",
        },
        path=("env/lib/python3/site-packages",),
    ),
    Kind(
        "a distribution that a helper's module imports, of another version",
        "helper(text)",
        "from helpers import helper",
        files={
            "helpers.py": "def helper(text):\n    from lib.inner import put\n    return put(text)\n",
            "env/lib/python3/site-packages/lib/__init__.py": "",
            "env/lib/python3/site-packages/lib/inner.py": "def put(text):\n    return text + '§'\n",
            "env/lib/python3/site-packages/lib-§.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: lib\nVersion: §.0\n",
            "env/lib/python3/site-packages/lib-§.0.dist-info/RECORD": "lib/__init__.py,,\nlib/inner.py,,\nlib-§.0.dist-info/METADATA,,\nlib-§.0.dist-info/RECORD,,\n",
        },
        path=("env/lib/python3/site-packages",),
    ),
]

ALL = [*ELSEWHERE, *CLASSES, *SHAPES, *FILES]
