# Installing and removing. What is installed is listed once, in these variables.

pkgconfigdir = $(libdir)/pkgconfig
installed_libraries := libfetchedresults.so.$(version) libfetchedresults.so.$(soversion) libfetchedresults.so

build/fetchedresults.pc: fetchedresults.pc.in FORCE
	@mkdir -p build
	@sed -e 's|@prefix@|$(prefix)|' -e 's|@exec_prefix@|$(exec_prefix)|' -e 's|@libdir@|$(libdir)|' \
	    -e 's|@includedir@|$(includedir)|' -e 's|@version@|$(version)|' $< > $@

.PHONY: install
install: $(library) build/fetchedresults.pc ## install library, headers and fetchedresults.pc
	$(INSTALL) -d "$(DESTDIR)$(libdir)" "$(DESTDIR)$(pkgconfigdir)" "$(DESTDIR)$(includedir)/fetchedresults"
	$(INSTALL) -m 755 $(library) "$(DESTDIR)$(libdir)"
	ln -sf libfetchedresults.so.$(version) "$(DESTDIR)$(libdir)/libfetchedresults.so.$(soversion)"
	ln -sf libfetchedresults.so.$(soversion) "$(DESTDIR)$(libdir)/libfetchedresults.so"
	$(INSTALL) -m 644 include/fetchedresults.h "$(DESTDIR)$(includedir)"
	$(INSTALL) -m 644 $(headers) "$(DESTDIR)$(includedir)/fetchedresults"
	$(INSTALL) -m 644 build/fetchedresults.pc "$(DESTDIR)$(pkgconfigdir)"

.PHONY: uninstall
uninstall: ## remove what `make install` with the same variables installed
	rm -f $(patsubst %,"$(DESTDIR)$(libdir)/%",$(installed_libraries)) "$(DESTDIR)$(pkgconfigdir)/fetchedresults.pc"
	rm -f $(patsubst include/%,"$(DESTDIR)$(includedir)/%",include/fetchedresults.h $(headers))
	if [ -d "$(DESTDIR)$(includedir)/fetchedresults" ]; then rmdir "$(DESTDIR)$(includedir)/fetchedresults"; fi
