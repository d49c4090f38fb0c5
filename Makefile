# Everything runs in .venv, which is made on first use and remade only when pyproject.toml changes:
# a second `make` of anything fetches nothing.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMPS := $(VENV)/.stamps
EXAMPLE := testdata/linalg/conv_layer.mlir

.DEFAULT_GOAL := help
# Two targets that install into one environment at a time would trip over each other.
.NOTPARALLEL:
.PHONY: help demo test test-slow test-all test-one browse lint types check update fuzz fuzz-arith fuzz-edits fuzz-levels fuzz-lsp fuzz-mars fuzz-mutants fuzz-operators fuzz-reader fuzz-rewrites fuzz-run fuzz-small fuzz-stepped fuzz-symbolic fuzz-tries docs bench roundtrip corpus vscode man wheel smoke clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-19s %s\n", $$1, $$2 }'

demo: $(STAMPS)/run ## set everything up and analyse a convolutional layer
	$(BIN)/volcli annotate $(EXAMPLE) -p infer-shapes,sparsity-regions
	@echo 'volcli is $(BIN)/volcli: try $(BIN)/volcli --help' >&2

PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n auto --dist worksteal

test: $(STAMPS)/test ## run the tests that a change needs: the quick ones of every room (a minute)
	$(PYTEST) -m "not slow and not fuzz" $(ARGS)

test-slow: $(STAMPS)/test
	$(PYTEST) -m "slow and not fuzz" $(ARGS)

test-all: test test-slow ## run those and the slow ones (as CI does)

test-one: $(STAMPS)/test ## run the quick tests of ROOM: a dialect, question, command or folder (ROOM=tosa; ARGS='-m ""': all of them)
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m tests.of_room $(ROOM) $(ARGS)

browse: $(STAMPS)/test $(STAMPS)/browse ## pages in Chromium, with axe-core: every control, widths, contrast (needs chromium and npm)
	npm install --silent --no-audit --no-fund --no-package-lock --no-save --prefix $(VENV)/axe axe-core@4
	VOLCLI_AXE=$(abspath $(VENV))/axe/node_modules/axe-core/axe.min.js PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -m "" tests/pages $(ARGS)

lint: $(STAMPS)/lint ## style, and the arrows between rooms
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMPS)/types ## strict type checking of volcli and its dialects
	$(BIN)/basedpyright --pythonpath $(BIN)/python

check: lint types test-all ## everything that CI checks

update: $(STAMPS)/test ## rewrite what is generated: charters, tables, annotated testdata, outputs in documents (ARGS=--generated: without running examples)
	$(BIN)/python tests/update.py $(ARGS)

fuzz: $(STAMPS)/test ## thousands of random programs against brute force, others in each run (takes minutes)
	$(BIN)/python -m pytest -m "fuzz or hypothesis" --hypothesis-profile=random $(ARGS)

fuzz-arith: $(STAMPS)/test ## every integer operation on i1, i4 and i8, all operand pairs, and operations of operations: each answer against all runs (takes 15 minutes)
	$(BIN)/python -m tests.campaigns.arith $(ARGS)

fuzz-levels: $(STAMPS)/test ## hundreds of mutants of arithmetic, none of which may be equal in `diff`, nearly all refuted by a run (ARGS='--compare arithmetic --step 4')
	$(BIN)/python -m tests.campaigns.levels $(ARGS)

fuzz-edits: $(STAMPS)/test ## random edits of repositories, their policies and plug-ins: `check` with a cache, in shards and since a revision against `check` without (ARGS='--projects 40 --seed 0'), and what is told since a baseline
	$(BIN)/python -m tests.campaigns.identity
	$(BIN)/python -m tests.campaigns.fixes
	$(BIN)/python -m tests.campaigns.edits $(ARGS)

fuzz-lsp: $(STAMPS)/test ## random edits of large documents in the language server, with questions: in the end, its findings are those of `check` (ARGS='--documents 2 --edits 500 --seed 0')
	$(BIN)/python -m tests.campaigns.lsp $(ARGS)

fuzz-mutants: $(STAMPS)/test ## seeded errors in the engines, each of which the tests beside it must catch (takes 15 minutes; ARGS='--only NAME')
	$(BIN)/python -m tests.campaigns.mutants $(ARGS)

fuzz-operators: $(STAMPS)/test ## random programs of each operation of tosa and stablehlo against numpy: results, maps, regions, zeros; invalid ones (ARGS='--programs 20 --only convolution', or '--broken 2000')
	$(BIN)/python -m tests.campaigns.operators $(ARGS)

fuzz-tries: $(STAMPS)/test ## mutants of kernels with small, symbolic and large sizes, each of which an execution must tell apart (ARGS='--pairs')
	$(BIN)/python -m tests.campaigns.tries $(ARGS)

fuzz-passes: $(STAMPS)/test ## what passes of mlir-opt make of testdata, by `volcli diff`: equal, different, unknown by reason (ARGS='FILES --only PASS'; needs mlir-22-tools)
	$(BIN)/python -m tests.campaigns.passes $(ARGS)

fuzz-reader: $(STAMPS)/test ## thousands of broken texts and malformed operations, each to be read or refused (ARGS='--inputs 100000 --seed 0')
	$(BIN)/python -m tests.campaigns.reader $(ARGS)

fuzz-rewrites: $(STAMPS)/test ## random programs, executed before and behind partition (ARGS='--programs 3000 --seed 0'; needs mlir-22-tools)
	$(BIN)/python -m tests.campaigns.rewrites $(ARGS)

fuzz-run: $(STAMPS)/test ## random programs of every operation that both execute, by `volcli run` and by mlir-runner (ARGS='--programs 400 --seed 0'; needs mlir-22-tools)
	$(BIN)/python -m tests.campaigns.execution $(ARGS)

fuzz-mars: $(STAMPS)/test ## random programs in tiles, all answers against an enumeration; nests whose arrays are laid out, executed before and after; chains, counts (ARGS='--programs 1500 --allocated 300 --seed 0'; needs mlir-22-tools)
	$(BIN)/python -m tests.campaigns.mars $(ARGS)

fuzz-small: $(STAMPS)/test ## how long each question takes of random functions of few integer operations: the worst ten (ARGS='--programs 2000 --seed 0')
	$(BIN)/python -m tests.campaigns.small $(ARGS)

fuzz-stepped: $(STAMPS)/test ## random nests whose steps are values, tiled and distributed, executed before and after (ARGS='--programs 100 --seed 0')
	$(BIN)/python -m tests.campaigns.stepped $(ARGS)

fuzz-symbolic: $(STAMPS)/test ## random systems with symbolic coefficients, projected and enumerated (ARGS='--programs 1000 --seed 0')
	$(BIN)/python -m tests.campaigns.symbolic $(ARGS)

docs: $(STAMPS)/docs ## build the site, dist/site, which any browser reads from there
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet --strict $(ARGS)

bench: $(STAMPS)/run ## process start, parsing, analysis, and rewritten programs (ARGS=FILES: these, too)
	$(BIN)/python benchmarks/run.py $(ARGS)

roundtrip: $(STAMPS)/run ## is what volcli prints of ARGS=FILES the program that it read? (needs mlir-opt-22)
	$(BIN)/python benchmarks/roundtrip.py $(ARGS)

corpus: $(STAMPS)/run ## what volcli knows of the files in ARGS=PATHS, what not and why, and the time
	$(BIN)/python benchmarks/corpus.py $(ARGS)

vscode: ## build the extension for Visual Studio Code, editors/vscode/volcli-VERSION.vsix (needs node and npm)
	cp LICENSE editors/vscode/LICENSE
	cd editors/vscode && npm install --no-audit --no-fund --no-package-lock && npm run package

man: $(STAMPS)/run ## write the pages for `man` into dist/man: `man -l dist/man/volcli-check.1` (a wheel has them, too)
	$(BIN)/python -m docs.site.manual dist/man

wheel: $(STAMPS)/test ## build dist/volcli-*.whl
	$(BIN)/python -m hatchling build -t wheel -d dist

smoke: $(STAMPS)/test ## wheel and sdist in empty environments of the Pythons that are there: each answers as here (takes minutes; ARGS='python3.12')
	$(BIN)/python -m tests.smoke $(ARGS)

clean: ## remove everything that make made
	rm -rf $(VENV) dist .pytest_cache .ruff_cache .hypothesis
	find volcli dialects tests benchmarks -name __pycache__ -type d -exec rm -rf {} +

$(STAMPS)/venv: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "volcli needs Python 3.11 or newer: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	@mkdir -p $(STAMPS) && touch $@

# One stamp for each extra, so that `make demo` installs no test tools.
$(STAMPS)/run: $(STAMPS)/venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

# All of it at once, for CI: to resolve what is there already takes as long as to install it.
$(STAMPS)/all: $(STAMPS)/venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test,lint,types]'
	@touch $(STAMPS)/run
	@touch $(STAMPS)/test $(STAMPS)/lint $(STAMPS)/types $@

$(STAMPS)/test $(STAMPS)/browse $(STAMPS)/lint $(STAMPS)/types $(STAMPS)/docs: $(STAMPS)/%: $(STAMPS)/run
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$*]'
	@touch $@
