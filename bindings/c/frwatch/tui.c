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

enum { BUSY_MS = 200, SCROLL_COLUMNS = 8 };

struct tui {
    struct watch *watch;
    struct screen screen;
    struct table table;
    int skipped;      /* columns to the left of the screen */
    char words[200];  /* what is searched */
    bool is_typing;   /* these words */
    char notice[300]; /* what the last line says until the next key; "" for nothing */
};

static const char help_line[] = "arrows j/k  space/b page  g/G ends  [/] section  / search  n/N again  q quit";

/* How many lines the rows have: the first line has the heads, the last one the state. */
static int row_lines(const struct tui *tui)
{
    return tui->screen.height > 2 ? tui->screen.height - 2 : 0;
}

static void add_state(struct tui *tui, struct line *line)
{
    int64_t rows = 0;
    fr_list_count(&rows, tui->watch->list);
    if (tui->is_typing) {
        line_add(line, "/", 1);
        line_add_text(line, tui->words, -1);
        line_add(line, "_", 1);
    } else if (tui->notice[0] != '\0') {
        line_add_text(line, tui->notice, -1);
    } else {
        line_add_text(line, tui->watch->options->table, -1);
        line_addf(line, ": row %lld of %lld, deliveries: %lld | %s", (long long)table_selected_index(&tui->table) + 1,
                  (long long)rows, (long long)tui->watch->deliveries, help_line);
    }
}

static void draw(struct tui *tui)
{
    struct line line = {0};
    struct table *table = &tui->table;
    fr_index_path path;
    bool is_there;
    table_scroll(table, row_lines(tui));
    path = table->top;
    is_there = table_has_line(table, path);
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
            }
            if (pass == 1) {
                screen_put(&tui->screen, y, &line, style == STYLE_BOLD ? 0 : tui->skipped, style);
            }
        }
    }
    line_clear(&line);
    add_state(tui, &line);
    screen_put(&tui->screen, tui->screen.height - 1, &line, 0, STYLE_PLAIN);
    screen_flush();
    line_free(&line);
}

static void delivered(struct watch *watch, fr_change_set *changes, void *user_data)
{
    (void)watch, (void)changes;
    table_follow(&((struct tui *)user_data)->table);
}

static void failed(struct watch *watch, const fr_error *error, void *user_data)
{
    struct tui *tui = user_data;
    (void)watch;
    snprintf(tui->notice, sizeof tui->notice, "the list can't follow: %s: %s", fr_status_name(error->status),
             error->message);
}

static void find(struct tui *tui, int direction)
{
    int64_t index = search_rows(tui->watch->list, tui->words, table_selected_index(&tui->table), direction);
    if (index >= 0) {
        table_select(&tui->table, index);
    } else {
        snprintf(tui->notice, sizeof tui->notice, "no row shows \"%s\"", tui->words);
    }
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

/* False to quit. */
static bool press(struct tui *tui, int key)
{
    int page = row_lines(tui) > 1 ? row_lines(tui) - 1 : 1;
    tui->notice[0] = '\0';
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
}

/* False when it is over. */
static bool wait_once(struct tui *tui, int32_t descriptor, bool *is_lost, bool *is_busy)
{
    struct pollfd events[] = {{descriptor, POLLIN, 0}, {signals_descriptor(), POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
    int key;
    if (*is_busy) {
        events[0].fd = -1;
    }
    draw(tui);
    if (poll(events, sizeof events / sizeof *events, *is_busy ? BUSY_MS : -1) < 0 && errno != EINTR) {
        return false;
    }
    take_signals(tui);
    if (signals_ending() != 0) {
        return false;
    }
    if ((events[0].revents != 0 || *is_busy) && fr_store_dispatch(tui->watch->store) != FR_OK) {
        *is_busy = fr_error_status() == FR_BUSY;
        *is_lost = !*is_busy;
        snprintf(tui->notice, sizeof tui->notice, "%s", fr_error_message());
        return *is_busy;
    }
    *is_busy = false;
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
    const struct reporter reporter = {delivered, failed, &tui};
    int32_t descriptor;
    bool is_lost = false, is_busy = false;
    memset(&tui, 0, sizeof tui);
    tui.watch = watch;
    if (!watch_descriptor(watch, &descriptor)) {
        return EXIT_UNUSABLE;
    }
    if (!watch_report(watch, reporter) || !signals_catch() || !screen_open(&tui.screen)) {
        return EXIT_UNUSABLE;
    }
    table_open(&tui.table, watch->list, watch->options->section != NULL);
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
