/*
 * frwatch: shows a table as a live list, and follows it, whichever program writes.
 * docs/man/frwatch.1 is its manual.
 */
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "explain.h"
#include "follow.h"
#include "message.h"
#include "options.h"
#include "signals.h"
#include "tables.h"
#include "tui.h"
#include "watch.h"

/* The widths of characters are those of UTF-8, which is what SQLite has. */
static void set_locale(void)
{
    if (setlocale(LC_CTYPE, "") == NULL || strcmp(nl_langinfo(CODESET), "UTF-8") != 0) {
        setlocale(LC_CTYPE, "C.UTF-8");
    }
}

int main(int argc, char **argv)
{
    struct options options;
    struct watch watch;
    int status;
    set_locale();
    status = options_parse(&options, argc, argv);
    colour_choose(options.colour);
    if (status < 0 && !watch_open(&watch, &options)) {
        status = EXIT_UNUSABLE;
    } else if (status < 0) {
        status = options.table == NULL      ? tables_print(&watch)
                 : options.explain          ? explain_print(&watch)
                 : options.mode == MODE_TUI ? tui_show(&watch)
                                            : follow(&watch);
        if (!watch_close(&watch) && status == EXIT_SUCCESS) {
            status = EXIT_FAILED;
        }
    }
    options_free(&options);
    if (signals_ending() != 0) {
        signals_end_by(signals_ending());
    }
    return status;
}
