# Everything runs in a virtual environment inside the clone. `make` lists the targets.
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
INSTALLED := $(VENV)/.installed
SOURCES := pyproject.toml CMakeLists.txt $(wildcard kernel/*)
PYTEST_ARGS ?=

.PHONY: help demo test test-all lint format bench bench-collection record-speed fuzz fuzz-short fuzz-coverage fuzz-kernel fuzz-native sanitize test-portable docs coverage coverage-kernel mutation wheel test-sdist test-lowest test-container screenshots clean

help:
	@echo "make demo         evaluate the example pages and write a report"
	@echo "make test         run the tests (without the exhaustive variants)"
	@echo "make test-all     run all tests, including the exhaustive ones"
	@echo "make lint         check style and types with ruff and mypy, and the report's scripts with tsc if node is there"
	@echo "make bench        run the benchmarks"
	@echo "make bench-collection  measure throughput, memory and cost of many pages for docs/scale.md"
	@echo "make record-speed record the speed that tests/performance compares with"
	@echo "make fuzz         load 200,000 damaged files"
	@echo "make fuzz-coverage  fuzz one format with atheris, guided by coverage; FORMAT=alto SECONDS=3600"
	@echo "make fuzz-short   run each fuzzer for a few seconds"
	@echo "make fuzz-kernel  compare the kernel with reference solvers on random pages; SECONDS=3600 SEED=word"
	@echo "make coverage     run the tests, and check that 95 % of the branches of Python and the lines of the kernel ran"
	@echo "make mutation     change one place of the code after the other, and see whether a test fails; COUNT=100 SEED=1"
	@echo "make fuzz-native  fuzz the kernel with libFuzzer, if clang and its runtime are there; SECONDS=60"
	@echo "make docs         build the documentation site in build/site"
	@echo "make wheel        build the sdist and a wheel, check both, and run the wheel without a compiler"
	@echo "make test-sdist   run the tests of the sdist"
	@echo "make test-lowest  run the tests with the lowest versions of the dependencies"
	@echo "make test-container  run the steps of the Dockerfile without a container engine, as root; BASE=folder of a minimal Debian"
	@echo "make screenshots  make the pictures of the report in docs/images"
	@echo "make test-portable  test the kernel without wide registers, and compare its results on other processors"
	@echo "make sanitize     run the kernel's tests with address and undefined-behaviour sanitisers"

$(READY) $(INSTALLED): $(SOURCES)
	test -x $(BIN)/python || python3 -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.$(if $(filter $(READY),$@),[dev])'
	touch $@

# The demo does not install the development dependencies.
demo: $(or $(wildcard $(READY)),$(INSTALLED))
	$(BIN)/pagemeter demo

test: $(READY)
	@sh tests/browser/install.sh
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal $(PYTEST_ARGS)

test-all: PYTEST_ARGS += -m ""
test-all: test

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@sh tests/browser/check_scripts.sh

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
	PYTHONPATH=tests $(BIN)/python -m fuzz.files 200000

# The corpus of a format is kept in build/fuzz, so that the next run continues there.
fuzz-coverage: FORMAT = page
fuzz-coverage: SECONDS = 60
fuzz-coverage: $(READY)
	$(BIN)/python -m pip install --quiet --editable '.[dev,fuzz]'
	mkdir -p build/fuzz
	cd build/fuzz && PYTHONPATH=$(CURDIR)/tests $(abspath $(BIN))/python -m fuzz.guided $(FORMAT) $(FORMAT) -max_total_time=$(SECONDS)

fuzz-kernel: SECONDS = 60
fuzz-kernel: $(READY)
	PYTHONPATH=tests $(BIN)/python -m fuzz.kernel --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))

# The target and its build are those of packaging/oss-fuzz. Nothing is done without clang and its runtime libraries
# (Debian: libclang-rt-dev), which .ci/run does not need.
fuzz-native: SECONDS = 60
fuzz-native:
	@mkdir -p build/native/corpus; \
	echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' | \
	clang++ -x c++ -fsanitize=address,undefined,fuzzer - -o build/native/probe 2> build/native/probe.log || \
	{ echo "no clang++ with libFuzzer, so the kernel is not fuzzed with it: build/native/probe.log"; exit 0; }; \
	OUT=$(CURDIR)/build/native CXX=clang++ LIB_FUZZING_ENGINE=-fsanitize=fuzzer \
	CXXFLAGS="-O1 -g -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all" packaging/oss-fuzz/build.sh && \
	build/native/kernel_fuzzer -max_total_time=$(SECONDS) -max_len=600 -verbosity=0 build/native/corpus

# A few seconds of each fuzzer, for continuous integration.
fuzz-short: $(READY)
	PYTHONPATH=tests $(BIN)/python -m fuzz.files 2000
	PYTHONPATH=tests $(BIN)/python -m fuzz.kernel --seconds 20
	$(MAKE) fuzz-native SECONDS=10

# The sanitised kernel is built in build/sanitize; -S hides the editable install. Leak detection is off, because
# CPython frees little at exit; tests/unit/test_memory.py checks the kernel's memory.
SANITIZED := build/sanitize/site
PACKAGES = $(shell $(BIN)/python -c "import sysconfig; print(sysconfig.get_path('platlib'))")
SANITIZE = PYTHONPATH=$(SANITIZED):$(PACKAGES) ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
	LD_PRELOAD="$(foreach library,asan stdc++,$(shell $(CXX) -print-file-name=lib$(library).so))" $(BIN)/python -S
# The tests that reach every solver, with sizes around 64 and at the limits. Peak memory is no property of this build.
# KERNEL_TESTS="tests/property tests/conformance tests/unit/solve" runs more of them.
KERNEL_TESTS = tests/property/test_block_sizes.py tests/property/test_brute_force.py tests/property/test_alignment.py \
	tests/property/test_rare_words.py tests/fuzz/test_kernel.py tests/unit/solve/test_limits.py tests/unit/test_geometry.py \
	tests/unit/test_kernel.py tests/property/test_plain_xml.py

sanitize: $(READY)
	$(BIN)/python -m pip install --quiet --no-deps --upgrade --target $(SANITIZED) --config-settings install.strip=false \
		--config-settings cmake.define.PAGEMETER_SANITIZE=ON --config-settings build-dir=build/sanitize/cmake .
	$(SANITIZE) -c "from pagemeter import _kernel; assert '$(SANITIZED)' in _kernel.__file__, _kernel.__file__"
	$(SANITIZE) -m pytest --quiet -k "not memory and not tables" $(KERNEL_TESTS) $(PYTEST_ARGS)

# The kernel without wide registers and without functions for newer processors; -S as in `sanitize`. Then the same pages
# are solved by other builds: with clang, and for aarch64 under qemu, if they are there.
GENERIC := build/generic/site
test-portable: $(READY)
	packaging/test_portable.sh
	CXXFLAGS="$(if $(filter x86_64,$(shell uname -m)),-mno-avx2)" \
		$(BIN)/python -m pip install --quiet --no-deps --upgrade --target $(GENERIC) \
		--config-settings cmake.define.PAGEMETER_GENERIC=ON --config-settings build-dir=build/generic/cmake .
	PYTHONPATH=$(GENERIC):$(PACKAGES) $(BIN)/python -S -c "from pagemeter import _kernel; assert '$(GENERIC)' in _kernel.__file__"
	PYTHONPATH=$(GENERIC):$(PACKAGES) $(BIN)/python -S -m pytest --quiet -k "not memory" $(KERNEL_TESTS) $(PYTEST_ARGS)

# Subprocesses and workers are measured as well. The tests of speed are left out, because measuring slows them down.
coverage: $(READY) coverage-kernel
	@sh tests/browser/install.sh
	rm -rf build/coverage/data*
	mkdir -p build/coverage
	$(BIN)/python -m coverage run -m pytest --numprocesses auto --dist worksteal --ignore tests/performance $(PYTEST_ARGS)
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report

# The kernel is built in build/coverage with counters, which the tests of every solver write; -S as in `sanitize`.
COVERED := build/coverage/site
COVERAGE_TESTS = tests/fuzz/test_kernel.py tests/unit/test_kernel.py tests/unit/test_geometry.py tests/unit/solve \
	tests/unit/alignment tests/unit/text tests/property tests/conformance
coverage-kernel: $(READY)
	$(BIN)/python -m pip install --quiet gcovr
	$(BIN)/python -m pip install --quiet --no-deps --upgrade --target $(COVERED) --config-settings install.strip=false \
		--config-settings cmake.define.PAGEMETER_COVERAGE=ON --config-settings build-dir=build/coverage/cmake .
	find build/coverage/cmake -name '*.gcda' -delete
	PYTHONPATH=$(COVERED):$(PACKAGES) $(BIN)/python -S -m pytest --quiet $(COVERAGE_TESTS)
	$(BIN)/python -m gcovr --root . --filter '.*kernel/' --merge-lines --gcov-ignore-errors=all --fail-under-line 95 build/coverage/cmake

mutation: COUNT = 100
mutation: SEED = 1
mutation: $(READY)
	PYTHONPATH=tests $(BIN)/python -m mutation --count $(COUNT) --seed $(SEED)

docs: $(READY)
	$(BIN)/python -m pip install --quiet -r docs/requirements.txt
	$(BIN)/python -m mkdocs build --quiet

wheel: $(READY)
	packaging/wheel.sh $(BIN)/python

test-sdist: $(READY)
	packaging/test_sdist.sh $(BIN)/python $(PYTEST_ARGS)

test-lowest: $(READY)
	packaging/test_lowest.sh $(BIN)/python $(PYTEST_ARGS)

test-container: $(READY)
	$(BIN)/python packaging/test_container.py $(BASE)

screenshots: $(READY)
	@sh tests/browser/install.sh
	$(BIN)/python tests/browser/screenshots.py $(ARGS)

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
