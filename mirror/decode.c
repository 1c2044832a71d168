/* Reading messages of the stream: nothing is read behind their end, whatever they contain. */
#include "decode.h"

#include <string.h>

struct reader {
    char *at, *end;
    bool has_failed; /* and reads zeros since */
};

uint64_t decode_number(const char *bytes, size_t length)
{
    uint64_t number = 0;
    for (size_t i = 0; i < length; i++) {
        number = number << 8 | (unsigned char)bytes[i];
    }
    return number;
}

void encode_number(char *bytes, uint64_t number, size_t length)
{
    while (length-- > 0) {
        bytes[length] = (char)number;
        number >>= 8;
    }
}

static char *read_bytes(struct reader *reader, size_t length)
{
    char *bytes = reader->at;
    if (reader->has_failed || (size_t)(reader->end - reader->at) < length) {
        reader->has_failed = true;
        return NULL;
    }
    reader->at += length;
    return bytes;
}

static uint64_t read_number(struct reader *reader, size_t length)
{
    const char *bytes = read_bytes(reader, length);
    return bytes != NULL ? decode_number(bytes, length) : 0;
}

static const char *read_string(struct reader *reader)
{
    const char *end = reader->has_failed ? NULL : memchr(reader->at, '\0', (size_t)(reader->end - reader->at));
    if (end == NULL) {
        reader->has_failed = true;
        return "";
    }
    return read_bytes(reader, (size_t)(end - reader->at) + 1);
}

static int read_count(struct reader *reader)
{
    uint64_t count = read_number(reader, 2);
    reader->has_failed |= count > COLUMNS_MAX;
    return reader->has_failed ? 0 : (int)count;
}

static void read_tuple(struct reader *reader, struct tuple *tuple)
{
    tuple->count = read_count(reader);
    for (int i = 0; i < tuple->count && !reader->has_failed; i++) {
        struct field *field = &tuple->fields[i];
        field->kind = (enum field_kind)read_number(reader, 1);
        field->length = 0;
        field->bytes = NULL;
        if (field->kind == FIELD_TEXT) {
            uint64_t length = read_number(reader, 4);
            field->bytes = read_bytes(reader, length);
            field->length = (int)length;
        } else if (field->kind != FIELD_NULL && field->kind != FIELD_UNCHANGED) {
            reader->has_failed = true;
        }
    }
}

static void read_relation(struct reader *reader, struct message *message)
{
    message->relation = (unsigned)read_number(reader, 4);
    message->schema = read_string(reader);
    message->name = read_string(reader);
    read_number(reader, 1); /* the kind of replica identity, which the columns' flags show */
    message->count = read_count(reader);
    for (int i = 0; i < message->count && !reader->has_failed; i++) {
        struct streamed_column *column = &message->columns[i];
        column->identifies = (read_number(reader, 1) & 1) != 0;
        column->name = read_string(reader);
        column->type = (unsigned)read_number(reader, 4);
        column->modifier = (int)(uint32_t)read_number(reader, 4);
    }
}

/* The old row is complete (O), or has its key alone (K). */
static void read_row(struct reader *reader, struct message *message)
{
    message->relation = (unsigned)read_number(reader, 4);
    uint64_t kind = read_number(reader, 1);
    message->has_old = kind == 'K' || kind == 'O';
    if (message->has_old) {
        read_tuple(reader, &message->old);
        if (message->type == MESSAGE_DELETE) {
            return;
        }
        kind = read_number(reader, 1);
    }
    reader->has_failed |= kind != 'N' || (message->has_old && message->type == MESSAGE_INSERT)
                          || message->type == MESSAGE_DELETE;
    read_tuple(reader, &message->row);
}

bool decode(struct message *message, char *bytes, size_t length)
{
    struct reader reader = {bytes, bytes + length, false};
    message->type = (enum message_type)read_number(&reader, 1);
    switch (message->type) {
    case MESSAGE_BEGIN:
        message->lsn = read_number(&reader, 8);
        message->time = (int64_t)read_number(&reader, 8);
        read_number(&reader, 4); /* the transaction's number */
        break;
    case MESSAGE_COMMIT:
        read_number(&reader, 9); /* flags, and where the commit begins */
        message->lsn = read_number(&reader, 8);
        read_number(&reader, 8); /* its time */
        break;
    case MESSAGE_RELATION:
        read_relation(&reader, message);
        break;
    case MESSAGE_INSERT:
    case MESSAGE_UPDATE:
    case MESSAGE_DELETE:
        read_row(&reader, message);
        break;
    case MESSAGE_TRUNCATE: {
        uint64_t count = read_number(&reader, 4);
        read_number(&reader,
                    1); /* CASCADE and RESTART IDENTITY: the tables are all named, and SQLite has no sequences */
        message->relations = read_bytes(&reader, 4 * count);
        message->count = (int)count;
        break;
    }
    case MESSAGE_TYPE:
    case MESSAGE_ORIGIN:
    case MESSAGE_LOGICAL:
        return true; /* their contents are not used */
    default:
        return false;
    }
    return !reader.has_failed && reader.at == reader.end;
}

unsigned decode_truncated(const struct message *message, int index)
{
    return (unsigned)decode_number(message->relations + 4 * index, 4);
}
