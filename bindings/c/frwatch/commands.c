/* Commands. Each gets its changes as a file, which it need not read to the end. */
#include "commands.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "json.h"
#include "message.h"

struct delivery {
    struct delivery *next;
    FILE *changes;
    int64_t number, rows, sections;
};

static void free_delivery(struct delivery *delivery)
{
    if (delivery != NULL && delivery->changes != NULL) {
        fclose(delivery->changes);
    }
    free(delivery);
}

void commands_add(struct commands *commands, struct watch *watch, fr_change_set *changes)
{
    struct delivery *delivery = calloc(1, sizeof *delivery);
    if (delivery == NULL || (delivery->changes = tmpfile()) == NULL) {
        message("--exec: %s", strerror(errno));
        free_delivery(delivery);
        commands->has_failed = true;
        return;
    }
    fcntl(fileno(delivery->changes), F_SETFD, FD_CLOEXEC);
    delivery->number = watch->deliveries;
    fr_list_count(&delivery->rows, watch->list);
    fr_list_section_count(&delivery->sections, watch->list);
    json_changes(watch, changes, delivery->changes);
    if (commands->last != NULL) {
        commands->last->next = delivery;
    } else {
        commands->first = delivery;
    }
    commands->last = delivery;
}

static void set_number(const char *name, int64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)number);
    setenv(name, text, 1);
}

/* In the child. */
static void become_command(const struct delivery *delivery, const struct options *options)
{
    dup2(fileno(delivery->changes), STDIN_FILENO);
    setenv("FRWATCH_DATABASE", options->database, 1);
    setenv("FRWATCH_TABLE", options->table, 1);
    set_number("FRWATCH_DELIVERY", delivery->number);
    set_number("FRWATCH_ROWS", delivery->rows);
    set_number("FRWATCH_SECTIONS", delivery->sections);
    execl("/bin/sh", "sh", "-c", options->command, (char *)NULL);
    fprintf(stderr, "frwatch: /bin/sh: %s\n", strerror(errno));
    _exit(127);
}

static bool run(const struct delivery *delivery, const struct options *options)
{
    int status = 0;
    pid_t child;
    fflush(stdout);
    if (fflush(delivery->changes) != 0 || lseek(fileno(delivery->changes), 0, SEEK_SET) < 0 || (child = fork()) < 0) {
        message("--exec: %s", strerror(errno));
        return false;
    }
    if (child == 0) {
        become_command(delivery, options);
    }
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            message("--exec: %s", strerror(errno));
            return false;
        }
    }
    if (WIFSIGNALED(status)) {
        message("the command was ended by signal %d", WTERMSIG(status));
    } else if (WEXITSTATUS(status) != 0) {
        message("the command ended with status %d", WEXITSTATUS(status));
    }
    return status == 0;
}

void commands_run(struct commands *commands, struct watch *watch)
{
    while (commands->first != NULL) {
        struct delivery *delivery = commands->first;
        commands->first = delivery->next;
        if (commands->first == NULL) {
            commands->last = NULL;
        }
        if (!run(delivery, watch->options)) {
            commands->has_failed = true;
        }
        free_delivery(delivery);
    }
}

void commands_free(struct commands *commands)
{
    while (commands->first != NULL) {
        struct delivery *delivery = commands->first;
        commands->first = delivery->next;
        free_delivery(delivery);
    }
    commands->last = NULL;
}
