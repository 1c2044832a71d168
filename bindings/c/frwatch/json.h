/* The list and its changes as JSON, one object a line. The manual has the keys. */
#ifndef JSON_H
#define JSON_H

#include <fetchedresults.h>
#include <stdbool.h>
#include <stdio.h>

#include "watch.h"

/* Prints the whole list. */
void json_list(struct watch *watch, FILE *file);

/*
 * Prints the rows that were touched since the generation of the options. Returns false, with
 * nothing printed, if they are not enough to know the list.
 */
bool json_since(struct watch *watch, FILE *file);

/* Prints the records of a delivery. */
void json_changes(struct watch *watch, fr_change_set *changes, FILE *file);

/* Prints that the list can't follow. */
void json_failure(const fr_error *error, FILE *file);

#endif
