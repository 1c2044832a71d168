#include "total.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Without the spaces around it. */
static char *trimmed(const char *begin, const char *end)
{
    while (begin < end && *begin == ' ') begin++;
    while (begin < end && end[-1] == ' ') end--;
    return strndup(begin, (size_t)(end - begin));
}

static bool parse_function(fr_total_function *out, const char *name)
{
    static const struct {
        const char *name;
        fr_total_function function;
    } functions[] = {{"count", FR_TOTAL_COUNT},
                     {"sum", FR_TOTAL_SUM},
                     {"avg", FR_TOTAL_AVERAGE},
                     {"min", FR_TOTAL_MIN},
                     {"max", FR_TOTAL_MAX}};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strcasecmp(name, functions[i].name) == 0) {
            *out = functions[i].function;
            return true;
        }
    }
    return false;
}

static bool is_function(struct total *total, const char *begin, const char *end)
{
    char *name = trimmed(begin, end);
    bool is_known = name != NULL && parse_function(&total->function, name);
    free(name);
    return is_known;
}

bool total_parse(struct total *total, const char *text)
{
    const char *end = text + strlen(text), *bracket = strchr(text, '('), *function = text;
    const char *equals = bracket != NULL ? memrchr(text, '=', (size_t)(bracket - text)) : NULL;
    *total = (struct total){NULL, FR_TOTAL_COUNT, NULL};
    while (end > text && end[-1] == ' ') end--;
    if (bracket == NULL || end[-1] != ')') {
        return false;
    }
    total->name = trimmed(text, equals != NULL ? equals : end);
    total->expression = trimmed(bracket + 1, end - 1);
    function = equals != NULL ? equals + 1 : text;
    if (total->name == NULL || total->expression == NULL || *total->name == '\0'
        || !is_function(total, function, bracket)) {
        return false;
    }
    if (total->function == FR_TOTAL_COUNT && (*total->expression == '\0' || strcmp(total->expression, "*") == 0)) {
        free(total->expression);
        total->expression = NULL;
    }
    return total->expression == NULL || *total->expression != '\0';
}

void total_clear(struct total *total)
{
    free(total->name);
    free(total->expression);
    *total = (struct total){NULL, FR_TOTAL_COUNT, NULL};
}
