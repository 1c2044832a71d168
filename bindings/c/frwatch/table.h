/*
 * A list as lines of a table: which row is selected, and which lines are visible. It does not
 * depend on the terminal.
 */
#ifndef TABLE_H
#define TABLE_H

#include <fetchedresults.h>
#include <stdbool.h>
#include <stdint.h>

#include "line.h"
#include "marks.h"
#include "names.h"

enum { TABLE_COLUMNS = 200 };

struct table {
    fr_list *list;
    bool has_headers; /* each section has a line of its own, whose row is -1 */
    fr_index_path selected; /* {-1, -1} if the list is empty */
    fr_object *object; /* the selected one; NULL if none is, or it can't be read yet */
    fr_index_path top; /* the first line in sight */
    uint64_t layout; /* that of the rows whose widths these are */
    int widths[TABLE_COLUMNS];
    int edge; /* the column after the last one in sight */
    struct marks marks;
    struct names heads; /* for a list without rows */
};

/* heads: become the table's. */
void table_open(struct table *table, fr_list *list, bool has_headers, struct names heads);
void table_close(struct table *table);

/* Selects the row with a number over all sections, or the nearest one that there is. */
void table_select(struct table *table, int64_t index);

/* The number of the selected row; -1 if none is. */
int64_t table_selected_index(const struct table *table);

/*
 * After a change: selects the object that was selected, wherever it is. If it is gone, the row in
 * its place.
 */
void table_follow(struct table *table);

/*
 * Selects the first row of another section: the next one that has rows (1), or the one before (-1).
 */
void table_select_section(struct table *table, int direction);

/*
 * Moves the first line in sight, so that the selection is among so many lines and no line is left
 * empty.
 */
void table_scroll(struct table *table, int height);

/* Goes to the next line. False at the end. */
bool table_next_line(const struct table *table, fr_index_path *path);

/* Whether there is a line at a path. */
bool table_has_line(const struct table *table, fr_index_path path);

/* Adds the heads of the columns to a line. */
void table_add_heads(struct table *table, struct line *line);

/*
 * Adds what a line shows: a row, or the header of a section. If the last delivery changed it, the
 * line has the colour of the change and ends with its name.
 */
void table_add_line(struct table *table, struct line *line, fr_index_path path);

#endif
