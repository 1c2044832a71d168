/*
 * The models of a thread that have given out items of what could not be read. Nobody is told when it can be read again,
 * as it may not have changed: so these models try again, at the end of each dispatch of a store source, and, whoever
 * dispatches, when the thread's main loop goes round. Private to the models.
 */
#ifndef FR_UNREAD_H
#define FR_UNREAD_H

#include "fr-live-model.h"

/* Has a model try again, until its `retry` leaves nothing to be read; again, does nothing. It is not held. */
void fr_unread_add(FrLiveModel *model);

/* To be called when the model ends. */
void fr_unread_remove(FrLiveModel *model);

/* Has all models of this thread try again. */
void fr_unread_retry(void);

#endif
