/* Change sets that outlive their callbacks. */
#ifndef KEPT_H
#define KEPT_H

#include <fetchedresults.h>

/*
 * Retains the last change set of `list` in `kept`, which is NULL at first; the caller releases it.
 */
void keep_changes(fr_list *list, fr_change_set **kept);

#endif
