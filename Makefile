# Everything a fresh machine needs is Python 3.11 or newer, and make.
PYTHON ?= python3
# Trust what the system trusts: many companies sign their own traffic.
export UV_SYSTEM_CERTS ?= 1
# Keep what Python has compiled, whatever the machine says: without, every process starts twice as slowly.
export PYTHONDONTWRITEBYTECODE :=
BIN := .venv/bin
UV := $(BIN)/uv
INSTALL := $(UV) pip install --quiet --python $(BIN)/python --constraint constraints.txt
EXTRAS := server postgres channels openai otel
NPM := $(BIN)/python console/npm.py
# npm writes it last.
MODULES := console/node_modules/.package-lock.json
# More than there are processors: tests mostly wait for a process, a database or a browser.
WORKERS ?= 4
PYTEST := $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadgroup --no-loadscope-reorder
SIDE_BY_SIDE := $(BIN)/python -m tests.everything $(MAKE) --no-print-directory

.DEFAULT_GOAL := help
.PHONY: help demo test quick checks changed lint typecheck components unit browser chaos bench docs screenshots constraints clean installed developed packages node coverage hooks upstream

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  \033[1m%-12s\033[0m %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: installed ## Start the service with the built-in agent, and open it
	@$(BIN)/handraise demo $(ARGS)

test: developed ## Run every check and every test; FOLDER=tests/store runs the tests of a folder or a file alone
	@$(BIN)/python tests/obtain_browser.py
ifdef FOLDER
	$(PYTEST) $(FOLDER)
else
	@$(SIDE_BY_SIDE) checks -- $(PYTEST)
endif

quick: developed ## While you work: style, types, and the tests that need no database, browser or process
	@$(SIDE_BY_SIDE) changed -- $(PYTEST) --numprocesses 2 --quick

checks: lint typecheck components

changed: developed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/mypy
	@base=$$(git merge-base HEAD '@{upstream}' 2>/dev/null || echo HEAD); \
	if git diff --quiet $$base -- console && [ -z "$$(git ls-files --others --exclude-standard console)" ]; then \
		echo "Nothing has changed in the console."; \
	else \
		$(NPM) run --silent lint && $(NPM) run --silent typecheck && $(NPM) run --silent test -- --changed $$base; \
	fi

lint: developed ## Check style and the dependency rule
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache
	$(NPM) run --silent lint
	$(NPM) run --silent format:check

typecheck: developed ## Check types, in Python and in TypeScript
	$(BIN)/mypy
	$(NPM) run --silent typecheck

components: developed ## Run the tests of the console's parts
	$(NPM) run --silent test

unit: developed ## Run every Python test that needs no browser
	$(PYTEST) --ignore tests/console --ignore tests/walks

browser: developed ## Run the tests that drive a real browser; fetches one if there is none
	@$(BIN)/python tests/obtain_browser.py
	$(PYTEST) tests/console tests/walks

coverage: developed ## Run the tests of unit, and say which lines no test reaches
	$(PYTEST) --ignore tests/console --ignore tests/walks --cov --cov-report term:skip-covered --cov-report xml

# An environment of its own, since no versions of ours hold in it.
UPSTREAM := .venv-$(RESOLUTION)
NEWEST_OR_LOWEST := $(if $(filter lowest,$(RESOLUTION)),--resolution lowest-direct,--upgrade)
upstream: $(UV) ## Test against the lowest or the newest versions that the bounds allow: RESOLUTION=lowest or newest
	@$(if $(filter lowest newest,$(RESOLUTION)),,$(error Say which: make upstream RESOLUTION=lowest, or RESOLUTION=newest))
	@$(UV) venv --quiet --clear --python $(BIN)/python $(UPSTREAM)
	@$(UV) pip install --quiet --python $(UPSTREAM)/bin/python $(NEWEST_OR_LOWEST) --editable '.[server,postgres,channels,openai,otel]'
	@$(UV) pip install --quiet --python $(UPSTREAM)/bin/python --group dev
	$(UPSTREAM)/bin/python -m pytest --numprocesses $(WORKERS) --dist loadgroup tests/core tests/dialects tests/agents tests/engine $(ARGS)

hooks: developed ## Let git run the quick checks before each commit
	@$(BIN)/pre-commit install

chaos: developed ## The long part of the engine's proof: kills, freezes and races; SEEDS=300 MINUTES=40
	$(BIN)/python -m tests.engine.chaos

bench: developed ## Measure: speed as ratios, side by side in one run
	@for file in benchmarks/*.py; do echo "== $$file"; $(BIN)/python $$file || exit 1; done

docs: developed ## Print again what the docs take from the code
	$(BIN)/handraise openapi > docs/openapi.json
	$(NPM) run --silent generate
	$(BIN)/python -m handraise.core.states > docs/states.md
	@for file in docs/print_*.py; do [ ! -f "$$file" ] || $(BIN)/python $$file || exit 1; done

screenshots: developed ## Take the pictures of the main pages again
	@$(BIN)/python tests/obtain_browser.py
	$(BIN)/python docs/take_screenshots.py

constraints: $(UV) ## Resolve the versions in constraints.txt again
	$(UV) pip compile --quiet --universal --python-version 3.11 --all-extras --group dev --no-annotate --no-header \
		--upgrade --output-file constraints.txt pyproject.toml

clean: ## Remove what was installed and built
	rm -rf .venv .venv-* console/node_modules src/handraise/service/static .mypy_cache .ruff_cache .pytest_cache .hypothesis

installed: $(UV)
	@$(INSTALL) --editable '.[server]'

# What Python needs and what the console needs come at the same time; then the package itself, which builds the console.
developed:
	@$(MAKE) --no-print-directory --silent --jobs 2 packages $(MODULES) NODE="$$($(PYTHON) console/npm.py --requirements)"
	@$(INSTALL) --no-deps --editable .

packages: $(UV)
	@$(INSTALL) --requirement pyproject.toml $(foreach extra,$(EXTRAS),--extra $(extra)) --group dev

$(MODULES): console/package-lock.json $(if $(NODE),node)
	@$(if $(NODE),$(BIN)/python,$(PYTHON)) console/npm.py ci --no-audit --no-fund

node: $(UV)
	@$(INSTALL) $(NODE)

$(UV):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Handraise needs Python 3.11 or newer; name one with: make PYTHON=python3.12"; exit 2; }
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check 'uv>=0.8,<1'
