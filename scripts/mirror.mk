# frmirror, which mirrors tables of PostgreSQL: build/frmirror. `make` builds it where libpq's
# development files are. Its tests start servers of their own, so they are no part of `make check`.

mirror_files := $(wildcard mirror/*.c mirror/*.h)
has_libpq := $(shell $(PKG_CONFIG) --exists libpq && echo yes)
mirror_built := $(if $(has_libpq),build/frmirror)

# `make` builds what `make install` installs.
all: $(mirror_built)

mirror_flags = -std=gnu99 -D_GNU_SOURCE -Wall -Wextra -pedantic -Werror -Iinclude \
    $$($(PKG_CONFIG) --cflags libpq sqlite3)
mirror_libraries = $$($(PKG_CONFIG) --libs libpq sqlite3)

build/frmirror: $(mirror_files) include/fetchedresults/base.h scripts/mirror.mk
	@mkdir -p $(@D)
	@echo "cc $@"
	@$(CC) $(mirror_flags) $(hardening) -fPIE -pie $(CPPFLAGS) $(CFLAGS) -o $@.$$$$ $(filter %.c,$^) $(LDFLAGS) \
	    $(mirror_libraries) && mv -f $@.$$$$ $@

# With sanitizers: damaged streams may neither read nor write what is not theirs.
build/tests/fuzz-mirror: Tests/Mirror/fuzz_stream.c $(mirror_files)
	@mkdir -p $(@D)
	@echo "cc $@"
	@$(CC) $(mirror_flags) -Imirror -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -o $@ \
	    $(filter-out mirror/main.c,$(filter %.c,$^)) $(mirror_libraries)

.PHONY: check-mirror
check-mirror: ## run the tests of frmirror with a server of their own; not part of check
ifeq ($(has_libpq),)
	@echo "skipped: $$(cat Tests/Mirror/test_*.py | grep -c 'def test_') tests of frmirror;" \
	    "they need libpq-dev and postgresql"
else
	@$(MAKE) --no-print-directory build/frmirror build/frwatch build/tests/fuzz-mirror
	@scripts/check-hardening build/frmirror
	@FRMIRROR=build/frmirror FRWATCH=build/frwatch LD_LIBRARY_PATH=build PYTHONPATH=bindings/python/src \
	    FETCHEDRESULTS_LIBRARY=build/libfetchedresults.so.$(soversion) \
	    $(PYTHON) -m unittest discover -s Tests/Mirror $(if $(WORDS),-k $(WORDS))
endif

.PHONY: fuzz-mirror
fuzz-mirror: ## kill frmirror 1,000 times, or FR_KILLS, and its server, at moments that FR_SEED selects
	@FR_SEED=$${FR_SEED:-$$(date +%s)}; export FR_SEED; echo "FR_SEED=$$FR_SEED make fuzz-mirror repeats this"; \
	    FR_KILLS=$${FR_KILLS:-1000} $(MAKE) --no-print-directory check-mirror WORDS=is_killed

.PHONY: bench-mirror
bench-mirror: build/frmirror ## measure frmirror with a server of its own
	@FRMIRROR=build/frmirror PYTHONPATH=bindings/python/src \
	    FETCHEDRESULTS_LIBRARY=build/libfetchedresults.so.$(soversion) $(PYTHON) Benchmarks/mirror.py

# Beside what scripts/install.mk installs.
install: install-mirror
uninstall: uninstall-mirror

.PHONY: install-mirror
install-mirror: $(mirror_built)
ifeq ($(has_libpq),)
	@echo "skipped: frmirror; it needs libpq-dev"
else
	$(INSTALL) -d "$(DESTDIR)$(bindir)"
	$(INSTALL) -m 755 build/frmirror "$(DESTDIR)$(bindir)"
endif

.PHONY: uninstall-mirror
uninstall-mirror:
	rm -f "$(DESTDIR)$(bindir)/frmirror" "$(DESTDIR)$(mandir)/man1/frmirror.1"

.PHONY: demo-mirror
demo-mirror: build/frmirror build/frwatch ## show a list that follows a PostgreSQL server of its own
	@FRMIRROR=build/frmirror LD_LIBRARY_PATH=build PYTHONPATH=bindings/python/src \
	    FETCHEDRESULTS_LIBRARY=build/libfetchedresults.so.$(soversion) $(PYTHON) scripts/mirror_demo.py
