"""``python -m dataflow_ext``: the command ``rowsmith``, also where it is not on the PATH."""

import sys

from dataflow_ext.commands import main

if __name__ == "__main__":
    sys.exit(main())
