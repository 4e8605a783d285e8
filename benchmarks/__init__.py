"""How fast the engines are, beside others on the same machine: `python -m benchmarks`, or all of it by `make bench`."""
