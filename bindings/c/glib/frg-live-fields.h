/* The fields of an FrGLiveModel, for the files that implement it. Private to these. */
#ifndef FRG_LIVE_FIELDS_H
#define FRG_LIVE_FIELDS_H

#include "frg-live-model-private.h"

typedef struct FrGLiveModelPrivate {
    FrGStore *store;     /* these are NULL for a model of a list that is not its own */
    FrGRequest *request;
    fr_list *own_list;

    fr_list *controller; /* NULL if there is none, or none any more */
    uint64_t observer;
    FrGLiveModel *owner;       /* of a model that observes nothing itself; held */
    GSequence *held;           /* as in frg-held.h */
    guint n_items;             /* as announced so far */
    gboolean follows_totals;   /* they were asked for */
    FrGItem *totals;           /* NULL if the request has none */
    int reload_threshold;      /* not that of a model with an owner, nor is the next; -1 for none */
    guint move_range;

    /* While a change is announced. */
    fr_change_set *changes;
    frg_transition *transition;
    gboolean is_range;  /* by the range in which something changes */
    guint hidden_from;  /* places that are not announced yet */
    guint hidden_count;
    GQueue changed; /* of items with their places, to be read again */

    /*
     * From will_change until the change set the places are undefined; whoever reads then gets a new
     * list announced.
     */
    gboolean is_waiting;
    gboolean is_stale;

    guint delivering;         /* how many "delivered" follow */
    fr_change_set *delivered; /* borrowed during "delivered"; NULL if everything may have changed */
} FrGLiveModelPrivate;

/* The move range unless it is set. */
#define FRG_MOVE_RANGE 250

FrGLiveModelPrivate *frg_live_model_private(FrGLiveModel *model);

/* The places are undefined: see is_waiting. */
gboolean frg_live_model_is_waiting(FrGLiveModel *model);

/*
 * Around everything that announces a change.
 *
 * delivered: borrowed; NULL if everything may have changed.
 */
void frg_live_model_begin_delivery(FrGLiveModel *model);
void frg_live_model_end_delivery(FrGLiveModel *model, fr_change_set *delivered);

/* Reads the totals again, if they were asked for, and the totals of its sections. */
void frg_live_model_refresh_totals(FrGLiveModel *model);

/* Drops `changed`. */
void frg_live_model_forget_changed(FrGLiveModel *model);

/* One signal, and a notification if the number of items has changed. */
void frg_live_model_announce(FrGLiveModel *model, guint position, guint removed, guint added);

#endif
