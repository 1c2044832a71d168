/*
 * frmirror: keeps tables of a PostgreSQL server in an SQLite file, which lists follow.
 * docs/man/frmirror.1 is its manual, docs/mirror.md the guide.
 */
#include <stdlib.h>

#include "message.h"
#include "mirror.h"
#include "options.h"
#include "schema.h"
#include "waiting.h"

int main(int argc, char **argv)
{
    struct options options;
    int status = options_parse(&options, argc, argv);
    if (status < 0) {
        set_verbose(options.verbose);
        if ((options.schema != NULL && !schema_load(options.schema)) || !signals_catch()) {
            message("%s", failure_text());
            status = (int)failure();
        } else {
            status = mirror_run(&options);
        }
    }
    free(options.reals);
    return status;
}
