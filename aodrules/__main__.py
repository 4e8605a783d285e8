"""Run the command line: `python -m aodrules`."""

from aodrules.cli.main import main

main()
