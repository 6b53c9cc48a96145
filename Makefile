# Everything runs in a virtual environment inside the clone; `make` alone shows what there is.
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
INSTALLED := $(VENV)/.installed
SOURCES := pyproject.toml CMakeLists.txt $(wildcard kernel/*)
PYTEST_ARGS ?=

.PHONY: help demo test lint format bench bench-collection record-speed fuzz fuzz-kernel sanitize clean

help:
	@echo "make demo         measure the example pages and write a report of them"
	@echo "make test         run all tests"
	@echo "make lint         ruff and mypy"
	@echo "make bench        run the benchmarks"
	@echo "make bench-collection  throughput, memory and cost of many pages, for docs/scale.md"
	@echo "make record-speed record how much work the measures are, against which tests compare"
	@echo "make fuzz         100,000 damaged files against the loaders"
	@echo "make fuzz-kernel  a minute of random pages against the kernel; SECONDS=3600 SEED=word"
	@echo "make sanitize     the kernel's tests under the address and undefined-behaviour sanitisers"

$(READY) $(INSTALLED): $(SOURCES)
	test -x $(BIN)/python || python3 -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.$(if $(filter $(READY),$@),[dev])'
	touch $@

# Whoever only wants to see it need not wait for what developers need.
demo: $(or $(wildcard $(READY)),$(INSTALLED))
	$(BIN)/pagemeter demo

test: $(READY)
	@sh tests/browser/install.sh
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
	$(BIN)/python benchmarks/run.py $(or $(ARGS),--write)

bench-collection: $(READY)
	$(BIN)/python benchmarks/collection.py $(or $(ARGS),--write)

record-speed: $(READY)
	PYTHONPATH=tests $(BIN)/python -m performance.guard

fuzz: $(READY)
	$(BIN)/python tests/fuzz/files.py 100000

fuzz-kernel: SECONDS = 60
fuzz-kernel: $(READY)
	PYTHONPATH=tests $(BIN)/python -m fuzz.kernel --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))

# A kernel of its own in build/sanitize: -S keeps the editable install out of its way. Leaks are not looked for
# here, since CPython frees little when it ends; tests/unit/test_memory.py watches the kernel's memory.
SANITIZED := build/sanitize/site
PACKAGES = $(shell $(BIN)/python -c "import sysconfig; print(sysconfig.get_path('platlib'))")
SANITIZE = PYTHONPATH=$(SANITIZED):$(PACKAGES) ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
	LD_PRELOAD="$(foreach library,asan stdc++,$(shell $(CXX) -print-file-name=lib$(library).so))" $(BIN)/python -S
KERNEL_TESTS = tests/property tests/conformance tests/fuzz/test_kernel.py tests/unit/test_edge_cases.py \
	tests/unit/test_evaluation.py $(wildcard tests/unit/test_geometry*.py)

sanitize: $(READY)
	$(BIN)/python -m pip install --quiet --no-deps --upgrade --target $(SANITIZED) --config-settings install.strip=false \
		--config-settings cmake.define.PAGEMETER_SANITIZE=ON --config-settings build-dir=build/sanitize/cmake .
	$(SANITIZE) -c "from pagemeter import _kernel; assert '$(SANITIZED)' in _kernel.__file__, _kernel.__file__"
	$(SANITIZE) -m pytest --quiet $(KERNEL_TESTS) $(PYTEST_ARGS)

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
