/* Change sets beyond their callbacks. */
#ifndef KEPT_H
#define KEPT_H

#include <fetchedresults.h>

/* Keeps the last change set that `list` is told of in `kept`, which is NULL at first; the caller gives it back. */
void keep_changes(fr_list *list, fr_change_set **kept);

#endif
