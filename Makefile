# Every target installs what it needs, and no more, into a virtual environment in .venv, once.
# PYTHON is the first that runs and is new enough; `make PYTHON=... demo` takes another.
SUITS  := import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(firstword $(foreach name,python3.13 python3.12 python3.11 python3,$(shell $(name) -c '$(SUITS)' 2>/dev/null && echo $(name))))
VENV   := .venv
RUN    := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)/python

.PHONY: demo test test-deep lint format docs bench paper verify library prove clean

$(VENV)/.made:
	@test -n "$(PYTHON)" || { echo "make: no Python 3.11 or newer with venv and pip is on the PATH; install one (Debian: python3 and python3-venv) or name it: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c '$(SUITS)' || { echo "make: $(PYTHON) is not a Python 3.11 or newer with venv and pip; name another: make PYTHON=/path/to/python3" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --upgrade pip
	touch $@

# What the demonstration needs: the package and matplotlib.
$(VENV)/.demo: pyproject.toml $(VENV)/.made
	$(RUN) -m pip install --quiet -e '.[plot]'
	touch $@

# What development needs: all extras, tests, lint and documentation.
$(VENV)/.dev: pyproject.toml $(VENV)/.made
	$(RUN) -m pip install --quiet -e '.[dev]'
	touch $@ $(VENV)/.demo

demo: $(VENV)/.demo
	$(RUN) examples/pitprops_demo.py --out demo-output

# Compiled files are kept, whatever the environment says: the programs that tests start load in half the time.
test test-deep: export PYTHONDONTWRITEBYTECODE :=

test: $(VENV)/.dev
	$(RUN) -m pytest

# The same tests with many more random instances: see tests/README.md.
test-deep: $(VENV)/.dev
	RELAXSPCA_TESTS=deep $(RUN) -m pytest

lint: $(VENV)/.dev
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .
	$(RUN) -m mypy

format: $(VENV)/.dev
	$(RUN) -m ruff check --fix .
	$(RUN) -m ruff format .

docs: $(VENV)/.dev
	rm -rf docs/api
	$(RUN) -m sphinx -W -b html docs docs/_build/html
	$(RUN) tools/check_site.py docs/_build/html

bench: $(VENV)/.dev
	for script in benchmarks/*.py; do $(RUN) $$script || exit 1; done

# The scripts whose tables have the numbers of paper/paper.md; paper/README.md says which is where. Table 1 stands
# beside Gurobi, for which the licence that comes with gurobipy is enough.
paper: $(VENV)/.dev
	$(RUN) -m pip install --quiet gurobipy
	for script in peers_proofs.py exact.py 'several.py --part splits'; do OMP_NUM_THREADS=1 $(RUN) benchmarks/$$script || exit 1; done

verify: $(VENV)/.demo
	$(RUN) certificates/make_archive.py --verify

# The library of instances: every claim that is kept, verified again.
library: $(VENV)/.dev
	$(RUN) library/make_library.py

# A checker whose soundness is a theorem: compiled from formal/, its assumptions printed, run on the archive, of
# which it has to prove every file.
prove: $(VENV)/.demo
	formal/packages.sh
	$(MAKE) -s -C formal all assumptions
	$(RUN) formal/prove.py --all
	$(RUN) formal/in_rocq.py certificates/pitprops/k05.json > formal/build/Example.v
	cd formal/build && coqc -q -w none -R . SparseEigenvalue Example.v
	@echo "pitprops, k = 5: proved by Rocq's kernel itself"

clean:
	rm -rf formal/build $(VENV) demo-output docs/_build docs/api build dist
