/*
 * Damaged streams: fuzz-mirror RECORDED SEED ROUNDS. RECORDED has a message of pgoutput a line, in
 * hexadecimal. The messages are applied as they are, then in each round with damage. Memory that is
 * read or written wrongly is found by the address sanitizer; a message that is refused is right.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apply.h"
#include "file.h"
#include "message.h"
#include "rows.h"
#include "schema.h"
#include "state.h"

enum { MESSAGES = 4096 };

struct recorded {
    size_t length;
    char *bytes;
};

static struct recorded messages[MESSAGES];
static size_t message_count;
static unsigned state;

static unsigned next_random(unsigned below)
{
    state = state * 1664525 + 1013904223;
    return (state >> 8) % below;
}

static void read_messages(const char *path)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    FILE *stream = fopen(path, "r");
    while (stream != NULL && message_count < MESSAGES && (length = getline(&line, &size, stream)) > 1) {
        struct recorded *message = &messages[message_count++];
        message->length = (size_t)length / 2;
        message->bytes = allocated(malloc(message->length));
        for (size_t i = 0; i < message->length; i++) {
            unsigned byte;
            sscanf(line + 2 * i, "%2x", &byte);
            message->bytes[i] = (char)byte;
        }
    }
    free(line);
    if (stream != NULL) {
        fclose(stream);
    }
}

/* Tables as the relations of the recorded stream have them, with kinds of all sorts. */
static void make_tables(struct tables *tables, struct message *message)
{
    tables->items = allocated(calloc(MESSAGES, sizeof *tables->items));
    for (size_t i = 0; i < message_count; i++) {
        if (!decode(message, messages[i].bytes, messages[i].length) || message->type != MESSAGE_RELATION
            || table_named(tables, message->name) != NULL) {
            continue;
        }
        struct table *table = &tables->items[tables->count++];
        sqlite3_str *signature = sqlite3_str_new(NULL);
        table->asked = sqlite3_mprintf("%s", message->name);
        table->name = sqlite3_mprintf("%s", message->name);
        table->schema = sqlite3_mprintf("%s", message->schema);
        table->source = sqlite3_mprintf("%s", message->name);
        table->oid = message->relation;
        table->column_count = message->count;
        table->columns = allocated(calloc((size_t)message->count, sizeof *table->columns));
        table->keys = allocated(calloc((size_t)message->count, sizeof *table->keys));
        sqlite3_str_appendf(signature, "%Q.%Q ", message->schema, message->name);
        for (int c = 0; c < message->count; c++) {
            struct column *column = &table->columns[c];
            column->name = sqlite3_mprintf("%s", message->columns[c].name);
            column->kind = kind_of(message->columns[c].type, "", message->columns[c].modifier);
            column->is_key = message->columns[c].identifies;
            if (column->is_key) {
                table->keys[table->key_count++] = c;
            }
            signature_add(signature, column->name, message->columns[c].type, message->columns[c].modifier,
                          message->columns[c].identifies);
        }
        table->signature = sqlite3_str_finish(signature);
    }
}

/* Whether the message was taken; a refused one begins a new connection. */
static bool apply_bytes(struct apply *apply, struct message *message, const char *bytes, size_t length)
{
    char *copy = allocated(malloc(length + 1)); /* libpq has a NUL behind a message */
    memcpy(copy, bytes, length);
    bool is_taken = decode(message, copy, length) && apply_message(apply, message);
    free(copy);
    return is_taken;
}

static void begin_again(struct apply *apply, sqlite3 *file, struct tables *tables)
{
    for (size_t i = 0; i < tables->count; i++) {
        statements_free(&tables->items[i]);
        tables->items[i].from = 0;
    }
    if (apply->file != NULL) {
        apply_close(apply);
    }
    if (sqlite3_get_autocommit(file) == 0 && !file_do(file, "ROLLBACK")) {
        abort();
    }
    if (!apply_open(apply, file, tables, 0, 0)) {
        abort();
    }
}

static size_t damage(char *bytes, size_t length)
{
    for (unsigned count = 1 + next_random(4); count > 0 && length > 0; count--) {
        size_t at = next_random((unsigned)length);
        switch (next_random(4)) {
        case 0:
            length = at;
            break;
        case 1:
            bytes[at] = (char)next_random(256);
            break;
        case 2:
            bytes[at] = (char)((const char[]){0, -1, 127, 'n', 't', 'u', 'N', 'K', 'O'})[next_random(9)];
            break;
        default:
            bytes[at] ^= (char)(1 << next_random(8));
        }
    }
    return length;
}

int main(int argc, char **argv)
{
    struct tables tables = {0};
    struct apply apply = {0};
    struct message *message = allocated(calloc(1, sizeof *message));
    long taken = 0, refused = 0;
    sqlite3 *file = file_open(":memory:");
    if (argc != 4 || file == NULL) {
        return 2;
    }
    read_messages(argv[1]);
    make_tables(&tables, message);
    if (!schema_declare(&tables, &tables) || !state_create(file)
        || !file_do(file, "INSERT INTO frmirror_position VALUES (1, 0, '', '', '')")) {
        return 2;
    }
    for (size_t i = 0; i < tables.count; i++) {
        if (!file_do(file, "%s", tables.items[i].sql)) {
            return 2;
        }
    }
    begin_again(&apply, file, &tables);
    for (size_t i = 0; i < message_count; i++) {
        if (!apply_bytes(&apply, message, messages[i].bytes, messages[i].length)) {
            fprintf(stderr, "message %zu is refused: %s\n", i, failure_text());
            return 1;
        }
    }
    state = (unsigned)atoi(argv[2]);
    for (long round = atol(argv[3]); round > 0; round--) {
        begin_again(&apply, file, &tables);
        for (size_t i = 0; i < message_count; i++) {
            const struct recorded *one = &messages[next_random(20) > 0 ? i : next_random((unsigned)message_count)];
            char *bytes = allocated(malloc(one->length + 1));
            memcpy(bytes, one->bytes, one->length);
            size_t length = next_random(8) > 0 ? one->length : damage(bytes, one->length);
            if (apply_bytes(&apply, message, bytes, length)) {
                taken++;
            } else {
                refused++;
                begin_again(&apply, file, &tables);
            }
            free(bytes);
        }
    }
    printf("%zu messages, %ld taken, %ld refused\n", message_count, taken, refused);
    apply_close(&apply);
    tables_free(&tables);
    sqlite3_close(file);
    for (size_t i = 0; i < message_count; i++) {
        free(messages[i].bytes);
    }
    free(message);
    return 0;
}
