/*
 * The functions that supply and configure cells act while a coordinator updates cells: they free
 * the coordinator, the data source or the list, or close the store. Nothing crashes, and nothing
 * is lost.
 */
#include <string.h>

#include <fetchedresults/views.h>

#include "fixture.h"
#include "test.h"
#include "text.h"

struct screen {
    struct text log;
    fr_store *store;
    fr_list *list;
    fr_data_source *source;
    fr_coordinator *coordinator;
    int64_t destroyed; /* of the cells' and the view's two */
    int cell;
    /* Acts once, in the function of this name. */
    const char *moment;
    void (*act)(struct screen *screen);
};

static void acted(struct screen *screen, const char *moment)
{
    void (*act)(struct screen *) = screen->act;
    if (act != NULL && strcmp(screen->moment, moment) == 0) {
        screen->act = NULL;
        act(screen);
    }
}

static const char *reuse_identifier(fr_object *object, fr_index_path path, void *user_data)
{
    (void)object;
    (void)path;
    acted(user_data, "reuse_identifier");
    return "cell";
}

static void *dequeue(const char *identifier, fr_index_path path, void *user_data)
{
    struct screen *screen = user_data;
    (void)identifier;
    (void)path;
    acted(screen, "dequeue");
    return &screen->cell;
}

static void *visible_cell(fr_index_path path, void *user_data)
{
    struct screen *screen = user_data;
    (void)path;
    acted(screen, "visible_cell");
    return &screen->cell;
}

static void configure(void *cell, fr_object *object, fr_index_path path, void *user_data)
{
    struct screen *screen = user_data;
    CHECK(cell == &screen->cell);
    text_add(&screen->log, "%d.%d=%s ", (int)path.section, (int)path.row, object_text(object, "name"));
    acted(screen, "configure");
}

static void reload(fr_coordinator *coordinator, void *user_data)
{
    (void)coordinator;
    text_add(&((struct screen *)user_data)->log, "reload ");
}

static void deletes(fr_coordinator *coordinator, const fr_index_path *rows, size_t count, void *user_data)
{
    struct screen *screen = user_data;
    size_t index;
    (void)coordinator;
    for (index = 0; index < count; index++) {
        text_add(&screen->log, "-%d.%d ", (int)rows[index].section, (int)rows[index].row);
    }
}

/* Gets a cell for each, like a view that has them in sight. */
static void inserts(fr_coordinator *coordinator, const fr_index_path *rows, size_t count, void *user_data)
{
    struct screen *screen = user_data;
    size_t index;
    (void)coordinator;
    for (index = 0; index < count; index++) {
        void *cell = NULL;
        text_add(&screen->log, "+%d.%d ", (int)rows[index].section, (int)rows[index].row);
        fr_data_source_cell(&cell, screen->source, rows[index]);
    }
}

static void update_cell(fr_coordinator *coordinator, fr_index_path path, fr_object *object, void *user_data)
{
    struct screen *screen = user_data;
    (void)coordinator;
    fr_data_source_update_visible_cell(screen->source, path, object);
}

static void count_changed(fr_coordinator *coordinator, int64_t count, void *user_data)
{
    (void)coordinator;
    text_add(&((struct screen *)user_data)->log, "n%d ", (int)count);
}

static void destroy(void *user_data)
{
    ((struct screen *)user_data)->destroyed += 1;
}

#define CHECK_SCREEN(screen, expected) \
    do { \
        CHECK_TEXT(text_get(&(screen)->log), expected); \
        text_free(&(screen)->log); \
    } while (0)

static void stage(struct screen *screen, uint32_t flags)
{
    fr_view view;
    fr_cells cells;
    memset(screen, 0, sizeof *screen);
    memset(&view, 0, sizeof view);
    view.struct_size = sizeof view;
    view.reload = reload;
    view.delete_rows = deletes;
    view.insert_rows = inserts;
    view.update_cell = update_cell;
    view.count_changed = count_changed;
    memset(&cells, 0, sizeof cells);
    cells.struct_size = sizeof cells;
    cells.reuse_identifier = reuse_identifier;
    cells.dequeue = dequeue;
    cells.visible_cell = visible_cell;
    cells.configure = configure;
    screen->store = store_with("CREATE TABLE t(id INTEGER PRIMARY KEY, name);"
                               "INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c')");
    screen->list = list_of(screen->store, "t", NULL, NULL, NULL);
    CHECK_OK(fr_data_source_new(&screen->source, screen->list, &cells, screen, destroy));
    CHECK_OK(fr_coordinator_new(&screen->coordinator, screen->list, &view, flags, screen, destroy));
    CHECK_OK(fr_coordinator_load_data(screen->coordinator, true));
    CHECK_SCREEN(screen, "reload n3 ");
}

static void leave(struct screen *screen)
{
    fr_coordinator_free(screen->coordinator);
    fr_data_source_free(screen->source);
    CHECK_INT(screen->destroyed, 2);
    fr_list_free(screen->list);
    if (screen->store != NULL) {
        CHECK_OK(fr_store_close(screen->store));
    }
    text_free(&screen->log);
}

static const char change[] =
    "BEGIN; INSERT INTO t VALUES (4, 'd'), (5, 'e'); UPDATE t SET name = upper(name) WHERE id < 4; COMMIT";

/*
 * The calls that the transaction causes for a view that does nothing else, and the places of the
 * parts after which an action may follow.
 */
#define INSERTS "+0.3 0.3=d +0.4 0.4=e "
#define CELLS "0.0=A 0.1=B 0.2=C "

static const char *const moments[] = {"reuse_identifier", "dequeue", "configure", "visible_cell"};

#define EACH_MOMENT(moment) for (moment = moments; moment < moments + sizeof moments / sizeof *moments; moment++)

static void act_at(struct screen *screen, const char *moment, void (*act)(struct screen *), uint32_t flags)
{
    stage(screen, flags);
    screen->moment = moment;
    screen->act = act;
    fr_store_execute_script(screen->store, change);
    CHECK(screen->act == NULL);
}

static void write_inside(struct screen *screen)
{
    CHECK_OK(fr_store_execute(screen->store, "UPDATE t SET name = name || '!' WHERE id = 1 OR id = 4", NULL, 0));
}

static bool is_in_insert(const char *moment)
{
    return strcmp(moment, "visible_cell") != 0;
}

static void a_write_is_delivered_as_a_batch_of_its_own(void)
{
    const char *const *moment;
    EACH_MOMENT(moment)
    {
        struct screen screen;
        act_at(&screen, *moment, write_inside, 0);
        CHECK_SCREEN(&screen, INSERTS CELLS "n5 0.0=A! 0.3=d! ");
        leave(&screen);
    }
}

static void free_coordinator_inside(struct screen *screen)
{
    fr_coordinator_free(screen->coordinator);
    CHECK_INT(screen->destroyed, 0);
}

static void freeing_the_coordinator_ends_it_there(void)
{
    const char *const *moment;
    EACH_MOMENT(moment)
    {
        struct screen screen;
        act_at(&screen, *moment, free_coordinator_inside, 0);
        CHECK_INT(screen.destroyed, 1);
        /* The data source can still be read. */
        CHECK_SCREEN(&screen, is_in_insert(*moment) ? INSERTS : INSERTS "0.0=A ");
        run(screen.store, "DELETE FROM t");
        CHECK_SCREEN(&screen, "");
        leave(&screen);
    }
}

static void free_source_inside(struct screen *screen)
{
    fr_data_source_free(screen->source);
    CHECK_INT(screen->destroyed, 0);
}

static void freeing_the_data_source_leaves_the_coordinator(void)
{
    const char *const *moment;
    EACH_MOMENT(moment)
    {
        struct screen screen;
        bool is_configure = strcmp(*moment, "configure") == 0;
        act_at(&screen, *moment, free_source_inside, 0);
        CHECK_INT(screen.destroyed, 1);
        CHECK_SCREEN(&screen, !is_in_insert(*moment) ? INSERTS "n5 "
                              : is_configure         ? "+0.3 0.3=d +0.4 n5 "
                                                     : "+0.3 +0.4 n5 ");
        run(screen.store, "DELETE FROM t WHERE id = 1");
        CHECK_SCREEN(&screen, "-0.0 n4 ");
        leave(&screen);
    }
}

static void free_list_inside(struct screen *screen)
{
    fr_list_free(screen->list);
    screen->list = NULL;
}

static void close_inside(struct screen *screen)
{
    CHECK_OK(fr_store_close(screen->store));
    screen->store = NULL;
}

static void free_all_inside(struct screen *screen)
{
    free_coordinator_inside(screen);
    free_source_inside(screen);
    free_list_inside(screen);
    close_inside(screen);
}

/* The cell under way is still supplied and configured; the object that it shows was read before. */
static void freeing_the_list_or_closing_the_store_ends_both(void)
{
    void (*const acts[])(struct screen *) = {free_list_inside, close_inside};
    const char *const *moment;
    size_t act;
    EACH_MOMENT(moment)
    {
        for (act = 0; act < 2; act++) {
            struct screen screen;
            int64_t sections = 0;
            act_at(&screen, *moment, acts[act], 0);
            CHECK_SCREEN(&screen, is_in_insert(*moment) ? "+0.3 0.3=d +0.4 " : INSERTS "0.0=A ");
            CHECK_OK(fr_data_source_section_count(&sections, screen.source));
            CHECK_INT(sections, 1);
            leave(&screen);
        }
    }
}

static void freeing_everything(void)
{
    const char *const *moment;
    EACH_MOMENT(moment)
    {
        struct screen screen;
        act_at(&screen, *moment, free_all_inside, 0);
        CHECK_INT(screen.destroyed, 2);
        CHECK_SCREEN(&screen, !is_in_insert(*moment)              ? INSERTS
                              : strcmp(*moment, "configure") == 0 ? "+0.3 0.3=d +0.4 "
                                                                  : "+0.3 +0.4 ");
        leave(&screen);
    }
}

/* The program itself gets cells, outside of any delivery. */
static void a_cell_that_the_program_requests(void)
{
    const char *const *moment;
    EACH_MOMENT(moment)
    {
        struct screen screen;
        fr_object *object = NULL;
        void *cell = NULL;
        stage(&screen, 0);
        screen.moment = *moment;
        screen.act = write_inside;
        CHECK_OK(fr_list_object_at(&object, screen.list, path_at(0, 0)));
        if (is_in_insert(*moment)) {
            CHECK_OK(fr_data_source_cell(&cell, screen.source, path_at(0, 0)));
        } else {
            CHECK_OK(fr_data_source_update_visible_cell(screen.source, path_at(0, 0), object));
        }
        fr_object_unref(object);
        CHECK(screen.act == NULL);
        /*
         * The view gets the write immediately. The cell under way gets the object that it was
         * requested for.
         */
        CHECK_SCREEN(&screen, strcmp(*moment, "configure") == 0 ? "0.0=a 0.0=a! " : "0.0=a! 0.0=a ");
        leave(&screen);
    }
}

TESTS(cell_callback_tests) = {
    TEST(a_write_is_delivered_as_a_batch_of_its_own),
    TEST(freeing_the_coordinator_ends_it_there),
    TEST(freeing_the_data_source_leaves_the_coordinator),
    TEST(freeing_the_list_or_closing_the_store_ends_both),
    TEST(freeing_everything),
    TEST(a_cell_that_the_program_requests),
    END_OF_TESTS,
};
