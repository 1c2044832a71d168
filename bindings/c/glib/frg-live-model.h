/*
 * FrGLiveModel: what FrGListModel and FrGSectionList have in common: a GListModel that is told of a controller's
 * changes and tells of them by exact signals. Abstract; programs have no need of it.
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

/* A place is a position in what the controller shows now; a position, one in what the model has told so far. */
struct _FrGLiveModelClass {
    GObjectClass parent_class;
    GType item_type;
    /* How many places there are. */
    guint (*count_items)(FrGLiveModel *model);
    /*
     * A new reference to the item at a place. known: an item that somebody holds and that may be it, or NULL.
     * is_sure: to be set to FALSE if the item may be another one when it is asked for again.
     */
    gpointer (*read_item)(FrGLiveModel *model, guint place, gpointer known, gboolean *is_sure);
    /* The same for a position that an item leaves, of which nobody holds it. */
    gpointer (*read_leaving)(FrGLiveModel *model, fr_change_set *changes, const struct frg_leaving *leaving);
    /* Tells of a change set with records. */
    void (*tell)(FrGLiveModel *model, fr_change_set *changes, struct frg_changed_rows *rows);
    /* Tells of a whole new list. */
    void (*replace)(FrGLiveModel *model);
    /*
     * Reads what could not be read, and tells of it. Answers whether something still can't be read.
     * is_probe: only answers whether something can be read now.
     */
    gboolean (*retry)(FrGLiveModel *model, gboolean is_probe);
};

G_END_DECLS

#endif
