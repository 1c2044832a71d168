# FetchedResults. `make help` lists the targets.
#
# Needs GNU make, Swift 6.3 or later, a C compiler, and libsqlite3 with its header. Installation
# follows the GNU
# conventions: prefix (or PREFIX), exec_prefix, bindir, libdir, includedir, datarootdir, datadir,
#   mandir, and DESTDIR.

CFLAGS ?= -O2 -g
CXXFLAGS ?= -O2 -g
INSTALL ?= install
PKG_CONFIG ?= pkg-config
PYTHON ?= python3
STRIP ?= strip
SWIFT ?= swift
VALGRIND ?= valgrind
SCRATCH ?= .build

PREFIX = /usr/local
prefix = $(PREFIX)
exec_prefix = $(prefix)
bindir = $(exec_prefix)/bin
libdir = $(exec_prefix)/lib
includedir = $(prefix)/include
datarootdir = $(prefix)/share
datadir = $(datarootdir)
mandir = $(datarootdir)/man

# The version is written in one place, the header.
version_part = $(shell sed -n 's/^\#define FR_VERSION_$(1) //p' include/fetchedresults/base.h)
soversion := $(call version_part,MAJOR)
version := $(soversion).$(call version_part,MINOR).$(call version_part,PATCH)

library := build/libfetchedresults.so.$(version)
headers := $(wildcard include/fetchedresults/*.h)
cpp_headers := $(wildcard bindings/cpp/fetchedresults/*.hpp)

export CC CXX PKG_CONFIG PYTHON STRIP SWIFT VALGRIND SCRATCH

.DEFAULT_GOAL := all
.PHONY: all
all: $(library) build/frwatch ## build the library, frwatch and the models for GLib (the default)

# SwiftPM determines whether there is anything to do; the file changes only if there was.
$(library): FORCE
	@scripts/build-library $(unless_current) $(version) $(soversion)

.PHONY: FORCE
FORCE:

frwatch_files := $(wildcard bindings/c/frwatch/*.c bindings/c/frwatch/*.h)

# scripts/check-hardening checks what is installed.
hardening := -fstack-protector-strong -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack

# It finds the library where the system finds libraries. It is moved into its place when it is
# whole, since another part of the check may be running it.
build/frwatch: $(frwatch_files) $(library) Makefile
	@echo "cc $@"
	@$(CC) -std=gnu99 -D_GNU_SOURCE -Wall -Wextra -pedantic -Werror $(hardening) -fPIE -pie $(CPPFLAGS) $(CFLAGS) \
	    -Iinclude -o $@.$$$$ $(filter %.c,$^) $(LDFLAGS) -Lbuild -lfetchedresults $$($(PKG_CONFIG) --libs sqlite3) \
	    && mv -f $@.$$$$ $@

include scripts/glib.mk
include scripts/mirror.mk
include scripts/check.mk
include scripts/install.mk

.PHONY: demo
demo: $(library) ## run the demonstration; a terminal shows picture after picture, with pauses
	@PYTHONPATH=bindings/python/src FETCHEDRESULTS_LIBRARY=build/libfetchedresults.so.$(soversion) \
	    $(PYTHON) scripts/demo.py

.PHONY: pictures
pictures: $(library) ## make the pictures of the documentation again
	@PYTHONPATH=$(CURDIR)/bindings/python/src \
	    FETCHEDRESULTS_LIBRARY=$(CURDIR)/build/libfetchedresults.so.$(soversion) scripts/pictures/make

benchmarks := $(wildcard Benchmarks/*.c)

build/bench: $(benchmarks) $(wildcard Benchmarks/*.h) $(headers) $(library)
	$(CC) -std=c11 -O2 -Wall -Wextra -D_GNU_SOURCE -Iinclude -o $@ $(benchmarks) \
	    -Lbuild -Wl,-rpath,'$$ORIGIN' -lfetchedresults -lsqlite3 -lm

.PHONY: bench
bench: build/bench ## measure against plain SQLite; BENCHFLAGS= is passed on
	build/bench $(BENCHFLAGS)

.PHONY: hot-functions
hot-functions: build/bench ## list again the functions that a change runs, for the linker
	@scripts/make-hot-functions

.PHONY: bench-web
bench-web: $(library) ## measure lists in a browser, with uvicorn and many clients
	PYTHONPATH=bindings/python/src "$$(scripts/qt-python)" Benchmarks/web.py

.PHONY: bench-python
bench-python: $(library) ## measure the Python package against sqlite3; the model for Qt needs PySide6
	@FETCHEDRESULTS_LIBRARY=build/libfetchedresults.so.0 PYTHONPATH=bindings/python/src QT_QPA_PLATFORM=offscreen \
	    build/venv/bin/python Benchmarks/python.py $(BENCHFLAGS)

.PHONY: wheel
wheel: $(library) ## build the Python wheel with the library inside, into build/wheel
	@scripts/setup wheel
	@scripts/build-wheel

.PHONY: deb
deb: $(library) ## build Debian packages into build/deb, check them with lintian, and try them
	@scripts/setup deb
	@scripts/build-deb $(version)

.PHONY: docs
docs: $(library) ## build the site with guide and reference into build/docs, and check it
	@PYTHONPATH="$(CURDIR)/bindings/python/src" \
	    FETCHEDRESULTS_LIBRARY="$(CURDIR)/build/libfetchedresults.so.$(soversion)" \
	    scripts/make-docs $(SCRATCH)/library/release/Modules

.PHONY: clean
clean: ## remove everything that was built
	rm -rf build $(SCRATCH)

.PHONY: help
help: ## show this list
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | \
	    awk -F'|' '{ printf "%-24s %s\n", $$1, $$2 }'
	@echo 'Variables: PREFIX DESTDIR bindir libdir includedir mandir, CC CFLAGS SWIFT PYTHON SCRATCH BENCHFLAGS'
