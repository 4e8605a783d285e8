"""The bench as a script: `aodrules bench` by another name."""

from __future__ import annotations

import sys

from aodrules.cli.main import run

if __name__ == "__main__":
    sys.exit(run(["bench", *sys.argv[1:]]))
