# The checks. `make check` runs them all through scripts/check, which counts; each can be run alone.

.PHONY: check
check: ## run all tests, and say how many passed
	@scripts/setup check
	@MAKE="$(MAKE)" scripts/check lint headers exports c jumps valgrind glib python swift readme install

.PHONY: format
format: ## format all sources in place
	@scripts/format

layered := $(filter-out CSQLite,$(notdir $(wildcard Sources/*)))
