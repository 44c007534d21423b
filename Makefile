# The targets that a newcomer needs are demo and test; each sets itself up.
.DEFAULT_GOAL := help
.PHONY: help demo test soak hunt check format lint types imports docs picture wheel bench clean

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# Many tests start processes; without bytecode each of them compiles the package anew.
unexport PYTHONDONTWRITEBYTECODE
SITE_READY := $(VENV)/.site-ready

help: ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | expand -t 12

SOURCES := $(addprefix mnemolog/,ledger/sealing.cpp ledger/sha256.hpp indexes/codes.cpp indexes/mapping.cpp)

$(READY): pyproject.toml $(SOURCES)
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12 …")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --editable . --group dev
	touch $@

demo: $(READY) ## set up, then run the main job on this repository's own history
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python demo.py

# Tests open thousands of homes: where memory has room for their files, none waits for a disk.
ROOM := $(shell df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 4000000 { print "TMPDIR=/dev/shm" }')

test: $(READY) ## set up, then run the tests (about ten minutes)
	$(ROOM) OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -q -n 3 --dist worksteal $(COVERAGE)

soak: $(READY) ## the long fault and property runs
	MNEMOLOG_SOAK=1 HYPOTHESIS_PROFILE=soak $(BIN)/python -m pytest -q -n 2 tests/faults tests/laws tests/redaction tests/household $(SAMPLED)

hunt: $(READY) ## all tests by a new seed and many new examples, for hours: finds what nobody has met
	MNEMOLOG_SEED=$${MNEMOLOG_SEED:-$$(date +%s)} MNEMOLOG_SOAK=1 HYPOTHESIS_PROFILE=hunt \
		$(BIN)/python -m pytest -q -n 2

# `make check` runs the same tests as `make test`, once, and measures what they cover.
check: COVERAGE := --cov --cov-report=term --cov-fail-under=90
# Of the failing system calls it tries the sample of `make test`: all of them take a quarter of an hour.
check: SAMPLED := --ignore=tests/faults/test_system_calls.py
check: format lint types imports test soak docs demo wheel ## all of what CI runs, in its order

format: $(READY) ## is the code formatted
	$(BIN)/ruff format --check .

lint: $(READY) ## every rule of ruff, exceptions justified in pyproject.toml
	$(BIN)/ruff check .

types: $(READY) ## mypy, strict
	$(BIN)/mypy

imports: $(READY) ## imports point down only
	$(BIN)/lint-imports

$(SITE_READY): $(READY)
	$(BIN)/python -m pip install --quiet --group docs
	touch $@

docs: $(SITE_READY) ## build the documents as a site in build/site; a broken link fails
	$(BIN)/zensical build --strict --clean

picture: $(READY) ## draw docs/assets/session.svg from a real run of the commands in it
	$(BIN)/python docs/picture.py

wheel: $(READY) ## build the wheel, use it in a fresh environment, and check types against it
	$(BIN)/python -m pytest -q tests/packaging/wheel.py

bench: $(READY) ## the benchmarks that need no data of yours
	$(BIN)/python -m benchmarks

clean: ## remove what the targets made
	rm -rf $(VENV) build dist .demo .coverage* *.egg-info
