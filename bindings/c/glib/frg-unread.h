/*
 * The models of a thread that have returned items of what could not be read. No notification
 * follows when it can be read again, as it may not have changed. So these models try again: at the
 * end of each dispatch of a store source, and, after other dispatches, in each iteration of the
 * thread's main loop. Private to the models.
 */
#ifndef FRG_UNREAD_H
#define FRG_UNREAD_H

#include "frg-live-model.h"

/*
 * Lets a model try again until its `retry` leaves nothing to be read. A second call does nothing.
 * It is not referenced.
 */
void frg_unread_add(FrGLiveModel *model);

/* To be called when the model ends. */
void frg_unread_remove(FrGLiveModel *model);

/* Lets all models of this thread try again. */
void frg_unread_retry(void);

#endif
