/* The groups of rows. Each one measures and reports those of its rows that are wanted. */
#ifndef GROUPS_H
#define GROUPS_H

void measure_fetches(void);
void measure_first_letter(void);
void measure_edits(void);
void measure_windows(void);
void measure_totals_and_groups(void);
void measure_list_windows(void);
void measure_searches(void);
void measure_inserts(void);
void measure_section_moves(void);
void measure_collections(void);
void measure_foreign_commits(void);
void measure_process_commits(void);
void measure_many_controllers(void);
void measure_memory(void);
void measure_objects(void);
void measure_data_sets(void);
void measure_loading(void);

#endif
