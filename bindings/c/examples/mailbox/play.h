/* Uses a mailbox, and compares what is shown with what has to be. */
#ifndef PLAY_H
#define PLAY_H

#include "mailbox.h"

/* What is shown, in one line; to be freed with g_free. */
typedef char *(*shown_function)(gpointer user_data);

/* Changes a new mailbox in several ways. Ends the program if it shows something else. */
void play(struct mailbox *mailbox, shown_function shown, gpointer user_data);

#endif
