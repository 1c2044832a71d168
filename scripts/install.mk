# Installing and removing. What is installed is listed once, in these variables.

pkgconfigdir = $(libdir)/pkgconfig
manuals := $(wildcard docs/man/*.[1-9])
# The name of a page ends in its section.
installed_manuals = $(foreach page,$(notdir $(manuals)),$(mandir)/man$(lastword $(subst ., ,$(page)))/$(page))
installed_libraries := libfetchedresults.so.$(version) libfetchedresults.so.$(soversion) libfetchedresults.so

build/fetchedresults.pc: fetchedresults.pc.in FORCE
	@mkdir -p build
	@sed -e 's|@prefix@|$(prefix)|' -e 's|@exec_prefix@|$(exec_prefix)|' -e 's|@libdir@|$(libdir)|' \
	    -e 's|@includedir@|$(includedir)|' -e 's|@version@|$(version)|' $< > $@

.PHONY: install
install: $(library) build/fetchedresults.pc ## install library, headers, fetchedresults.pc and manual
	$(INSTALL) -d "$(DESTDIR)$(libdir)" "$(DESTDIR)$(pkgconfigdir)" "$(DESTDIR)$(includedir)/fetchedresults"
	$(INSTALL) -m 755 $(library) "$(DESTDIR)$(libdir)"
	ln -sf libfetchedresults.so.$(version) "$(DESTDIR)$(libdir)/libfetchedresults.so.$(soversion)"
	ln -sf libfetchedresults.so.$(soversion) "$(DESTDIR)$(libdir)/libfetchedresults.so"
	$(INSTALL) -m 644 include/fetchedresults.h "$(DESTDIR)$(includedir)"
	$(INSTALL) -m 644 $(headers) "$(DESTDIR)$(includedir)/fetchedresults"
	$(INSTALL) -m 644 build/fetchedresults.pc "$(DESTDIR)$(pkgconfigdir)"
	for page in $(installed_manuals); do \
	    $(INSTALL) -d "$(DESTDIR)$${page%/*}" && $(INSTALL) -m 644 "docs/man/$${page##*/}" "$(DESTDIR)$$page" || exit; \
	done

.PHONY: uninstall
uninstall: ## remove what `make install` with the same variables installed
	rm -f $(patsubst %,"$(DESTDIR)$(libdir)/%",$(installed_libraries)) "$(DESTDIR)$(pkgconfigdir)/fetchedresults.pc"
	rm -f $(patsubst include/%,"$(DESTDIR)$(includedir)/%",include/fetchedresults.h $(headers))
	rm -f $(patsubst %,"$(DESTDIR)%",$(installed_manuals))
	if [ -d "$(DESTDIR)$(includedir)/fetchedresults" ]; then rmdir "$(DESTDIR)$(includedir)/fetchedresults"; fi
