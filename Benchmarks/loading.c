/* The time that loading the library adds to the start of a process. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>

#include "bench.h"
#include "database.h"
#include "groups.h"
#include "lists.h"
#include "report.h"

/* Starts a program that does nothing, with this environment. */
static void start_process(void *context)
{
    char *arguments[] = {"true", NULL};
    pid_t process;
    int status;
    if (posix_spawn(&process, "/bin/true", NULL, NULL, arguments, context) != 0) fail("can't start a process");
    if (waitpid(process, &status, 0) < 0 || status != 0) fail("a process failed");
}

void measure_loading(void)
{
    const char *what = "loading the library";
    if (!wanted(what, 0)) return;
    Dl_info info;
    if (dladdr((void *)fr_version, &info) == 0) fail("can't find the library");
    char preload[PATH_LENGTH + 16];
    snprintf(preload, sizeof preload, "LD_PRELOAD=%s", info.dli_fname);
    // All symbols are bound immediately, as dlopen with RTLD_NOW does.
    char *without[] = {"LD_BIND_NOW=1", NULL};
    char *with[] = {"LD_BIND_NOW=1", preload, NULL};
    struct plan plan = {5, 100, 1, 1};
    struct subject plain = {NULL, start_process, without};
    struct subject loading = {NULL, start_process, with};
    struct comparison times = compare(plain, loading, plan);
    struct row row = {what, 0, times.floor, times.ours, NANOSECONDS, times.ours.p50 - times.floor.p50, 5e6, 0};
    report(row);
}
