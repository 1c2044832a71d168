/*
 * A live list in a terminal: tasks in sections, by a coordinator and a data source. Whichever
 * program writes to the database, the lines and the selected row follow. frwatch
 * (bindings/c/frwatch) is a whole program of this kind.
 *
 *     cc terminal_list.c $(pkg-config --cflags --libs fetchedresults) -o terminal_list
 *     terminal_list days.db
 *
 * j and k select another row, d deletes it, q quits.
 */
#include <fetchedresults/views.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

struct app {
    fr_store *store;
    fr_list *list;
    fr_data_source *source;
    fr_coordinator *coordinator;
    fr_object *selected; /* NULL if no row is */
    struct termios terminal;
    bool has_terminal;
};

static const char schema[] = "CREATE TABLE IF NOT EXISTS tasks"
                             " (id INTEGER PRIMARY KEY, title TEXT NOT NULL, day TEXT NOT NULL DEFAULT 'today')";

/* Every function returns the status of what failed, and main ends with its message. */
static fr_status draw_row(struct app *app, fr_index_path path, fr_index_path selected)
{
    fr_object *task;
    fr_value title;
    fr_status status = fr_data_source_object_at(&task, app->source, path);
    if (status == FR_GONE) {
        return FR_OK; /* another program has changed the row: the next dispatch delivers that */
    }
    if (status == FR_OK) {
        status = fr_object_value_named(&title, task, "title");
        if (status == FR_OK) {
            bool is_selected = path.section == selected.section && path.row == selected.row;
            printf("%s %s\n", is_selected ? ">" : " ", title.data);
        }
        fr_object_unref(task);
    }
    return status;
}

static fr_status draw(struct app *app)
{
    fr_index_path selected = {-1, -1};
    int64_t sections, rows;
    const char *title;
    fr_status status = fr_data_source_section_count(&sections, app->source);
    if (status == FR_OK && app->selected != NULL) {
        status = fr_data_source_select_objects(&selected, NULL, app->source, &app->selected, 1);
    }
    fputs(isatty(STDOUT_FILENO) ? "\033[H\033[J" : "--\n", stdout);
    for (fr_index_path path = {0, 0}; status == FR_OK && path.section < sections; path.section++) {
        status = fr_data_source_section_title(&title, app->source, path.section);
        if (status == FR_OK) {
            printf("%s:\n", title != NULL ? title : "");
            status = fr_data_source_row_count(&rows, app->source, path.section);
        }
        for (path.row = 0; status == FR_OK && path.row < rows; path.row++) {
            status = draw_row(app, path, selected);
        }
    }
    fflush(stdout);
    return status;
}

/*
 * The coordinator calls this for each delivery, as the view has no functions for smaller changes.
 */
static void reload(fr_coordinator *coordinator, void *user_data)
{
    (void)coordinator;
    if (draw(user_data) != FR_OK) {
        fprintf(stderr, "terminal_list: %s\n", fr_error_message());
    }
}

static fr_status open_list(struct app *app, const char *path)
{
    const fr_view view = {.struct_size = sizeof view, .reload = reload};
    fr_request *request = NULL;
    fr_status status = fr_store_open(&app->store, path, NULL);
    if (status == FR_OK && (status = fr_store_execute(app->store, schema, NULL, 0)) == FR_OK
        && (status = fr_request_new(&request, "tasks")) == FR_OK
        && (status = fr_request_set_section(request, "day", FR_ASCENDING, NULL)) == FR_OK
        && (status = fr_request_add_sort(request, "title", FR_ASCENDING, "NOCASE")) == FR_OK
        && (status = fr_controller_new(&app->list, app->store, request)) == FR_OK
        && (status = fr_data_source_new(&app->source, app->list, NULL, NULL, NULL)) == FR_OK
        && (status = fr_data_source_set_system_headers(app->source, true)) == FR_OK
        && (status = fr_coordinator_new(&app->coordinator, app->list, &view, 0, app, NULL)) == FR_OK) {
        status = fr_coordinator_load_data(app->coordinator, true);
    }
    fr_request_free(request);
    return status;
}

/*
 * Selects the row so many rows after the selected one. At the ends of the list the selection stays.
 */
static fr_status move(struct app *app, int direction)
{
    fr_index_path path;
    fr_object *object;
    int64_t index = -1;
    if (app->selected != NULL && fr_list_index_path_of(&path, app->list, app->selected) == FR_OK) {
        fr_list_index_of(&index, app->list, path);
    }
    if (fr_list_index_path_at(&path, app->list, index + direction) == FR_OK
        && fr_list_object_at(&object, app->list, path) == FR_OK) {
        fr_object_unref(app->selected);
        app->selected = object;
    }
    return draw(app);
}

static fr_status delete_selected(struct app *app)
{
    fr_value identity;
    fr_status status = app->selected != NULL ? fr_object_identity(&identity, app->selected, 0) : FR_NOT_FOUND;
    if (status == FR_OK) {
        status = fr_store_delete(app->store, "tasks", &identity, 1);
    }
    return status == FR_NOT_FOUND ? FR_OK : status; /* another program may have been faster */
}

static fr_status press(struct app *app, char key)
{
    return key == 'j' ? move(app, 1) : key == 'k' ? move(app, -1) : key == 'd' ? delete_selected(app) : FR_OK;
}

static fr_status run(struct app *app)
{
    struct pollfd inputs[] = {{STDIN_FILENO, POLLIN, 0}, {-1, POLLIN, 0}};
    fr_status status = fr_store_file_descriptor(&inputs[1].fd, app->store);
    while (status == FR_OK && poll(inputs, 2, -1) > 0) {
        char key;
        if (inputs[1].revents != 0) {
            status = fr_store_dispatch(app->store);
        } else if (read(STDIN_FILENO, &key, 1) <= 0 || key == 'q') {
            break;
        } else {
            status = press(app, key);
        }
    }
    return status;
}

/*
 * Keys come one by one. Signals of the keyboard do not end the program, so that it leaves the
 * terminal as it was.
 */
static void enter_terminal(struct app *app)
{
    struct termios raw;
    app->has_terminal = tcgetattr(STDIN_FILENO, &app->terminal) == 0;
    if (app->has_terminal) {
        raw = app->terminal;
        raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG);
        tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    }
}

int main(int argc, char **argv)
{
    struct app app = {0};
    fr_status status;
    if (argc != 2) {
        fprintf(stderr, "usage: terminal_list DATABASE\n");
        return 2;
    }
    enter_terminal(&app);
    status = open_list(&app, argv[1]);
    if (status == FR_OK) {
        status = run(&app);
    }
    /* The message belongs to the last call: it is printed before anything is freed. */
    if (status != FR_OK) {
        fprintf(stderr, "terminal_list: %s: %s\n", fr_status_name(status), fr_error_message());
    }
    if (app.has_terminal) {
        tcsetattr(STDIN_FILENO, TCSANOW, &app.terminal);
    }
    fr_object_unref(app.selected);
    fr_coordinator_free(app.coordinator);
    fr_data_source_free(app.source);
    fr_list_free(app.list);
    fr_store_close(app.store);
    return status == FR_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
