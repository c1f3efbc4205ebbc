"""How much of the abuse is done: the short form that CI takes, or with ABUSE=long all of it."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LONG = os.environ.get("ABUSE") == "long"
