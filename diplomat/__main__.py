"""``python -m diplomat`` is the command line."""

import sys

from diplomat.cli import main

if __name__ == "__main__":
    sys.exit(main())
