/*
 * FrLiveModel: what FrListModel and FrSectionList have in common: a GListModel that is told of a controller's changes
 * and tells of them by exact signals. Abstract; programs have no need of it.
 */
#ifndef FR_LIVE_MODEL_H
#define FR_LIVE_MODEL_H

#include <fetchedresults.h>
#include <gio/gio.h>

G_BEGIN_DECLS

#define FR_TYPE_LIVE_MODEL (fr_live_model_get_type())
G_DECLARE_DERIVABLE_TYPE(FrLiveModel, fr_live_model, FR, LIVE_MODEL, GObject)

struct fr_changed_rows;
struct fr_leaving;

/* A place is a position in what the controller shows now; a position, one in what the model has told so far. */
struct _FrLiveModelClass {
    GObjectClass parent_class;
    GType item_type;
    /* How many places there are. */
    guint (*count_items)(FrLiveModel *model);
    /*
     * A new reference to the item at a place. known: an item that somebody holds and that may be it, or NULL.
     * is_sure: to be set to FALSE if the item may be another one when it is asked for again.
     */
    gpointer (*read_item)(FrLiveModel *model, guint place, gpointer known, gboolean *is_sure);
    /* The same for a position that an item leaves, of which nobody holds it. */
    gpointer (*read_leaving)(FrLiveModel *model, fr_change_set *changes, const struct fr_leaving *leaving);
    /* Tells of a change set with records. */
    void (*tell)(FrLiveModel *model, fr_change_set *changes, struct fr_changed_rows *rows);
    /* Tells of a whole new list. */
    void (*replace)(FrLiveModel *model);
    /*
     * Reads what could not be read, and tells of it. Answers whether something still can't be read.
     * is_probe: only answers whether something can be read now.
     */
    gboolean (*retry)(FrLiveModel *model, gboolean is_probe);
};

G_END_DECLS

#endif
