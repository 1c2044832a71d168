# The checks. `make check` runs them all through scripts/check, which counts; each can be run alone.

# In lanes for two cores. The lane of Swift has what needs the modules of its build, and the last part
# of the second one can use both cores. The tests of Python, of the tools and of frwatch mostly wait,
# so that the packages are tried beside the other lanes.
.PHONY: check
check: ## run all tests, and say how many passed
	@scripts/setup check
	@MAKE="$(MAKE)" scripts/check \
	    swift readme package install \
	    -- lint headers exports c fuzz-c jumps cpp qt glib valgrind -- python tools frwatch packages

.PHONY: format
format: ## format all sources in place
	@scripts/format

# FetchedResultsAsync has no folders, and is no part of the library.
layered := $(filter-out CSQLite CPrefetch FetchedResultsAsync,$(notdir $(wildcard Sources/*)))

# The compiler writes the index when it builds the library.
.PHONY: lint check-lint
lint: check-lint ## check formatting, types of Python, words of the docs, and that Swift folders are layers
check-lint: $(library)
	@scripts/lint $(SCRATCH)/library/release/index/store $(layered)

test_objects := $(patsubst Tests/C/%.c,build/tests/%.o,$(wildcard Tests/C/*.c Tests/C/support/*.c))
test_flags := -std=c99 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -pedantic -Werror -Iinclude -ITests/C/support -MMD -MP \
    -DCORPUS_FOLDER='"$(CURDIR)/Tests/Corpus"'
jansson_flags = $(shell $(PKG_CONFIG) --cflags jansson)
jansson_libraries = $(shell $(PKG_CONFIG) --libs jansson)

# The tests alone read JSON.
.PHONY: test-setup
test-setup:
	@scripts/setup test

build/tests/%.o: Tests/C/%.c | test-setup
	@mkdir -p $(@D)
	@echo "cc $<"
	@$(CC) $(test_flags) $(jansson_flags) $(CFLAGS) -c -o $@ $<

build/tests/c-tests: $(test_objects) $(library)
	@echo "ld $@"
	@$(CC) $(CFLAGS) -o $@ $(test_objects) -Lbuild -Wl,-rpath,'$$ORIGIN/..' -lfetchedresults -lsqlite3 -lpthread \
	    $(jansson_libraries)

-include $(test_objects:.o=.d)

.PHONY: check-c
check-c: build/tests/c-tests ## run the tests of the C interface; WORDS= chooses some
	@build/tests/c-tests $(WORDS)

build/tests/jumps: Tests/Jumps/jumps.cpp $(library)
	@mkdir -p $(@D)
	@echo "c++ $<"
	@$(CXX) -std=c++17 -Wall -Wextra -pedantic -Werror $(CXXFLAGS) -Iinclude -o $@ $< \
	    -Lbuild -Wl,-rpath,'$$ORIGIN/..' -lfetchedresults

# The table of calls is that of the tests; only calls and texts are taken from there.
fuzz_sources := $(wildcard Tests/CFuzz/*.c) $(patsubst %,Tests/C/support/%.c,text handle_calls)

build/tests/fuzz-c: $(fuzz_sources) $(wildcard Tests/CFuzz/*.h Tests/C/support/*.h) $(headers) $(library)
	@mkdir -p $(@D)
	@echo "cc $@"
	@$(CC) -std=c99 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -pedantic -Werror -Iinclude -ITests/C/support -O1 -g \
	    $(CFLAGS) -o $@ $(fuzz_sources) -Lbuild -Wl,-rpath,'$$ORIGIN/..' \
	    -lfetchedresults -lsqlite3

# A few short worlds; make fuzz-c runs long ones.
.PHONY: check-fuzz-c
check-fuzz-c: build/tests/fuzz-c ## run random calls of the C interface beside another process, from a few seeds
	@FR_SEEDS=$${FR_SEEDS:-5} FR_FIRST_SEED=4 FR_CALLS=1500 FR_JOBS=1 $(PYTHON) Tests/CFuzz/fuzz.py $<

.PHONY: check-jumps
check-jumps: build/tests/jumps ## run the tests of callbacks that do not return
	@build/tests/jumps

# With the symbols that the suppressions name. Memory that a test leaks or accesses wrongly is an
# error.
.PHONY: check-valgrind
check-valgrind: build/tests/c-tests ## run them under valgrind
	@FR_SEEDS=1 FR_VALGRIND=1 LD_LIBRARY_PATH=build/unstripped scripts/with-valgrind \
	    build/tests/c-tests --jobs $$(nproc) --batch 48 --warm $(WORDS)

.PHONY: check-glib
check-glib: $(library) $(glib_built) ## run the tests of the models for GLib and GTK, where these are
	@scripts/check-glib build

.PHONY: check-headers
check-headers: ## compile the headers as strict C99 and C++17, together and each alone
	@scripts/check-headers

.PHONY: check-exports
check-exports: all ## compare the library's symbols and needs with what they have to be
	@$(PYTHON) scripts/check-exports $(library) $(soversion)

.PHONY: check-python
check-python: $(library) ## run the Python tests
	@PYTHONPATH=bindings/python/src FETCHEDRESULTS_LIBRARY=build/libfetchedresults.so.$(soversion) \
	    $$(scripts/qt-python) -m unittest discover -s bindings/python/tests

.PHONY: check-pyqt
check-pyqt: $(library) ## run the tests of the Qt models with PyQt6 and PyQt5, which check-python skips
	@FR_PYQT=1 PYTHONPATH=$(CURDIR)/bindings/python/src \
	    FETCHEDRESULTS_LIBRARY=$(CURDIR)/build/libfetchedresults.so.$(soversion) \
	    $$(scripts/qt-python --pyqt) -m unittest discover -s bindings/python/tests -p test_qt_bindings.py

# Without what debuggers need and the modules that no Swift test imports, and with the library's own
# modules optimized (Package.swift). In a folder of its own, as SwiftPM does not compile again what
# only flags change. In terminals and in pipes with the same flags, as the flags for colours make
# SwiftPM compile again. While you work, `swift test --filter` compiles less.
swift_test = FR_OPTIMIZED_CORE=1 $(SWIFT) test --scratch-path $(SCRATCH)/tests --no-color-diagnostics \
    --test-product FetchedResultsPackageTests -Xswiftc -gnone -Xswiftc -warnings-as-errors

# In one go, as the headers take longer than the tests.
cpp_tests := $(wildcard Tests/Cpp/*_test.cpp)

build/tests/cpp-tests: Tests/Cpp/main.cpp $(cpp_tests) Tests/Cpp/test.hpp $(cpp_headers) $(headers) $(library)
	@mkdir -p $(@D)
	@echo "c++ $@"
	@$(CXX) -std=c++17 -Wall -Wextra -Wpedantic -Wshadow -Werror -O0 -g $(LDFLAGS) -Iinclude -Ibindings/cpp -ITests/Cpp \
	    -o $@ $(addprefix -include ,$(cpp_tests)) $< -Lbuild -Wl,-rpath,'$$ORIGIN/..' -lfetchedresults

.PHONY: check-cpp
check-cpp: build/tests/cpp-tests ## run the tests of the C++ wrapper, first some under valgrind
	@LD_LIBRARY_PATH=build/unstripped scripts/with-valgrind build/tests/cpp-tests outlive throw
	@build/tests/cpp-tests

# With Qt 6 and with Qt 5, whose own headers cause warnings.
qt_flags = $(patsubst -I%,-isystem%,$(shell $(PKG_CONFIG) --cflags $(1))) -fPIC
qt_compile = $(CXX) -std=c++17 -Wall -Wextra -Wpedantic -Wshadow -Werror -O0 $(LDFLAGS) $(call qt_flags,$(1)) \
    -Iinclude -Ibindings/cpp -ITests/Cpp -ITests/Cpp/Qt -o $@ $(2) $< -Lbuild -Wl,-rpath,'$$ORIGIN/..' \
    -lfetchedresults $(shell $(PKG_CONFIG) --libs $(1))
qt_tests := $(wildcard Tests/Cpp/Qt/*_test.cpp)

build/tests/qt%-tests: Tests/Cpp/main.cpp $(qt_tests) Tests/Cpp/test.hpp Tests/Cpp/Qt/qt_test.hpp $(cpp_headers) \
    $(headers) $(library)
	@mkdir -p $(@D)
	@echo "c++ $@"
	@$(call qt_compile,Qt$*Widgets Qt$*Test,$(addprefix -include ,$(qt_tests)))

build/tests/qt%-table: bindings/cpp/examples/qt_table.cpp $(cpp_headers) $(headers) $(library)
	@mkdir -p $(@D)
	@echo "c++ $@"
	@$(call qt_compile,Qt$*Widgets)

.PHONY: check-qt check-qt6 check-qt5
check-qt: check-qt6 check-qt5 ## run the tests of the C++ models for Qt 6 and Qt 5, where these are

check-qt6 check-qt5: check-qt%: $(library)
	@if $(PKG_CONFIG) --exists Qt$*Test Qt$*Widgets; then \
	    $(MAKE) --no-print-directory build/tests/qt$*-tests build/tests/qt$*-table && \
	    QT_QPA_PLATFORM=offscreen build/tests/qt$*-table --offscreen-check | \
	        diff Tests/Cpp/Qt/qt_table.expected - && \
	    build/tests/qt$*-tests; \
	else \
	    echo "skipped: $$(cat $(qt_tests) | grep -c '^TEST(') tests of the C++ models for Qt $*;" \
	        "they need $(patsubst 6,qt6-base-dev,$(patsubst 5,qtbase5-dev,$*))"; \
	fi

.PHONY: check-frwatch
check-frwatch: build/frwatch ## run the tests of frwatch, through pipes and in a terminal
	@FRWATCH=build/frwatch LD_LIBRARY_PATH=build PYTHONPATH=bindings/python/src \
	    FETCHEDRESULTS_LIBRARY=build/libfetchedresults.so.$(soversion) \
	    $(PYTHON) -m unittest discover -s Tests/Frwatch

.PHONY: check-tools
check-tools: build/bench ## run the tests of demo, benchmarks, fuzzers and packages
	@PYTHONPATH=bindings/python/src FETCHEDRESULTS_LIBRARY=build/libfetchedresults.so.$(soversion) \
	    $(PYTHON) -m unittest discover -s Tests/Tools

.PHONY: check-swift
check-swift: ## run the Swift tests; FILTER= chooses some
	@$(swift_test) $(if $(FILTER),--filter '$(FILTER)',--parallel)

.PHONY: corpus
corpus: ## write the corpus that all languages replay, Tests/Corpus, with the Swift oracle
	@FR_WRITE_CORPUS=1 $(swift_test) --filter CorpusTests

.PHONY: check-readme
check-readme: all ## compile and run the code in the documentation
	@$(PYTHON) scripts/check-readme README.md $(wildcard docs/*.md docs/*/*.md)

.PHONY: check-package
check-package: ## let other Swift packages depend on this one; after check-swift
	@scripts/check-package

.PHONY: check-install
check-install: $(library) ## install into an empty place, build programs against that, uninstall
	@scripts/test-install

.PHONY: check-packages
check-packages: $(library) $(glib_built) ## build the packages of Debian and the wheel, and try them
	@scripts/check-packages $(version)

# Random databases without end: FR_SECONDS=3600 for an hour.
FR_SECONDS ?= 600

.PHONY: fuzz
fuzz: fuzz-lists fuzz-writers fuzz-c fuzz-pages fuzz-mirror ## run random tests with new seeds, most for FR_SECONDS=600

.PHONY: fuzz-lists
fuzz-lists: ## run those of lists and of views
	@FR_TERMINAL=$$([ -t 2 ] && echo yes) FR_SECONDS=$(FR_SECONDS) \
	    $(swift_test) --filter 'Differential|CoordinatorRandom|FetchRandom|Limits'

.PHONY: fuzz-pages
fuzz-pages: ## run the page readers with damaged pages, which libFuzzer chooses by the branches that they take
	@scripts/fuzz-pages -max_total_time=$(FR_SECONDS) inputs

.PHONY: fuzz-writers
fuzz-writers: $(library) ## run those of other processes that write; FR_JOBS= at a time
	@PYTHONPATH=bindings/python/src:bindings/python/tests FR_SECONDS=$(FR_SECONDS) \
	    FETCHEDRESULTS_LIBRARY=build/libfetchedresults.so.$(soversion) $(PYTHON) -m other_writers.fuzz

.PHONY: fuzz-c
fuzz-c: build/tests/fuzz-c ## run random calls of the C interface beside another process; FR_JOBS= at a time
	@FR_SECONDS=$(FR_SECONDS) $(PYTHON) Tests/CFuzz/fuzz.py $<
