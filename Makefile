# Every chore of the project. `make demo` and `make test` need only Python 3.11 or later and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed
STAMP := $(VENV)/ready
INSTALL := $(BIN)/python -m pip install --quiet
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Tests, demo and bench start many processes; each should find compiled modules, as installed ones are.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo quick unit test style typing lint soak data bench docs clean mutation

# Show a game of bots at a few moments, a house rule and what it changes, the score sheet, and what to try next; meanwhile
# every shipped document is checked, which is told in the last line.
demo: $(INSTALLED)
	@$(BIN)/aodrules check --shipped --format short 2> /dev/null & check=$$!; $(BIN)/aodrules demo && wait $$check

# What to run after every change: about a minute on two cores. It leaves to `make test` whatever is marked as slow, and
# the folders of tests that play the large game or try the tools.
quick: lint unit

LONG := authoring bots content docs editor games properties simulate terminal testing
unit: $(STAMP)
	$(BIN)/pytest -n 2 -m "not soak and not slow" $(LONG:%=--ignore=tests/%)

# Everything that must hold before a change lands.
test: lint
	$(BIN)/pytest -n 2 --hypothesis-profile=ci

lint: style typing

style: $(STAMP)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/aodrules fmt --check content variants tests/games

typing: $(STAMP)
	$(BIN)/mypy

# The long form of what `make test` samples.
soak: $(STAMP)
	$(BIN)/pytest -n 2 --hypothesis-profile=nightly -m "soak or not soak"

# Make recorded games and counts of legal sequences anew; review the difference.
data: $(STAMP)
	$(BIN)/python -m tests.content.recording

# Ours beside other engines. boardgame.io is measured where there is Node; without it the bench says so.
bench: $(VENV)/ready-bench
	if command -v npm > /dev/null; then npm install --silent --no-audit --no-fund --no-package-lock --prefix benchmarks/boardgame || true; fi
	$(BIN)/python -m benchmarks

# Change the rules one place at a time: how much do their scenarios and properties notice?
mutation: $(STAMP)
	$(BIN)/aodrules mutate empires --sample 400 --state .mutation.jsonl --exclusions tests/content/exclusions.yaml --at-least 90
	$(BIN)/aodrules mutate tempus --sample 400 --games 0 --state .mutation-tempus.jsonl --exclusions tests/content/tempus/exclusions.yaml --at-least 95
	$(BIN)/aodrules mutate ages --sample 400 --games 0 --state .mutation-ages.jsonl --exclusions tests/content/ages/exclusions.yaml --at-least 90

docs: $(VENV)/ready-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

clean:
	rm -rf $(VENV) .venv-* .cache .mutation*.jsonl .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage .coverage.* build dist site
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Set-up, redone when pyproject.toml changes. The build backend is installed first and builds without isolation, so that a
# repeated set-up, and the test that builds the wheel, need no network. The demo needs only the package itself.
$(INSTALLED): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(INSTALL) hatchling editables
	$(INSTALL) --no-build-isolation --editable .
	touch $@

$(STAMP): $(INSTALLED)
	$(INSTALL) --no-build-isolation --editable '.[test,dev]'
	touch $@

$(VENV)/ready-%: $(STAMP)
	$(INSTALL) --no-build-isolation --editable '.[$*]'
	touch $@
