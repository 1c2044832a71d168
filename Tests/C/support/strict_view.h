/*
 * A view as strict as those of UIKit, on a model: it refuses a batch that is not possible on what
 * it shows, or after which its number of rows differs from the list's. A row that was not drawn
 * again shows its old content. A row that can't be read when it is drawn, since the list that shows
 * it is paused, is drawn when the view is checked.
 */
#ifndef STRICT_VIEW_H
#define STRICT_VIEW_H

#include "model.h"

#include <fetchedresults/views.h>

struct strict_view {
    struct model shown;
    fr_list *list;
    fr_coordinator *coordinator;
    bool updates_cells;
    bool is_paused;
    bool may_reload; /* whether something has asked for a reload */
    int64_t count;   /* the last that was reported; -1 before that */
    int64_t batches; /* that it got */
    /* The batch under way. */
    bool is_in_batch;
    fr_index_path *deletes, *inserts;
    fr_row_places *moves, *reloads;
    fr_section_places *section_moves, *headers;
    int64_t *section_deletes, *section_inserts;
    size_t delete_count, insert_count, move_count, reload_count, section_move_count, header_count, section_delete_count,
        section_insert_count;
};

/* Makes one of a list with its coordinator, which is not loaded. `steps`: whether it gets steps. */
void strict_view_open(struct strict_view *view, fr_list *list, bool steps, bool updates_cells, uint32_t flags);
void strict_view_close(struct strict_view *view);

/* Fails unless the view shows what the list shows. */
void strict_view_check(struct strict_view *view);

#endif
