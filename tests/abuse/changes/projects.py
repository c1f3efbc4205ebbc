"""A user's project in a folder: modules, a script that runs a pipeline with a memory, and the change between runs."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent

from tests.abuse.settings import LONG, ROOT

MARK = "§"
"""Stands in a project's files where the two versions differ: 1 in the first, 2 in the second."""

OPERATOR = """
{imports}
from dataflow_ext import RowOperator


class Op(RowOperator):
    \"\"\"A text and what is put behind it.\"\"\"

    inputs = {{"text": str}}
    outputs = {{"out": str}}
{members}

    def row(self, text: str) -> dict[str, str]:
        return {{"out": {value}}}
"""

SCRIPT = """
import json
from dataflow_ext import run

{make}

def go():
    result = run(pipeline, [{{"text": "a"}}], cache_dir="memory"{run})
    values = result.table["out"].to_pylist() if "out" in result.table.column_names else []
    values += result.rejects["message"].to_pylist()
    print(json.dumps([values, [step.remembered for step in result.report.steps]]))

{body}
"""

ONE_OPERATOR = "from ops import Op\npipeline = [Op()]"


def operator(value: str, imports: str = "", members: str = "") -> str:
    """The text of a module with one operator, whose row gives ``value``."""
    members = "\n".join("    " + line if line else "" for line in dedent(members).strip().splitlines())
    return OPERATOR.format(imports=dedent(imports).strip(), members=members, value=value)


@dataclass(frozen=True)
class Kind:
    """One kind of change: a project in two versions.

    ``value``, ``imports`` and ``members`` make ``ops.py`` unless ``files`` has it; ``make`` is the script's part that
    makes ``pipeline``. With ``between`` both versions are of one process: the lines are done between the two runs.
    """

    name: str
    value: str = "text + SUFFIX"
    imports: str = ""
    members: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    make: str = ONE_OPERATOR
    between: str = ""
    run: str = ""
    before: tuple[str, ...] = ("a1",)
    after: tuple[str, ...] = ("a2",)
    arguments: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    path: tuple[str, ...] = ()
    provable: bool = True
    """Whether one may ask that the project is remembered when nothing has changed."""

    def texts(self, version: str) -> dict[str, str]:
        """The project's files in this version."""
        body = "go()" if not self.between else f"go()\ngo()\n{dedent(self.between).strip()}\ngo()"
        files = {"ops.py": operator(self.value, self.imports, self.members)}
        files["main.py"] = SCRIPT.format(make=dedent(self.make).strip(), body=body, run=self.run)
        files["twice.py"] = files["main.py"] + "go()\n"
        files |= {name: dedent(text).lstrip("\n") for name, text in self.files.items()}
        return {name.replace(MARK, version): text.replace(MARK, version) for name, text in files.items()}


class Project:
    """A folder with a project, and its runs."""

    def __init__(self, folder: Path, server: "ForkServer") -> None:
        self.folder = folder
        self.server = server
        self.written: set[str] = set()

    def write(self, texts: Mapping[str, str]) -> None:
        """Make the folder hold these files, as an editor would: what is the same stays untouched."""
        for name in self.written - texts.keys():
            (self.folder / name).unlink()
        for name, text in texts.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                path.write_text(text, encoding="utf-8")
        self.written = set(texts)

    def run(self, kind: Kind, version: str = "1", **changed: object) -> list[tuple[tuple[str, ...], list[bool]]]:
        """The values and what was remembered, of each run that the script makes."""
        job = {
            "cwd": str(self.folder),
            "folder": str(self.folder),
            "script": "main.py",
            "arguments": [argument.replace(MARK, version) for argument in kind.arguments],
            "environment": {name: value.replace(MARK, version) for name, value in kind.environment.items()},
            "path": [str(self.folder / name) for name in kind.path],
        } | changed
        text = self.server.run(job)
        return [(tuple(values), remembered) for values, remembered in map(json.loads, text.splitlines())]


class ForkServer:
    """Runs scripts in processes of their own; in the long form each is a fresh start of Python."""

    def __init__(self, folder: Path) -> None:
        self.log = str(folder / "log")
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
        environment["XDG_CACHE_HOME"] = str(folder / "cache")
        self.environment = {k: v for k, v in environment.items() if k != "PYTHONHASHSEED"}
        script = Path(__file__).with_name("fork_server.py")
        command = [sys.executable, str(script)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=self.environment
        )

    def run(self, job: dict[str, object]) -> str:
        """What the script wrote; a script that fails fails the test."""
        fresh = job.pop("fresh", LONG)
        code, out, err = self.start(job) if fresh else self.fork(job)
        assert code == 0, f"the script ended with {code}:\n{err}"
        return out

    def fork(self, job: dict[str, object]) -> tuple[int, str, str]:
        print(json.dumps({**job, "log": self.log}), file=self.process.stdin, flush=True)
        code = json.loads(self.process.stdout.readline())["code"]
        return code, *(Path(self.log + end).read_text(encoding="utf-8") for end in (".out", ".err"))

    def start(self, job: dict[str, object]) -> tuple[int, str, str]:
        path = os.pathsep.join([*job["path"], str(ROOT)])
        environment = {**self.environment, **job["environment"], "PYTHONPATH": path}
        command = [sys.executable, str(Path(job["folder"]) / job["script"]), *job["arguments"]]
        done = subprocess.run(command, cwd=job["cwd"], env=environment, capture_output=True, text=True, timeout=120)
        return done.returncode, done.stdout, done.stderr

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait(timeout=30)
        self.process.stdout.close()
