/*
 * FrGLiveModel: the common part of FrGListModel and FrGSectionList: a GListModel that observes a
 * controller's changes and announces them by exact signals. Abstract; programs do not need it.
 */
#ifndef FRG_LIVE_MODEL_H
#define FRG_LIVE_MODEL_H

#include <fetchedresults.h>
#include <gio/gio.h>

G_BEGIN_DECLS

#define FRG_TYPE_LIVE_MODEL (frg_live_model_get_type())
G_DECLARE_DERIVABLE_TYPE(FrGLiveModel, frg_live_model, FRG, LIVE_MODEL, GObject)

struct frg_changed_rows;
struct frg_leaving;

/*
 * A place is a position in what the controller shows now; a position, one in what the model has
 * announced so far.
 */
struct _FrGLiveModelClass {
    GObjectClass parent_class;
    GType item_type;
    /* The number of places. */
    guint (*count_items)(FrGLiveModel *model);
    /*
     * A new reference to the item at a place. known: a referenced item that may be it, or NULL.
     * is_sure: to be set to FALSE if the item may be another one at the next call.
     */
    gpointer (*read_item)(FrGLiveModel *model, guint place, gpointer known, gboolean *is_sure);
    /* The same for a position that an item leaves which nobody references. */
    gpointer (*read_leaving)(FrGLiveModel *model, fr_change_set *changes, const struct frg_leaving *leaving);
    /* Announces a change set with records. */
    void (*report)(FrGLiveModel *model, fr_change_set *changes, struct frg_changed_rows *rows);
    /* Announces a whole new list. */
    void (*replace)(FrGLiveModel *model);
    /*
     * Reads what could not be read, and announces it. Returns whether something still can't be
     * read.
     * is_probe: only returns whether something can be read now.
     */
    gboolean (*retry)(FrGLiveModel *model, gboolean is_probe);
};

G_END_DECLS

#endif
