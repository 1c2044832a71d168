/* An observer that does one thing at one moment of a delivery, once. */
#ifndef ACTOR_H
#define ACTOR_H

#include "fixture.h"
#include "text.h"

enum moment { WILL_CHANGE, OBJECT_CHANGE, CHANGES, DID_CHANGE, MOMENTS };

struct actor {
    enum moment moment;
    void (*act)(struct actor *actor);
    fr_store *store;     /* of t(id, v) with the rows 1, 2, 3 */
    fr_list *list; /* of all of them */
    struct text log;     /* "w", "o", "c", "d" for the moments as they come, and what the action adds */
    int acted;
    int destroyed;
    uint64_t number;
};

/* Makes a store and a list with an observer. */
void stage(struct actor *actor, enum moment moment, void (*act)(struct actor *));

/* Checks that it acted and was destroyed once; frees what remains after the action. */
void leave(struct actor *actor);

#endif
