/*
 * Messages of pgoutput, version 1:
 * https://www.postgresql.org/docs/current/protocol-logicalrep-message-formats.html
 */
#ifndef DECODE_H
#define DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COLUMNS_MAX = 1600 }; /* MaxHeapAttributeNumber */

enum message_type {
    MESSAGE_BEGIN = 'B',
    MESSAGE_COMMIT = 'C',
    MESSAGE_RELATION = 'R',
    MESSAGE_INSERT = 'I',
    MESSAGE_UPDATE = 'U',
    MESSAGE_DELETE = 'D',
    MESSAGE_TRUNCATE = 'T',
    MESSAGE_TYPE = 'Y',
    MESSAGE_ORIGIN = 'O',
    MESSAGE_LOGICAL = 'M'
};

enum field_kind { FIELD_NULL = 'n', FIELD_UNCHANGED = 'u', FIELD_TEXT = 't' };

struct field {
    enum field_kind kind;
    int length;
    char *bytes; /* in the message */
};

struct tuple {
    int count;
    struct field fields[COLUMNS_MAX];
};

struct streamed_column {
    bool identifies;
    const char *name;
    unsigned type;
    int modifier;
};

/*
 * What a message says; which members it has depends on its type. All pointers lead into the
 * message.
 */
struct message {
    enum message_type type;
    uint64_t lsn;      /* of BEGIN: where the commit begins; of COMMIT: where it ends */
    int64_t time;      /* of BEGIN: of the commit, in microseconds since 2000 */
    unsigned relation; /* the table's number */
    const char *schema, *name;
    bool has_old;
    int count; /* of columns, or of truncated tables */
    const char *relations;
    struct streamed_column columns[COLUMNS_MAX];
    struct tuple old, row;
};

/* False if these bytes are no such message; then the message's members have no meaning. */
bool decode(struct message *message, char *bytes, size_t length);

/* The number of a truncated table. */
unsigned decode_truncated(const struct message *message, int index);

/* Numbers of the protocol, whose first byte is the highest. */
uint64_t decode_number(const char *bytes, size_t length);
void encode_number(char *bytes, uint64_t number, size_t length);

#endif
