/* The terminal: its modes, its size, and what its lines show. */
#ifndef SCREEN_H
#define SCREEN_H

#include <stdbool.h>

#include "line.h"

enum style { STYLE_PLAIN, STYLE_BOLD, STYLE_REVERSE, STYLE_UNDERLINED };

struct screen {
    int height, width;
    char **shown; /* what each line shows, with its style; NULL where that is not known */
};

/* Takes the terminal over. Returns false, after it has printed why, if there is none. */
bool screen_open(struct screen *screen);

/* Gives the terminal back as it was. */
void screen_close(struct screen *screen);

/* Gives the terminal back while the process is stopped, and takes it over again. */
void screen_suspend(struct screen *screen);

/* Whether nothing that was shown is there. */
bool screen_is_blank(const struct screen *screen);

/* Takes the present size. Nothing that was shown is taken to be there. */
void screen_measure(struct screen *screen);

/*
 * Shows a line, from the column `skipped` on, as wide as the screen. One that is shown already is
 * not written.
 */
void screen_put(struct screen *screen, int y, const struct line *line, int skipped, enum style style);

/* Writes what was put. */
void screen_flush(void);

#endif
