/*
 * A list in a terminal: animals by their kinds, with headers and an index. Another thread changes them as well, through
 * a connection of its own.
 *
 *     cc table.c terminal_list.c $(pkg-config --cflags --libs fetchedresults) -lpthread -o terminal_list
 *
 * Usage: terminal_list [--check] [DATABASE]
 * The other thread changes whatever database it is; its tables are made if they are missing. Without one, a temporary
 * one is filled. --check shows nothing: both threads make some hundred changes, and after each delivery the lines are
 * compared with a fresh read.
 */
#define _DEFAULT_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "table.h"

/* Entering and leaving the terminal. */

static struct termios saved_terminal;
static bool in_terminal;
static char folder[256], file[300]; /* of the temporary database */

static void leave_terminal(void)
{
    if (in_terminal) {
        fputs("\033[?7h\033[?25h\033[?1049l", stdout);
        fflush(stdout);
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &saved_terminal);
        in_terminal = false;
    }
}

static void enter_terminal(void)
{
    struct termios raw = saved_terminal;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    in_terminal = true;
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw);
    fputs("\033[?1049h\033[?25l\033[?7l", stdout); /* the other screen, no cursor, no wrapping */
}

static void clean_up(void)
{
    leave_terminal();
    if (file[0] != '\0') {
        static const char *const suffixes[] = {"", "-wal", "-shm"};
        for (size_t i = 0; i < 3; i++) {
            char name[sizeof file + 8];
            snprintf(name, sizeof name, "%s%s", file, suffixes[i]);
            unlink(name);
        }
    }
    if (folder[0] != '\0') {
        rmdir(folder);
    }
}

void fail(const char *message)
{
    leave_terminal();
    fprintf(stderr, "terminal_list: %s\n", message);
    exit(EXIT_FAILURE);
}

void check(fr_status status)
{
    if (status != FR_OK) {
        fail(fr_error_message());
    }
}

static void check_system(bool is_fine, const char *what)
{
    if (!is_fine) {
        char message[200];
        snprintf(message, sizeof message, "%s: %s", what, strerror(errno));
        fail(message);
    }
}

/* Random changes, by statements with a random number and a random name. */

#define SOME_KIND "(SELECT name FROM kinds ORDER BY (id * 7919 + ?1) % 101 LIMIT 1)"
#define SOME_ANIMAL "(SELECT id FROM animals ORDER BY (id * 7919 + ?1) % 1009 LIMIT 1)"

static const char schema[] =
    "CREATE TABLE IF NOT EXISTS kinds (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);"
    "CREATE TABLE IF NOT EXISTS animals (id INTEGER PRIMARY KEY, name TEXT NOT NULL, seen INTEGER NOT NULL DEFAULT 0,"
    " kind TEXT REFERENCES kinds(name) ON UPDATE CASCADE ON DELETE SET NULL);"
    "CREATE INDEX IF NOT EXISTS animals_by_kind ON animals (kind);";

static const char add_animal[] = "INSERT INTO animals (name, kind) VALUES (?2, " SOME_KIND ")";
static const char add_kind[] = "INSERT OR IGNORE INTO kinds (id, name) VALUES (?1 % 40 + 1, ?2)";

static const struct {
    const char *sql;
    size_t parameters;
    bool names_kind;
} changes[] = {
    {"INSERT INTO animals (name, kind) SELECT ?2, " SOME_KIND " WHERE (SELECT count(*) FROM animals) < 60", 2, false},
    {"DELETE FROM animals WHERE id = " SOME_ANIMAL " AND (SELECT count(*) FROM animals) > 30", 1, false},
    {"UPDATE animals SET name = ?2 WHERE id = " SOME_ANIMAL, 2, false},
    {"UPDATE animals SET seen = seen + 1 WHERE id = " SOME_ANIMAL, 1, false},
    {"UPDATE animals SET kind = (SELECT name FROM kinds WHERE name >= ?2 LIMIT 1) WHERE id = " SOME_ANIMAL, 2, true},
    {"UPDATE OR IGNORE kinds SET name = ?2 WHERE name = " SOME_KIND, 2, true},
    {add_kind, 2, true},
    {"DELETE FROM kinds WHERE id = ?1 % 40 + 1", 1, true}};

static const char *const animal_names[] = {"Ada",   "Bruno", "Clara", "Dora",  "Emil",    "Fritz",
                                           "Greta", "Hugo",  "Ida",   "Jonas", "Käthe",   "Leo",
                                           "Mia",   "Nora",  "Otto",  "Paula", "Quentin", "Rosa"};
static const char *const kind_names[] = {"Ants",   "Bears", "Cats",   "Dogs",  "Eagles", "Foxes",  "Geese", "Hares",
                                         "Ibises", "Jays",  "Koalas", "Lions", "Mice",   "Newts",  "Owls",  "Pigs",
                                         "Quails", "Rats",  "Seals",  "Toads", "Voles",  "Wolves", "Yaks",  "Zebras"};

static unsigned random_below(unsigned *seed, unsigned bound)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (unsigned)(((unsigned long long)*seed * bound) >> 32);
}

static fr_status run(fr_store *store, unsigned *seed, const char *sql, size_t parameters, bool names_kind)
{
    fr_value values[2];
    values[0] = fr_integer(random_below(seed, 1000000));
    values[1] = fr_text(names_kind ? kind_names[random_below(seed, sizeof kind_names / sizeof *kind_names)]
                                   : animal_names[random_below(seed, sizeof animal_names / sizeof *animal_names)]);
    return fr_store_execute(store, sql, values, parameters);
}

/* One transaction of some changes. Whoever runs it gets the lock first, so that none of its statements has to wait. */
static fr_status change(fr_store *store, unsigned *seed, unsigned most)
{
    fr_status status = fr_store_begin(store, FR_IMMEDIATE);
    for (unsigned left = 1 + random_below(seed, most); status == FR_OK && left > 0; left--) {
        int kind = "0011222333344567"[random_below(seed, 16)] - '0';
        status = run(store, seed, changes[kind].sql, changes[kind].parameters, changes[kind].names_kind);
    }
    return status == FR_OK ? fr_store_commit(store) : status;
}

static void fill(fr_store *store)
{
    unsigned seed = 1;
    check(fr_store_begin(store, FR_IMMEDIATE));
    for (int i = 0; i < 25; i++) {
        check(run(store, &seed, add_kind, 2, true));
    }
    for (int i = 0; i < 45; i++) {
        check(run(store, &seed, add_animal, 2, false));
    }
    check(fr_store_commit(store));
}

/* The other thread: it has a store of its own, and wakes the main thread by a byte in a pipe after each commit. */

struct writer {
    pthread_t thread;
    const char *path;
    int wake[2];  /* the thread closes wake[1] when it ends */
    int stop[2];  /* the main thread closes stop[1] to end the thread */
    int count;    /* of changes; -1: until it is stopped */
    int pause_ms; /* after each change */
    unsigned most;
    char failure[200]; /* to be read after the thread's end; "" if nothing failed */
};

static void *write_changes(void *user_data)
{
    struct writer *writer = user_data;
    unsigned seed = 2;
    fr_store *store = NULL;
    fr_status status = fr_store_open(&store, writer->path, NULL);
    while (status == FR_OK && writer->count != 0) {
        struct pollfd stop = {writer->stop[0], POLLIN, 0};
        if (poll(&stop, 1, writer->pause_ms) > 0) {
            break;
        }
        status = change(store, &seed, writer->most);
        if (status == FR_OK && write(writer->wake[1], "", 1) < 0 && errno != EAGAIN) {
            break; /* a full pipe wakes as well */
        }
        writer->count -= writer->count > 0;
    }
    if (status != FR_OK) {
        snprintf(writer->failure, sizeof writer->failure, "the other thread: %s", fr_error_message());
    }
    fr_store_close(store);
    close(writer->wake[1]);
    return NULL;
}

static void make_pipe(int ends[2])
{
    check_system(pipe(ends) == 0, "pipe");
    for (int i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFL, O_NONBLOCK);
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    }
}

/* Signals are for the main thread. */
static void start_writer(struct writer *writer)
{
    sigset_t all, before;
    make_pipe(writer->wake);
    make_pipe(writer->stop);
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    errno = pthread_create(&writer->thread, NULL, write_changes, writer);
    check_system(errno == 0, "pthread_create");
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Empties a pipe; false if its other end is closed. */
static bool drain(int descriptor)
{
    char bytes[64];
    ssize_t length;
    do {
        length = read(descriptor, bytes, sizeof bytes);
    } while (length > 0 || (length < 0 && errno == EINTR));
    return length != 0;
}

static void end_writer(struct writer *writer)
{
    close(writer->stop[1]);
    pthread_join(writer->thread, NULL);
    close(writer->stop[0]);
    close(writer->wake[0]);
    if (writer->failure[0] != '\0') {
        fail(writer->failure);
    }
}

/* The screen. What each of its lines holds is remembered, so that only those that differ are written. */

#define LINE_SIZE 1024

static char (*lines)[LINE_SIZE];
static int height, width;
static int64_t top; /* the list's line, headers counted, that is the first on the screen */
static bool is_jumping; /* the next key is a letter of the index */

static void measure(void)
{
    struct winsize size;
    bool is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0;
    height = is_known ? size.ws_row : 24;
    width = is_known ? size.ws_col : 80;
    width = width > 200 ? 200 : width;
    free(lines);
    lines = calloc((size_t)height, LINE_SIZE);
    check_system(lines != NULL, "measure");
    fputs("\033[m\033[2J", stdout);
}

/* Lines are as wide as the screen, so that they cover what was there. */
static void set_line(int y, const char *text)
{
    if (strcmp(lines[y], text) != 0) {
        snprintf(lines[y], LINE_SIZE, "%s", text);
        printf("\033[%d;1H%s\033[m", y + 1, text);
    }
}

/* Appends a text of exactly so many columns, of one column for each character. */
static char *append(char *out, const char *text, int columns)
{
    while (columns > 0 && *text != '\0') {
        if ((unsigned char)*text < ' ' || *text == 127) {
            *out++ = '?';
            text++;
        } else {
            int length = 1;
            while (length < 4 && ((unsigned char)text[length] & 0xC0) == 0x80) {
                length++;
            }
            memcpy(out, text, (size_t)length);
            out += length;
            text += length;
        }
        columns--;
    }
    while (columns-- > 0) {
        *out++ = ' ';
    }
    *out = '\0';
    return out;
}

static void draw_line(struct table *table, int y, fr_index_path path, const char *index_title)
{
    char text[LINE_SIZE];
    char *out = text;
    if (path.section < table->section_count) {
        struct section *section = table->sections[path.section];
        if (path.row < 0) {
            out += sprintf(out, "\033[1m");
            out = append(out, section->title, width - 2);
        } else {
            const struct cell *cell = table_cell(table, path);
            bool is_selected = path.section == table->selected_path.section && path.row == table->selected_path.row;
            out += sprintf(out, "%s  ", is_selected ? "\033[7m" : "");
            out = append(out, cell != NULL ? cell->text : "...", width - 4);
        }
    } else {
        out = append(out, "", width - 2);
    }
    out += sprintf(out, "\033[m ");
    append(out, index_title, 1);
    set_line(y, text);
}

/* The titles of the index are spread over the screen's lines; if there are too many, some are left out. */
static const char *index_title_at(struct table *table, int y, int shown)
{
    const char *title = "";
    int64_t count;
    check(fr_data_source_index_title_count(&count, table->source));
    if (count <= shown && y < count) {
        check(fr_data_source_index_title(&title, table->source, y));
    } else if (count > shown) {
        check(fr_data_source_index_title(&title, table->source, y * count / shown));
    }
    return title;
}

static void draw(struct table *table)
{
    char status[LINE_SIZE], text[200];
    int shown = height - 1;
    int64_t number = 0, selected = 0, total = 0;
    for (int64_t index = 0; index < table->section_count; index++) {
        if (index == table->selected_path.section) {
            selected = total + 1 + table->selected_path.row;
        }
        total += 1 + table->sections[index]->count;
    }
    /* The selection stays in sight, with the header before a first row, and the screen full. */
    top = selected >= top + shown ? selected - shown + 1 : top;
    top = top > total - shown ? total - shown : top;
    top = selected - (table->selected_path.row == 0) < top ? selected - (table->selected_path.row == 0) : top;
    top = top < 0 ? 0 : top;
    /* Cells that are out of sight go back first, so that lines that come into sight can have them. */
    for (int pass = 0; pass < 2; pass++) {
        number = 0;
        for (fr_index_path path = {0, -1}; path.section < table->section_count; path.section++) {
            for (path.row = -1; path.row < table->sections[path.section]->count; path.row++, number++) {
                bool in_sight = number >= top && number < top + shown;
                if (pass == 0 && !in_sight && path.row >= 0) {
                    table_hide(table, path);
                } else if (pass == 1 && in_sight) {
                    int y = (int)(number - top);
                    draw_line(table, y, path, index_title_at(table, y, shown));
                }
            }
        }
    }
    for (int y = number > top ? (int)(number - top) : 0; y < shown; y++) {
        const fr_index_path none = {table->section_count, -1};
        draw_line(table, y, none, index_title_at(table, y, shown));
    }
    snprintf(text, sizeof text,
             is_jumping ? "Jump to the letter: "
                        : "%lld animals, %lld batches, %lld cells | a add  d delete  j/k move  / jump  q quit",
             (long long)table->objects, (long long)table->batches, (long long)table->cells);
    append(status, text, width - 1);
    set_line(height - 1, status);
    fflush(stdout);
}

/* Keys. */

static void add(struct table *table, fr_store *store)
{
    static unsigned seed = 3;
    int64_t id;
    fr_value identity;
    fr_index_path path;
    check(run(store, &seed, add_animal, 2, false));
    check(fr_store_last_insert_rowid(&id, store));
    identity = fr_integer(id);
    if (fr_list_index_path_of_identity(&path, table->list, &identity, 1) == FR_OK) {
        table_select(table, path);
    }
}

/* The other thread may have been faster. */
static void delete_selected(struct table *table, fr_store *store)
{
    fr_value identity;
    if (table->selected != NULL) {
        fr_status status;
        check(fr_object_identity(&identity, table->selected, 0));
        status = fr_store_delete(store, "animals", &identity, 1);
        if (status != FR_NOT_FOUND) {
            check(status);
        }
    }
}

static void jump(struct table *table, char letter)
{
    int64_t count;
    fr_index_path path = {0, 0};
    check(fr_data_source_index_title_count(&count, table->source));
    for (int64_t index = 0; index < count; index++) {
        const char *title;
        check(fr_data_source_index_title(&title, table->source, index));
        if (toupper((unsigned char)title[0]) == toupper((unsigned char)letter)) {
            check(fr_data_source_section_for_index_title(&path.section, table->source, title, index));
            table_select(table, path);
            return;
        }
    }
}

/* False to quit. Arrows are an escape, '[' or 'O', and a letter. */
static bool press(struct table *table, fr_store *store, char key)
{
    static int escaped;
    if (escaped == 1 && (key == '[' || key == 'O')) {
        escaped = 2;
        return true;
    }
    if (escaped == 2 && (key == 'A' || key == 'B')) {
        key = key == 'A' ? 'k' : 'j';
    } else if (escaped == 2) {
        escaped = key >= '@' ? 0 : 2;
        return true;
    } else if (is_jumping && key != '\033') {
        is_jumping = false;
        jump(table, key);
        return true;
    }
    escaped = key == '\033';
    is_jumping = key == '/';
    switch (key) {
        /* clang-format off */
    case 'a': add(table, store); break;
    case 'd': delete_selected(table, store); break;
    case 'j': table_move_selection(table, 1); break;
    case 'k': table_move_selection(table, -1); break;
    case 'q': return false;
        /* clang-format on */
    }
    return true;
}

/* Signals: a handler notes them and wakes the loop. */

static volatile sig_atomic_t was_resized, was_suspended, ended_by;
static int signal_pipe[2];

static void handle(int number)
{
    int error = errno;
    if (number == SIGWINCH) {
        was_resized = 1;
    } else if (number == SIGTSTP) {
        was_suspended = 1;
    } else {
        ended_by = number;
    }
    if (write(signal_pipe[1], "", 1) < 0) {
        errno = error; /* it is full, and so wakes already */
    }
    errno = error;
}

static void handle_signals(void)
{
    static const int numbers[] = {SIGWINCH, SIGTSTP, SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct sigaction action;
    make_pipe(signal_pipe);
    memset(&action, 0, sizeof action);
    action.sa_handler = handle;
    action.sa_flags = SA_RESTART;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        sigaction(numbers[i], &action, NULL);
    }
}

static void show(struct table *table, fr_store *store, struct writer *writer)
{
    bool goes_on = true;
    int32_t descriptor;
    check(fr_store_file_descriptor(&descriptor, store));
    check_system(tcgetattr(STDIN_FILENO, &saved_terminal) == 0 && isatty(STDOUT_FILENO), "a terminal is needed");
    handle_signals();
    enter_terminal();
    measure();
    while (goes_on && ended_by == 0) {
        struct pollfd inputs[] = {{STDIN_FILENO, POLLIN, 0},
                                  {descriptor, POLLIN, 0},
                                  {writer->wake[0], POLLIN, 0},
                                  {signal_pipe[0], POLLIN, 0}};
        draw(table);
        if (poll(inputs, 4, -1) < 0) {
            check_system(errno == EINTR, "poll");
            continue;
        }
        drain(signal_pipe[0]);
        if (was_suspended) {
            was_suspended = 0;
            leave_terminal();
            raise(SIGSTOP);
            enter_terminal();
            was_resized = 1;
        }
        if (was_resized) {
            was_resized = 0;
            measure();
        }
        if (inputs[2].revents != 0 && !drain(writer->wake[0])) {
            break; /* the other thread has failed */
        }
        if (inputs[1].revents != 0 || inputs[2].revents != 0) {
            check(fr_store_dispatch(store));
        }
        if (inputs[0].revents != 0) {
            char keys[32];
            ssize_t length = read(STDIN_FILENO, keys, sizeof keys);
            goes_on = length > 0 || (length < 0 && errno == EINTR);
            for (ssize_t i = 0; i < length && goes_on; i++) {
                goes_on = press(table, store, keys[i]);
            }
        }
    }
    leave_terminal();
    free(lines);
}

/* --check: changes of both threads, sections shown and hidden, and rows selected, all at random. */
static bool compare(struct table *table, fr_store *store, struct writer *writer)
{
    unsigned seed = 4;
    bool is_right, is_whole, writes = true;
    is_right = table_is_right(table, &is_whole);
    for (int left = 300; is_right && (left > 0 || writes); left -= left > 0) {
        struct pollfd wake = {writer->wake[0], POLLIN, 0};
        if (left > 0) {
            const fr_index_path path = {random_below(&seed, 25), random_below(&seed, 5)};
            check(change(store, &seed, writer->most));
            is_right = table_is_right(table, &is_whole);
            if (left % 10 == 0) {
                table_select(table, path);
                check(fr_section_map_set_empty_sections(table->list, (int32_t)random_below(&seed, 2)));
                is_right = table_is_right(table, &is_whole) && is_right;
            }
        }
        if (writes && poll(&wake, 1, left > 0 ? 0 : -1) > 0) {
            writes = drain(writer->wake[0]);
            check(fr_store_dispatch(store));
            is_right = table_is_right(table, &is_whole) && is_right;
        }
    }
    check(fr_store_dispatch(store));
    is_right = table_is_right(table, &is_whole) && is_right;
    if (!is_whole) {
        fprintf(stderr, "terminal_list: some rows can't be read\n");
    }
    return is_right && is_whole;
}

int main(int argc, char **argv)
{
    bool is_check = argc > 1 && strcmp(argv[1], "--check") == 0, is_right = true;
    const char *path = argc > 1 + is_check ? argv[1 + is_check] : NULL;
    struct writer writer = {
        .path = path, .count = is_check ? 300 : -1, .pause_ms = is_check ? 0 : 700, .most = is_check ? 6 : 1};
    struct table table;
    fr_store *store;
    if (argc > 2 + is_check || (path != NULL && path[0] == '-')) {
        fprintf(stderr, "usage: terminal_list [--check] [DATABASE]\n");
        return 2;
    }
    atexit(clean_up);
    if (path == NULL) {
        const char *parent = getenv("TMPDIR");
        char template[sizeof folder];
        snprintf(template, sizeof template, "%s/terminal_list.XXXXXX", parent != NULL ? parent : "/tmp");
        check_system(mkdtemp(template) != NULL, template);
        memcpy(folder, template, sizeof folder);
        snprintf(file, sizeof file, "%s/animals.db", folder);
        writer.path = file;
    }
    check(fr_store_open(&store, writer.path, NULL));
    check(fr_store_execute_script(store, schema));
    if (path == NULL) {
        fill(store);
    }
    table_open(&table, store);
    start_writer(&writer);
    if (is_check) {
        is_right = compare(&table, store, &writer);
    } else {
        show(&table, store, &writer);
    }
    end_writer(&writer);
    if (is_check && is_right) {
        printf("terminal_list: %lld batches, all lines right\n", (long long)table.batches);
    }
    table_close(&table);
    check(fr_store_close(store));
    if (ended_by != 0) {
        clean_up();
        signal(ended_by, SIG_DFL);
        raise(ended_by);
    }
    return is_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
