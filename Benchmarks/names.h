/* Realistic names, each a function of a row's number and of next_random. */
#ifndef NAMES_H
#define NAMES_H

#include <stdint.h>

enum { NAME_SIZE = 128, UUID_SIZE = 37 };

/*
 * Writes a name, with its NUL. number: that of a row, from 1; a row that is renamed gets the name
 * of another number.
 */
typedef void name_writer(char name[NAME_SIZE], int64_t number);

/* 18 random letters. */
name_writer write_letters;

/* Two of 64 words, and the number. */
name_writer write_words;

/*
 * Paths and URLs alternately. Those of one folder differ only after their first 50 characters or
 * so.
 */
name_writer write_path;

/* The second at which the row was created, twenty rows per second, as ISO 8601. */
name_writer write_timestamp;

/* One of ten words. */
name_writer write_state;

/* The UUID of a row, of version 4; always the same for the same row. */
void write_uuid(char uuid[UUID_SIZE], int64_t number);

#endif
