/* How the list is read, and what would help. */
#include "explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "line.h"
#include "message.h"

int explain_print(struct watch *watch)
{
    fr_explanation explanation = {.struct_size = sizeof explanation};
    if (fr_controller_explain(&explanation, watch->list) != FR_OK) {
        message_of_error(watch->options->table);
        return EXIT_UNUSABLE;
    }
    for (const char *text = explanation.text; *text != '\0';) {
        struct line line = {0};
        size_t length = strcspn(text, "\n");
        line_add_text(&line, text, (int64_t)length);
        puts(line_text(&line));
        line_free(&line);
        text += length + (text[length] == '\n');
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        message("standard output: write error");
        return EXIT_UNUSABLE;
    }
    return EXIT_SUCCESS;
}
