"""Puts MinerU 4 into an environment of its own, for the tests here: ``python tests/mineru/install.py``.

About 820 MB, once. Its flash tier reads PDFs with a text layer and needs no models, so nothing else is
fetched.
"""

from __future__ import annotations

import os
import subprocess
import venv
from pathlib import Path

WANTED = "mineru>=4,<5"


def folder() -> Path:
    """Where the environment is: ``$MINERU_ENV``, or a folder in the user's cache."""
    return Path(os.environ.get("MINERU_ENV") or Path.home() / ".cache" / "rowsmith-mineru")


def command(name: str) -> Path:
    """The path of one of its commands."""
    return folder() / ("Scripts" if os.name == "nt" else "bin") / name


def main() -> None:
    """Make what is missing."""
    if command("mineru-kit").exists():
        print(f"MinerU is in {folder()} already.")
        return
    print(f"Installing {WANTED} into {folder()}; this takes some minutes.")
    venv.create(folder(), with_pip=True)
    pip = [str(command("python")), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, WANTED], check=True)


if __name__ == "__main__":
    main()
