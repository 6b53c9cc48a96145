# Everything runs in a virtual environment inside the clone; `make` alone shows what there is.
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PYTEST_ARGS ?=

.PHONY: help demo test lint format bench fuzz clean

help:
	@echo "make demo    measure the example pages"
	@echo "make test    run all tests"
	@echo "make lint    ruff and mypy"
	@echo "make bench   run the benchmarks"
	@echo "make fuzz    100,000 damaged files against the loaders"

$(READY): pyproject.toml CMakeLists.txt $(wildcard kernel/*)
	test -x $(BIN)/python || python3 -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

demo: $(READY)
	$(BIN)/pagemeter demo

test: $(READY)
	$(BIN)/python -m pytest $(PYTEST_ARGS)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY)
	$(BIN)/python -m pip install --quiet -r benchmarks/requirements.txt
	$(BIN)/python benchmarks/run.py --write

fuzz: $(READY)
	$(BIN)/python tests/fuzz/files.py 100000

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
