#include "actor.h"

#include <string.h>

#include "test.h"

#define SCHEMA "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c');"

static void reached(struct actor *actor, enum moment moment)
{
    text_add(&actor->log, "%c", "wocd"[moment]);
    CHECK_INT(actor->destroyed, 0);
    if (moment == actor->moment && !actor->acted) {
        actor->acted = 1;
        actor->act(actor);
    }
}

static void will_change(fr_list *controller, void *user_data)
{
    (void)controller;
    reached(user_data, WILL_CHANGE);
}

static void object_change(fr_list *controller, fr_object *object, const fr_change *change, fr_change_set *changes,
                          void *user_data)
{
    (void)changes;
    (void)controller;
    (void)object;
    (void)change;
    reached(user_data, OBJECT_CHANGE);
}

static void changes_came(fr_list *controller, fr_change_set *changes, void *user_data)
{
    (void)controller;
    (void)changes;
    reached(user_data, CHANGES);
}

static void did_change(fr_list *controller, void *user_data)
{
    (void)controller;
    reached(user_data, DID_CHANGE);
}

static void destroyed(void *user_data)
{
    ((struct actor *)user_data)->destroyed += 1;
}

static const fr_observer actor_observer = {sizeof(fr_observer), will_change,  NULL, object_change,
                                           did_change,          changes_came, NULL, NULL};

void stage(struct actor *actor, enum moment moment, void (*act)(struct actor *))
{
    memset(actor, 0, sizeof *actor);
    actor->moment = moment;
    actor->act = act;
    actor->store = store_with(SCHEMA);
    actor->list = list_of(actor->store, "t", NULL, NULL, NULL);
    CHECK_OK(fr_list_add_observer(&actor->number, actor->list, &actor_observer, actor, destroyed));
}

void leave(struct actor *actor)
{
    CHECK_INT(actor->acted, 1);
    fr_list_free(actor->list);
    CHECK_INT(actor->destroyed, 1);
    CHECK_OK(fr_store_close(actor->store));
    text_free(&actor->log);
}
