# Two commands do everything on a machine with Python, pip and make: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIN := ../$(BIN)/pip-compile --quiet --upgrade --generate-hashes --strip-extras --no-emit-index-url --no-emit-find-links --no-header

.PHONY: help install dev demo test package test-browser notebooks docs verify fuzz coverage uncompiled oldest lint format type bench audit lock clean

help:  ## List the targets.
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(BIN)/red7sim: pyproject.toml requirements/run.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/run.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

$(VENV)/.dev: requirements/dev.txt $(BIN)/red7sim
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@touch $@

$(VENV)/.notebooks: requirements/notebooks.txt $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/notebooks.txt
	@touch $@

$(VENV)/.docs: requirements/docs.txt $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/docs.txt
	@touch $@

$(VENV)/.audit: requirements/audit.txt $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/audit.txt
	@touch $@

install: $(BIN)/red7sim  ## Create .venv with the red7sim command.

dev: $(VENV)/.dev  ## Add what tests and checks need.

demo: install  ## Play 1,000,000 three-player games and print who wins.
	$(BIN)/red7sim simulate --players 3 --games 1_000_000

test: dev  ## Run the tests.
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

package: dev  ## Build the wheel and try it in an empty environment.
	$(BIN)/python -m pytest -m package tests/package

test-browser: dev  ## Drive a report in headless Chromium, where there is one or apt-get can install it.
	tests/browser/get_chromium.sh
	$(BIN)/python -m pytest -m browser tests/browser

notebooks: $(VENV)/.notebooks  ## Run the notebooks and compare what they print with what is kept in them.
	$(BIN)/python -m pytest -m notebooks tests/notebooks

docs: $(VENV)/.docs  ## Build the documentation into build/site and check it.
	$(BIN)/python docs/generate.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	$(BIN)/python -m pytest -m docs tests/docs

verify: dev  ## Run the long comparisons and the statistical checks too.
	$(BIN)/python -m pytest -m "slow or verification"

fuzz: dev  ## Try 100,000 inputs of each kind; takes some hours.
	$(BIN)/python -m pytest -n auto --hypothesis-profile fuzz tests/fuzz

coverage: dev  ## Run the tests with checks of all bounds, and see that they reach 95 % of the lines outside kernels.
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder --cov --cov-report=term

uncompiled: dev  ## Run the tests of the kernels in plain Python, and see that they reach 95 % of the lines.
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n auto --cov --cov-config=tests/uncompiled.toml --cov-report=term tests/jit tests/game tests/play

oldest:  ## Run the tests with the oldest libraries that are allowed.
	$(PYTHON) -m venv build/oldest
	build/oldest/bin/python requirements/oldest.py > build/oldest/constraints.txt
	build/oldest/bin/python -m pip install --quiet --disable-pip-version-check --constraint build/oldest/constraints.txt --editable '.[dev]'
	build/oldest/bin/python -m pytest -n auto --dist loadfile --no-loadscope-reorder -W ignore::DeprecationWarning --deselect tests/show/test_reference_images.py

lint: dev  ## Check style and formatting.
	$(BIN)/ruff check
	$(BIN)/ruff format --check

format: dev  ## Format the code.
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

type: dev  ## Check types.
	$(BIN)/mypy

bench: dev  ## Print the speed of every workload (REFERENCE=DIR adds ratios to the C programs there).
	$(BIN)/python benchmarks/compare.py $(if $(REFERENCE),--reference $(REFERENCE))

audit: $(VENV)/.audit  ## Look up known weaknesses of all pinned versions (asks PyPI).
	$(BIN)/pip-audit --strict --disable-pip --require-hashes $(patsubst %,-r %,$(wildcard requirements/*.txt))

lock: $(BIN)/python  ## Pin the versions in requirements/ anew; run it with the oldest Python that shall install them.
	$(BIN)/python -m pip install --quiet --disable-pip-version-check pip-tools hatchling
	cd requirements && $(PIN) --output-file run.txt ../pyproject.toml
	cd requirements && $(PIN) --allow-unsafe --extra dev --constraint run.txt --output-file dev.txt ../pyproject.toml
	cd requirements && $(PIN) --allow-unsafe --extra notebooks --constraint run.txt --constraint dev.txt --output-file notebooks.txt ../pyproject.toml
	cd requirements && $(PIN) --allow-unsafe --extra audit --constraint run.txt --constraint dev.txt --output-file audit.txt ../pyproject.toml
	cd requirements && $(PIN) --allow-unsafe --extra docs --constraint run.txt --constraint dev.txt --constraint notebooks.txt --output-file docs.txt ../pyproject.toml

clean:  ## Remove the environment and all caches.
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks .coverage build dist
