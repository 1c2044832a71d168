/* The list models for GLib: all public headers. */
#ifndef FETCHEDRESULTS_GLIB_H
#define FETCHEDRESULTS_GLIB_H

#include "frg-edit.h"
#include "frg-item.h"
#include "frg-list-model.h"
#include "frg-live-model.h"
#include "frg-macros.h"
#include "frg-object-list.h"
#include "frg-request.h"
#include "frg-section-list.h"
#include "frg-selection.h"
#include "frg-store-error.h"
#include "frg-store-source.h"
#include "frg-store.h"
#include "frg-tree-model.h"
#include "frg-window.h"

#endif
