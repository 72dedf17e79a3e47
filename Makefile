# Every target sets up what it needs: a virtual environment in .venv, made once.
PYTHON ?= python3.11
VENV   := .venv
RUN    := $(VENV)/bin/python

.PHONY: demo test lint docs bench verify clean

$(VENV)/.dev: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --upgrade pip
	$(RUN) -m pip install --quiet -e '.[dev]'
	touch $@

demo: $(VENV)/.dev
	$(RUN) examples/pitprops_demo.py --out demo-output

test: $(VENV)/.dev
	$(RUN) -m pytest

lint: $(VENV)/.dev
	$(RUN) -m ruff check .
	$(RUN) -m mypy

docs: $(VENV)/.dev
	$(RUN) -m sphinx -W -b html docs docs/_build/html

bench: $(VENV)/.dev
	for script in benchmarks/*.py; do $(RUN) $$script || exit 1; done

verify: $(VENV)/.dev
	$(RUN) certificates/make_archive.py --verify

clean:
	rm -rf $(VENV) demo-output docs/_build build dist
