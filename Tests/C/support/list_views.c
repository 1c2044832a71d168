#include "list_views.h"

#include <stdlib.h>
#include <string.h>

#include "test.h"

/* The views of a list may reload: immediately, or after their pause. */
static void expect_reload(struct list_views *list)
{
    int index;
    for (index = 0; index < VIEWS_OF_LIST; index++) {
        *(list->views[index].is_paused ? &list->is_reload_due[index] : &list->views[index].may_reload) = true;
    }
}

/* One batch, or a reload. This observer is notified before the coordinators are. */
static void expect_delivery(fr_list *controller, fr_change_set *changes, void *user_data)
{
    struct list_views *list = user_data;
    bool is_reload = false;
    int index;
    (void)controller;
    CHECK_OK(fr_change_set_is_reload(&is_reload, changes));
    if (is_reload || list->are_behind || list->corpus->lists[list->number].was_fetched) {
        expect_reload(list);
    }
    list->are_behind = false;
    for (index = 0; index < VIEWS_OF_LIST; index++) {
        list->batches[index] += !list->views[index].is_paused;
    }
}

static void load(struct list_views *list, int index)
{
    list->views[index].may_reload = true;
    CHECK_OK(fr_coordinator_load_data(list->views[index].coordinator, false));
    CHECK(!list->views[index].may_reload);
}

static void open_views(struct list_views *list, struct corpus *corpus, int number)
{
    const fr_observer observer = {sizeof observer, NULL, NULL, NULL, NULL, expect_delivery, NULL, NULL};
    int index;
    memset(list, 0, sizeof *list);
    list->corpus = corpus;
    list->number = number;
    list->are_open = true;
    CHECK_OK(fr_list_add_observer(NULL, corpus->lists[number].list, &observer, list, NULL));
    for (index = 0; index < VIEWS_OF_LIST; index++) {
        int kind = atoi(corpus->name) + 5 * number + 11 * index;
        uint32_t flags = (uint32_t)kind % 8;
        list->ends_with_difference[index] = (flags & FR_VIEW_DIFFERENCE) != 0;
        strict_view_open(&list->views[index], corpus->lists[number].list, kind % 3 == 0, kind % 5 < 3, flags);
        load(list, index);
    }
}

static bool can_be_read(const struct corpus *corpus, int number)
{
    return !corpus->lists[number].is_stale && corpus->lists[number].picture != NULL;
}

/* A collection fetches its children. */
static void note_children(struct views *views, int collection)
{
    int number;
    for (number = 0; number < CORPUS_LISTS; number++) {
        if (views->lists[number].are_open && number != collection) {
            expect_reload(&views->lists[number]);
            views->lists[number].are_behind = true;
        }
    }
}

void views_fetched(struct views *views, struct corpus *corpus, int number)
{
    struct list_views *list = &views->lists[number];
    int index;
    if (corpus->lists[number].request == NULL) {
        note_children(views, number);
    }
    if (!list->are_open) {
        open_views(list, corpus, number);
        return;
    }
    expect_reload(list);
    list->are_behind = true;
    if ((views->comparisons + number) % 2 == 0 && can_be_read(corpus, number)) {
        for (index = 0; index < VIEWS_OF_LIST; index++) {
            if (!list->views[index].is_paused) {
                load(list, index);
            }
        }
        list->are_behind = false;
    }
}

void views_freed(struct views *views, int number)
{
    struct list_views *list = &views->lists[number];
    int index;
    for (index = 0; index < VIEWS_OF_LIST && list->are_open; index++) {
        strict_view_close(&list->views[index]);
    }
    list->are_open = false;
}

/* Pauses a view at every fifth comparison, and resumes it two comparisons later. */
static void pause_now_and_then(struct views *views, struct list_views *list, int index)
{
    struct strict_view *view = &list->views[index];
    int turn = (views->comparisons + list->number + index) % 5;
    if (!view->is_paused && turn == 0) {
        list->is_reload_due[index] = view->may_reload;
        view->may_reload = false;
        view->is_paused = true;
        CHECK_OK(fr_coordinator_set_paused(view->coordinator, true));
    } else if (view->is_paused && turn == 2 && list->corpus->lists[list->number].fetches == 0) {
        view->may_reload = list->is_reload_due[index] || !list->ends_with_difference[index];
        list->is_reload_due[index] = false;
        list->batches[index] += 1;
        view->is_paused = false;
        CHECK_OK(fr_coordinator_set_paused(view->coordinator, false));
        CHECK(list->ends_with_difference[index] || !view->may_reload);
    }
}

static void check_view(struct list_views *list, int index)
{
    struct strict_view *view = &list->views[index];
    CHECK(view->batches <= list->batches[index]);
    list->batches[index] = view->batches;
    if (!view->is_paused && !list->are_behind) {
        strict_view_check(view);
        view->may_reload = false;
    }
}

void views_settled(struct views *views, struct corpus *corpus)
{
    int number, index;
    views->comparisons += 1;
    for (number = 0; number < CORPUS_LISTS; number++) {
        struct list_views *list = &views->lists[number];
        if (!list->are_open || !can_be_read(corpus, number)) {
            continue;
        }
        for (index = 0; index < VIEWS_OF_LIST; index++) {
            check_view(list, index);
            pause_now_and_then(views, list, index);
            check_view(list, index);
        }
    }
}
