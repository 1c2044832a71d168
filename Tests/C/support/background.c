#include "background.h"

#include "test.h"

bool background_is_under_way(const struct background *background)
{
    return background->destroyed < background->begun;
}

static bool on_progress(int64_t rows, void *user_data)
{
    struct background *background = user_data;
    CHECK(rows >= 0);
    CHECK_INT(background->completed, background->begun - 1);
    return true;
}

static void on_completion(fr_list *list, const fr_error *error, void *user_data)
{
    struct background *background = user_data;
    CHECK(list == background->list);
    CHECK(background_is_under_way(background));
    background->completed += 1;
    CHECK_INT(background->completed, background->begun);
    background->status = error == NULL ? FR_OK : error->status;
}

static void on_destroy(void *user_data)
{
    struct background *background = user_data;
    background->destroyed += 1;
    CHECK_INT(background->destroyed, background->begun);
}

void background_begin(struct background *background, fr_list *list, int number, struct text *history)
{
    if (background_is_under_way(background)) {
        return;
    }
    text_add(history, "-- list %d: a fetch in the background begins\n      ", number);
    background->list = list;
    background->begun += 1;
    CHECK_OK(fr_controller_perform_fetch_async(list, on_progress, on_completion, background, on_destroy));
}

static void end_one(struct background *background, fr_store *store)
{
    int waits;
    for (waits = 0; waits < 600 && background_is_under_way(background); waits++) {
        CHECK_OK(waits == 0 ? fr_store_dispatch(store) : fr_store_wait(store, 100));
    }
    CHECK_INT(background->completed, background->begun);
    CHECK_INT(background->destroyed, background->begun);
}

void background_end(struct background *backgrounds, int count, fr_store *store, struct text *history)
{
    int number;
    for (number = 0; number < count; number++) {
        if (background_is_under_way(&backgrounds[number])) {
            text_add(history, "-- list %d: its fetch is to end\n      ", number);
        }
    }
    for (number = 0; number < count; number++) {
        end_one(&backgrounds[number], store);
    }
}

void background_check_closed(const struct background *background)
{
    CHECK_INT(background->destroyed, background->begun);
    CHECK(background->begun - background->completed <= 1);
}
