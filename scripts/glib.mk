# The library of the list models for GLib, and what bindings need of it: build/glib. It is built
# where GLib's development files are; the descriptions for bindings where g-ir-scanner is, and that
# for Vala where vapigen is.

glib_source := bindings/c/glib
glib_private := $(addprefix $(glib_source)/,frg-changed-rows.h frg-gtk-selection.h frg-gtk-tree.h frg-held.h \
    frg-item-type.h frg-live-fields.h frg-parameters.h frg-splice.h frg-unread.h) \
    $(wildcard $(glib_source)/frg-*-private.h)
glib_headers := $(filter-out $(glib_private),$(wildcard $(glib_source)/*glib.h $(glib_source)/frg-*.h))
glib_code := $(wildcard $(glib_source)/frg-*.c)

# Files are moved into place when they are complete, since the lanes of `make check` can build them
# at the same time.
#
# The first number is that of the interface, the second that of the binary interface.
glib_name := fetchedresults-glib-1
glib_namespace := FrG
glib_api := 1
glib_library := build/glib/lib$(glib_name).so.$(version)

has_glib := $(shell $(PKG_CONFIG) --exists gio-2.0 && echo yes)
has_gir := $(if $(has_glib),$(shell $(PKG_CONFIG) --exists gobject-introspection-1.0 && command -v g-ir-scanner))
has_vapi := $(if $(has_gir),$(shell command -v vapigen))

glib_gir := build/glib/$(glib_namespace)-$(glib_api).gir
glib_typelib := build/glib/$(glib_namespace)-$(glib_api).typelib
glib_vapi := build/glib/fetchedresults-glib.vapi
glib_built := $(if $(has_glib),$(glib_library)) $(if $(has_gir),$(glib_gir) $(glib_typelib)) \
    $(if $(has_vapi),$(glib_vapi))

# `make` builds what `make install` installs.
all: $(glib_built)

.PHONY: glib
glib: $(glib_built) ## build the list models for GLib, with what Python, gjs and Vala need
	@$(if $(has_glib),,echo "the list models for GLib need libglib2.0-dev" >&2; exit 1)
	@$(if $(has_gir),,echo "skipped: the models in other languages; they need libgirepository1.0-dev")
	@$(if $(has_gir),$(if $(has_vapi),,echo "skipped: the models in Vala; they need valac"))

$(glib_library): $(glib_code) $(wildcard $(glib_source)/*.h) $(headers) | $(library)
	@mkdir -p build/glib
	@echo "cc $@"
	@$(CC) -std=c99 -Wall -Wextra -pedantic -Werror $(CPPFLAGS) $(CFLAGS) -fPIC -fvisibility=hidden \
	    -DG_LOG_DOMAIN='"$(glib_namespace)"' -Iinclude $$($(PKG_CONFIG) --cflags gio-2.0) \
	    -shared -Wl,-soname,lib$(glib_name).so.$(soversion) -Wl,-z,defs $(hardening) -Wl,--as-needed -o $@.new \
	    $(glib_code) $(LDFLAGS) -Lbuild -lfetchedresults $$($(PKG_CONFIG) --libs gio-2.0) -ldl
	@mv -f $@.new $@
	@ln -sf lib$(glib_name).so.$(version) build/glib/lib$(glib_name).so.$(soversion)
	@ln -sf lib$(glib_name).so.$(soversion) build/glib/lib$(glib_name).so

# Another version of the scanner may warn of more, which is an error in the checks alone.
check-glib: scanner_flags := --warn-all --warn-error

# The scanner runs a program with the library, to ask it for its types. Sources of stores are for C
# alone.
$(glib_gir): $(glib_library)
	@echo "g-ir-scanner $@"
	@LD_LIBRARY_PATH="build/glib:build$${LD_LIBRARY_PATH:+:$$LD_LIBRARY_PATH}" CC="$(CC)" g-ir-scanner --quiet \
	    $(scanner_flags) --namespace=$(glib_namespace) --nsversion=$(glib_api) --identifier-prefix=FrG \
	    --symbol-prefix=frg \
	    --include=GObject-2.0 --include=Gio-2.0 --pkg=gio-2.0 --pkg-export=fetchedresults-glib \
	    --c-include=fetchedresults-glib.h -Iinclude -I$(glib_source) --library=$(glib_name) -Lbuild/glib -Lbuild \
	    --output=$@.new $(filter-out $(glib_source)/frg-store-source.%,$(glib_headers) $(glib_code))
	@mv -f $@.new $@

$(glib_typelib): $(glib_gir)
	@g-ir-compiler --output=$@.new $<
	@mv -f $@.new $@

# The file beside it names the packages that Vala reads with it. vapigen leaves a file alone that
# would be the same.
$(glib_vapi): $(glib_gir)
	@echo "vapigen $@"
	@vapigen --quiet --library=fetchedresults-glib --pkg=gio-2.0 --directory=build/glib $<
	@echo gio-2.0 >$(glib_vapi:.vapi=.deps)
	@touch $@

build/fetchedresults-glib.pc: fetchedresults-glib.pc.in FORCE
	@mkdir -p build
	@rm -f $@
	@sed -e 's|@prefix@|$(prefix)|' -e 's|@exec_prefix@|$(exec_prefix)|' -e 's|@libdir@|$(libdir)|' \
	    -e 's|@includedir@|$(includedir)|' -e 's|@datarootdir@|$(datarootdir)|' -e 's|@girdir@|$(girdir)|' \
	    -e 's|@typelibdir@|$(typelibdir)|' -e 's|@version@|$(version)|' $< > $@

# Installing.

glib_includedir = $(includedir)/fetchedresults-glib
girdir = $(datadir)/gir-1.0
typelibdir = $(libdir)/girepository-1.0
vapidir = $(datadir)/vala/vapi
glib_overrides := $(glib_source)/languages/gi/overrides/FrG.py
pyoverridesdir = $(addsuffix /gi/overrides,$(shell scripts/python-folder $(prefix)))
glib_links := lib$(glib_name).so.$(soversion) lib$(glib_name).so

.PHONY: install-glib
install-glib: $(glib_built) $(if $(has_glib),build/fetchedresults-glib.pc)
ifeq ($(has_glib),)
	@echo "skipped: the list models for GLib; they need libglib2.0-dev"
else
	$(INSTALL) -d "$(DESTDIR)$(libdir)" "$(DESTDIR)$(pkgconfigdir)" "$(DESTDIR)$(glib_includedir)"
	$(INSTALL) -m 755 $(glib_library) "$(DESTDIR)$(libdir)"
	for link in $(glib_links); do ln -sf lib$(glib_name).so.$(version) "$(DESTDIR)$(libdir)/$$link" || exit; done
	$(INSTALL) -m 644 $(glib_headers) "$(DESTDIR)$(glib_includedir)"
	$(INSTALL) -m 644 build/fetchedresults-glib.pc "$(DESTDIR)$(pkgconfigdir)"
ifeq ($(has_gir),)
	@echo "skipped: the models for GLib in other languages; they need libgirepository1.0-dev"
else
	$(INSTALL) -d "$(DESTDIR)$(girdir)" "$(DESTDIR)$(typelibdir)"
	$(INSTALL) -m 644 $(glib_gir) "$(DESTDIR)$(girdir)"
	$(INSTALL) -m 644 $(glib_typelib) "$(DESTDIR)$(typelibdir)"
	@$(if $(pyoverridesdir),,echo "skipped: additions for Python; it looks nowhere below $(prefix). Set pyoverridesdir")
	$(if $(pyoverridesdir),$(INSTALL) -d "$(DESTDIR)$(pyoverridesdir)")
	$(if $(pyoverridesdir),$(INSTALL) -m 644 $(glib_overrides) "$(DESTDIR)$(pyoverridesdir)")
ifeq ($(has_vapi),)
	@echo "skipped: the models for GLib in Vala; they need valac"
else
	$(INSTALL) -d "$(DESTDIR)$(vapidir)"
	$(INSTALL) -m 644 $(glib_vapi) $(glib_vapi:.vapi=.deps) "$(DESTDIR)$(vapidir)"
endif
endif
endif

.PHONY: uninstall-glib
uninstall-glib:
	rm -f $(patsubst %,"$(DESTDIR)$(libdir)/%",$(notdir $(glib_library)) $(glib_links))
	rm -f $(patsubst $(glib_source)/%,"$(DESTDIR)$(glib_includedir)/%",$(glib_headers))
	rm -f "$(DESTDIR)$(pkgconfigdir)/fetchedresults-glib.pc" "$(DESTDIR)$(girdir)/$(notdir $(glib_gir))" \
	    "$(DESTDIR)$(typelibdir)/$(notdir $(glib_typelib))" "$(DESTDIR)$(vapidir)/fetchedresults-glib.vapi" \
	    "$(DESTDIR)$(vapidir)/fetchedresults-glib.deps"
	$(if $(pyoverridesdir),rm -f "$(DESTDIR)$(pyoverridesdir)/FrG.py")
	if [ -d "$(DESTDIR)$(glib_includedir)" ]; then rmdir "$(DESTDIR)$(glib_includedir)"; fi
