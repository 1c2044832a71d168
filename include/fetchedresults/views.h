/*
 * For views: coordinators, data sources and entity lists.
 *
 * <fetchedresults.h> does not include this header; this header includes <fetchedresults.h>. The
 * functions are in the same library.
 */
#ifndef FETCHEDRESULTS_VIEWS_H
#define FETCHEDRESULTS_VIEWS_H

#include "../fetchedresults.h"
#include "coordinator.h"
#include "data_source.h"
#include "entity_list.h"

#endif
