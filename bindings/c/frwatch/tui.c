/* The table in the terminal: what is drawn, and what keys do. */
#include "tui.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "keys.h"
#include "message.h"
#include "screen.h"
#include "search.h"
#include "signals.h"
#include "table.h"

enum { BUSY_MS = 200, SCROLL_COLUMNS = 8, NARROW = 40 };

struct tui {
    struct watch *watch;
    struct screen screen;
    struct table table;
    struct search search;
    int skipped;      /* columns to the left of the screen */
    int help_top;     /* the first key that is described; -1 while the list is shown */
    char words[200];  /* what is searched */
    bool is_typing;   /* these words */
    bool is_searching;
    char notice[300]; /* what the last line says until the next key; "" for nothing */
};

static const char *const key_lines[] = {
    "j k  Down Up          the next row, the one before",
    "space b  PageDown Up  a screen down, up",
    "g G  Home End         the first row, the last one",
    "] [                   the next section, the one before",
    "l h  Right Left       columns farther right, left",
    "/                     search; Return searches, Escape cancels",
    "n N                   search again, forwards, backwards",
    "Ctrl-C                end a search, or quit",
    "Ctrl-L                draw the screen again",
    "q                     quit",
};

enum { KEY_LINES = sizeof key_lines / sizeof *key_lines };

/* How many lines the rows have: the first line has the heads, the last one the state. */
static int row_lines(const struct tui *tui)
{
    return tui->screen.height > 2 ? tui->screen.height - 2 : 0;
}

static void add_state(struct tui *tui, struct line *line)
{
    const struct marks *marks = &tui->table.marks;
    int64_t rows = 0;
    fr_list_count(&rows, tui->watch->list);
    if (tui->is_typing) {
        line_add(line, "/", 1);
        line_add_text(line, tui->words, -1);
        line_add(line, "_", 1);
    } else if (tui->is_searching) {
        line_add(line, "searching ", 10);
        line_add_text(line, tui->words, -1);
        line_addf(line, ": %d %%", (int)((rows - tui->search.left) * 100 / rows));
    } else if (tui->notice[0] != '\0') {
        line_add_text(line, tui->notice, -1);
    } else {
        line_add_text(line, tui->watch->options->table, -1);
        line_addf(line, ": row %lld of %lld, deliveries: %lld", (long long)table_selected_index(&tui->table) + 1,
                  (long long)rows, (long long)tui->watch->deliveries);
        if (marks->deleted > 0) {
            line_addf(line, ", %lld deleted", (long long)marks->deleted);
        }
    }
}

/* The keys that matter now, which stay when the state has to be cut. */
static const char *hint(const struct tui *tui)
{
    bool is_narrow = tui->screen.width < NARROW;
    if (tui->is_typing) {
        return is_narrow ? "" : "Return searches  Escape cancels";
    }
    if (tui->is_searching) {
        return is_narrow ? "q quit" : "Ctrl-C ends the search  q quit";
    }
    return is_narrow ? "q quit" : "? keys  q quit";
}

static void draw_state(struct tui *tui)
{
    struct line state = {0}, line = {0};
    const char *keys = hint(tui);
    int room = tui->screen.width - (int)strlen(keys);
    add_state(tui, &state);
    if (room > 2) {
        line_add_cut(&line, &state, room - 2);
        line_pad(&line, room);
    }
    line_add(&line, keys, (int)strlen(keys));
    screen_put(&tui->screen, tui->screen.height - 1, &line, 0, STYLE_PLAIN);
    line_free(&state);
    line_free(&line);
}

static void draw_help(struct tui *tui)
{
    struct line line = {0};
    line_add(&line, "keys", 4);
    screen_put(&tui->screen, 0, &line, 0, STYLE_UNDERLINED);
    for (int y = 0; y < row_lines(tui); y++) {
        const char *text = tui->help_top + y < KEY_LINES ? key_lines[tui->help_top + y] : "";
        line_clear(&line);
        line_add(&line, text, (int)strlen(text));
        screen_put(&tui->screen, y + 1, &line, 0, STYLE_PLAIN);
    }
    line_free(&line);
}

static void draw_table(struct tui *tui)
{
    struct line line = {0};
    struct table *table = &tui->table;
    fr_index_path path;
    bool is_there;
    table->edge = tui->screen.width + tui->skipped;
    table_scroll(table, row_lines(tui));
    /* Twice, as the first row that is wide widens its column for the lines above it. */
    for (int pass = 0; pass < 2; pass++) {
        path = table->top;
        is_there = table_has_line(table, path);
        line_clear(&line);
        table_add_heads(table, &line);
        if (pass == 1) {
            screen_put(&tui->screen, 0, &line, tui->skipped, STYLE_UNDERLINED);
        }
        for (int y = 1; y <= row_lines(tui); y++) {
            enum style style = STYLE_PLAIN;
            line_clear(&line);
            if (is_there) {
                bool is_selected = path.section == table->selected.section && path.row == table->selected.row;
                style = path.row < 0 ? STYLE_BOLD : is_selected ? STYLE_REVERSE : STYLE_PLAIN;
                table_add_line(table, &line, path);
                is_there = table_next_line(table, &path);
            } else if (y == 1) {
                line_add(&line, "  0 rows", 8);
            }
            if (pass == 1) {
                screen_put(&tui->screen, y, &line, style == STYLE_BOLD ? 0 : tui->skipped, style);
            }
        }
    }
    line_free(&line);
}

/* A search does not change what the table shows. */
static void draw(struct tui *tui)
{
    if (tui->help_top >= 0) {
        draw_help(tui);
    } else if (!tui->is_searching || screen_is_blank(&tui->screen)) {
        draw_table(tui);
    }
    draw_state(tui);
    screen_flush();
}

static void delivered(struct watch *watch, fr_change_set *changes, void *user_data)
{
    struct table *table = &((struct tui *)user_data)->table;
    (void)watch;
    table_follow(table);
    marks_take(&table->marks, changes);
}

static void failed(struct watch *watch, const fr_error *error, void *user_data)
{
    struct tui *tui = user_data;
    (void)watch;
    snprintf(tui->notice, sizeof tui->notice, "the list can't follow: %s", error->message);
}

/* Looks at some more rows. */
static void continue_search(struct tui *tui)
{
    int64_t index = search_continue(&tui->search);
    if (index >= 0) {
        table_select(&tui->table, index);
        tui->is_searching = false;
    } else if (tui->search.left == 0) {
        snprintf(tui->notice, sizeof tui->notice, "no row shows \"%s\"", tui->words);
        tui->is_searching = false;
    }
}

static void find(struct tui *tui, int direction)
{
    search_begin(&tui->search, tui->watch->list, tui->words, table_selected_index(&tui->table), direction);
    tui->is_searching = true;
    continue_search(tui);
}

static void end_search(struct tui *tui)
{
    tui->is_searching = false;
    snprintf(tui->notice, sizeof tui->notice, "the search was ended");
}

/* A key of the words that are searched. */
static void type(struct tui *tui, int key)
{
    size_t length = strlen(tui->words);
    if (key == KEY_ENTER) {
        tui->is_typing = false;
        find(tui, 1);
    } else if (key == KEY_ESCAPE) {
        tui->is_typing = false;
    } else if (key == KEY_BACKSPACE) {
        while (length > 0 && (tui->words[--length] & 0xC0) == 0x80) {
        }
        tui->words[length] = '\0';
    } else if (key >= ' ' && key < 256 && length + 1 < sizeof tui->words) {
        tui->words[length] = (char)key;
        tui->words[length + 1] = '\0';
    }
}

static void move(struct tui *tui, int64_t rows)
{
    table_select(&tui->table, table_selected_index(&tui->table) + rows);
}

/* The next keys, or the list again. False to quit. */
static bool press_in_help(struct tui *tui, int key)
{
    tui->help_top += row_lines(tui) > 0 ? row_lines(tui) : KEY_LINES;
    if (tui->help_top >= KEY_LINES) {
        tui->help_top = -1;
    }
    return key != 'q' && key != KEY_END_OF_INPUT;
}

/* False to quit. */
static bool press(struct tui *tui, int key)
{
    int page = row_lines(tui) > 1 ? row_lines(tui) - 1 : 1;
    tui->notice[0] = '\0';
    tui->is_searching = false;
    if (tui->help_top >= 0) {
        return press_in_help(tui, key);
    }
    if (tui->is_typing) {
        type(tui, key);
        return key != KEY_END_OF_INPUT;
    }
    switch (key) {
        /* clang-format off */
    case 'q': case KEY_END_OF_INPUT: return false;
    case 'j': case KEY_DOWN: move(tui, 1); break;
    case 'k': case KEY_UP: move(tui, -1); break;
    case ' ': case KEY_PAGE_DOWN: move(tui, page); break;
    case 'b': case KEY_PAGE_UP: move(tui, -page); break;
    case 'g': case KEY_HOME: table_select(&tui->table, 0); break;
    case 'G': case KEY_END: table_select(&tui->table, INT64_MAX); break;
    case ']': table_select_section(&tui->table, 1); break;
    case '[': table_select_section(&tui->table, -1); break;
    case 'h': case KEY_LEFT: tui->skipped -= tui->skipped > 0 ? SCROLL_COLUMNS : 0; break;
    case 'l': case KEY_RIGHT: tui->skipped += SCROLL_COLUMNS; break;
    case '?': tui->help_top = 0; break;
    case '/': tui->is_typing = true; tui->words[0] = '\0'; break;
    case 'n': find(tui, 1); break;
    case 'N': find(tui, -1); break;
    case 'L' - '@': screen_measure(&tui->screen); break;
        /* clang-format on */
    }
    return true;
}

static void take_signals(struct tui *tui)
{
    struct signals signals = signals_take();
    if (signals.suspended) {
        screen_suspend(&tui->screen);
    }
    if (signals.resized) {
        screen_measure(&tui->screen);
    }
    if (tui->is_searching && signals_take_interrupt()) {
        end_search(tui);
    }
}

/* Changes wait while a search runs, which counts rows. False when it is over. */
static bool wait_once(struct tui *tui, int32_t descriptor, bool *is_lost, bool *is_busy)
{
    struct pollfd events[] = {{descriptor, POLLIN, 0}, {signals_descriptor(), POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
    int key, timeout = tui->is_searching ? 0 : *is_busy ? BUSY_MS : -1;
    if (*is_busy || tui->is_searching) {
        events[0].fd = -1;
    }
    draw(tui);
    if (poll(events, sizeof events / sizeof *events, timeout) < 0 && errno != EINTR) {
        return false;
    }
    take_signals(tui);
    if (signals_ending() != 0) {
        return false;
    }
    if (tui->is_searching && events[2].revents == 0) {
        continue_search(tui);
        return true;
    }
    if ((events[0].revents != 0 || *is_busy) && fr_store_dispatch(tui->watch->store) != FR_OK) {
        *is_busy = fr_error_status() == FR_BUSY;
        *is_lost = !*is_busy && !watch_waits_for_file();
        snprintf(tui->notice, sizeof tui->notice, "%s", fr_error_message());
        return !*is_lost;
    }
    *is_busy = false;
    if (events[0].revents != 0 && watch_has_other_file(tui->watch)) {
        snprintf(tui->notice, sizeof tui->notice, "%s", OTHER_FILE);
    }
    if (events[2].revents != 0) {
        while ((key = keys_next(STDIN_FILENO)) != KEY_NONE) {
            if (!press(tui, key)) {
                return false;
            }
        }
    }
    return true;
}

int tui_show(struct watch *watch)
{
    struct tui tui;
    struct names heads = {0};
    const struct reporter reporter = {delivered, failed, &tui};
    int32_t descriptor;
    bool is_lost = false, is_busy = false;
    memset(&tui, 0, sizeof tui);
    tui.watch = watch;
    tui.help_top = -1;
    if (!watch_descriptor(watch, &descriptor)) {
        return EXIT_UNUSABLE;
    }
    if (!watch_report(watch, reporter) || !signals_catch() || !screen_open(&tui.screen)) {
        return EXIT_UNUSABLE;
    }
    watch_columns(watch, &heads);
    table_open(&tui.table, watch->list, watch->options->section != NULL, heads);
    while (wait_once(&tui, descriptor, &is_lost, &is_busy)) {
    }
    screen_close(&tui.screen);
    table_close(&tui.table);
    if (is_lost) {
        message("%s: %s", watch->options->database, tui.notice);
        return EXIT_UNUSABLE;
    }
    return EXIT_SUCCESS;
}
