/*
 * The models of a thread that have given out items of what could not be read. Nobody is told when it can be read again,
 * as it may not have changed: so these models try again, at the end of each dispatch of a store source, and, whoever
 * dispatches, when the thread's main loop goes round. Private to the models.
 */
#ifndef FRG_UNREAD_H
#define FRG_UNREAD_H

#include "frg-live-model.h"

/* Has a model try again, until its `retry` leaves nothing to be read; again, does nothing. It is not held. */
void frg_unread_add(FrGLiveModel *model);

/* To be called when the model ends. */
void frg_unread_remove(FrGLiveModel *model);

/* Has all models of this thread try again. */
void frg_unread_retry(void);

#endif
