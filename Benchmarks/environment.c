#include "environment.h"

#include <fetchedresults.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

static void read_processor(char *name, size_t size)
{
    snprintf(name, size, "unknown");
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (file == NULL) return;
    char line[256];
    while (fgets(line, sizeof line, file) != NULL) {
        char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || value == NULL) continue;
        value[strcspn(value, "\n\"\\")] = 0;
        snprintf(name, size, "%s", value + 2);
        break;
    }
    fclose(file);
}

static double gigabytes(void)
{
    return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / 1e9;
}

void print_environment(void)
{
    char processor[128];
    read_processor(processor, sizeof processor);
    printf("FetchedResults %s, SQLite %s, %s, %ld cores, %.0f GB of memory\n\n", fr_version(), sqlite3_libversion(),
           processor, sysconf(_SC_NPROCESSORS_ONLN), gigabytes());
}

void write_environment(FILE *file)
{
    char processor[128];
    read_processor(processor, sizeof processor);
    fprintf(
        file,
        "{\"fetchedresults\": \"%s\", \"sqlite\": \"%s\", \"processor\": \"%s\", \"cores\": %ld, \"memory_gb\": %.0f}",
        fr_version(), sqlite3_libversion(), processor, sysconf(_SC_NPROCESSORS_ONLN), gigabytes());
}
