# Installing and removing. What is installed is listed once, in these variables.

pkgconfigdir = $(libdir)/pkgconfig
manuals := $(filter-out $(if $(has_libpq),,%/frmirror.1),$(wildcard docs/man/*.[1-9]))
# The name of a page ends in its section.
installed_manuals = $(foreach page,$(notdir $(manuals)),$(mandir)/man$(lastword $(subst ., ,$(page)))/$(page))
installed_libraries := libfetchedresults.so.$(version) libfetchedresults.so.$(soversion) libfetchedresults.so

# Where the shells look: https://github.com/scop/bash-completion, zshcompsys(1),
# fish-completions(1).
frwatch := bindings/c/frwatch
bash_completion = $(datadir)/bash-completion/completions
zsh_completion = $(datadir)/zsh/site-functions
fish_completion = $(datadir)/fish/vendor_completions.d

build/fetchedresults.pc: fetchedresults.pc.in FORCE
	@mkdir -p build
	@rm -f $@
	@sed -e 's|@prefix@|$(prefix)|' -e 's|@exec_prefix@|$(exec_prefix)|' -e 's|@libdir@|$(libdir)|' \
	    -e 's|@includedir@|$(includedir)|' -e 's|@suppressions@|$(suppressions)|' \
	    -e 's|@version@|$(version)|' $< > $@

# For valgrind.
suppressions = $(datadir)/fetchedresults/valgrind.supp

# What `make` has built is installed as it is: root may have no Swift, and should build nothing.
.PHONY: install
install: unless_current := --unless-current
install: $(library) build/frwatch build/fetchedresults.pc install-glib ## install libraries, headers, tools and manual
	$(INSTALL) -d "$(DESTDIR)$(libdir)" "$(DESTDIR)$(pkgconfigdir)" "$(DESTDIR)$(includedir)/fetchedresults"
	$(INSTALL) -m 755 $(library) "$(DESTDIR)$(libdir)"
	ln -sf libfetchedresults.so.$(version) "$(DESTDIR)$(libdir)/libfetchedresults.so.$(soversion)"
	ln -sf libfetchedresults.so.$(soversion) "$(DESTDIR)$(libdir)/libfetchedresults.so"
	$(INSTALL) -m 644 include/fetchedresults.h bindings/cpp/fetchedresults.hpp "$(DESTDIR)$(includedir)"
	$(INSTALL) -m 644 $(headers) $(cpp_headers) "$(DESTDIR)$(includedir)/fetchedresults"
	$(INSTALL) -m 644 build/fetchedresults.pc "$(DESTDIR)$(pkgconfigdir)"
	$(INSTALL) -d "$(DESTDIR)$(dir $(suppressions))"
	$(INSTALL) -m 644 bindings/c/fetchedresults.supp "$(DESTDIR)$(suppressions)"
	for page in $(installed_manuals); do \
	    $(INSTALL) -d "$(DESTDIR)$${page%/*}" && $(INSTALL) -m 644 "docs/man/$${page##*/}" "$(DESTDIR)$$page" || exit; \
	done
	$(INSTALL) -d "$(DESTDIR)$(bindir)" "$(DESTDIR)$(bash_completion)" "$(DESTDIR)$(zsh_completion)" \
	    "$(DESTDIR)$(fish_completion)"
	$(INSTALL) -m 755 build/frwatch "$(DESTDIR)$(bindir)"
	$(INSTALL) -m 644 $(frwatch)/completions/frwatch.bash "$(DESTDIR)$(bash_completion)/frwatch"
	$(INSTALL) -m 644 $(frwatch)/completions/_frwatch "$(DESTDIR)$(zsh_completion)"
	$(INSTALL) -m 644 $(frwatch)/completions/frwatch.fish "$(DESTDIR)$(fish_completion)"

.PHONY: uninstall
uninstall: uninstall-glib ## remove what `make install` with the same variables installed
	rm -f $(patsubst %,"$(DESTDIR)$(libdir)/%",$(installed_libraries)) "$(DESTDIR)$(pkgconfigdir)/fetchedresults.pc"
	rm -f $(patsubst include/%,"$(DESTDIR)$(includedir)/%",include/fetchedresults.h $(headers))
	rm -f $(patsubst bindings/cpp/%,"$(DESTDIR)$(includedir)/%",bindings/cpp/fetchedresults.hpp $(cpp_headers))
	rm -f $(patsubst %,"$(DESTDIR)%",$(installed_manuals)) "$(DESTDIR)$(suppressions)"
	if [ -d "$(DESTDIR)$(dir $(suppressions))" ]; then rmdir "$(DESTDIR)$(dir $(suppressions))"; fi
	if [ -d "$(DESTDIR)$(includedir)/fetchedresults" ]; then rmdir "$(DESTDIR)$(includedir)/fetchedresults"; fi
	rm -f "$(DESTDIR)$(bindir)/frwatch" "$(DESTDIR)$(bash_completion)/frwatch" \
	    "$(DESTDIR)$(zsh_completion)/_frwatch" "$(DESTDIR)$(fish_completion)/frwatch.fish"
