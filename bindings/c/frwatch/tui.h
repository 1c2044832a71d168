/* The list as a table in the terminal. */
#ifndef TUI_H
#define TUI_H

#include "watch.h"

/* Shows the list until a key or a signal ends it. Returns the program's exit status. */
int tui_show(struct watch *watch);

#endif
