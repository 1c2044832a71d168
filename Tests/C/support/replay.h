/* Applying change sets to a model, by the two readings that changes.h describes. */
#ifndef REPLAY_H
#define REPLAY_H

#include "model.h"

/*
 * The batch reading: old places count before all records, new ones after all of them. False, after
 * a failed check, if a record names a place that does not exist.
 */
bool replay_batch(struct model *model, fr_change_set *changes);

/* The reading of fr_change_set_sequential, which makes the steps: one record after another. */
bool replay_sequential(struct model *model, fr_change_set *changes);

/* One step of it. */
bool replay_step(struct model *model, fr_change_set *steps, size_t index, const fr_change *step);

/* What fr_change_set_replay returns for a batch, and for its steps. */
bool replay_with_library(struct model *model, fr_change_set *changes);
bool replay_steps_with_library(struct model *model, fr_change_set *changes);

/* The ranges that fr_change_set_ranges makes of the steps, one after another. */
bool replay_ranges(struct model *model, fr_change_set *changes);

/* The new row of a record, from its object. */
struct row row_of_record(fr_change_set *changes, size_t index);

/* The new section of a record, without rows. */
struct section section_of_record(fr_change_set *changes, size_t index);

#endif
