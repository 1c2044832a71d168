/*
 * The terminal, by the control sequences that all of them have: ECMA-48, and xterm's second screen.
 */
#include "screen.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "message.h"
#include "signals.h"

static struct termios saved;

/* The other screen, no cursor, no wrapping. */
static void enter(void)
{
    struct termios raw = saved;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    raw.c_iflag &= ~(tcflag_t)IXON;
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw); /* what was typed before stays */
    fputs("\033[?1049h\033[?25l\033[?7l", stdout);
    fflush(stdout);
}

static void leave(void)
{
    fputs("\033[m\033[?7h\033[?25h\033[?1049l", stdout);
    fflush(stdout);
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &saved);
}

static void discard(struct screen *screen)
{
    for (int y = 0; screen->shown != NULL && y < screen->height; y++) {
        free(screen->shown[y]);
    }
    free(screen->shown);
    screen->shown = NULL;
}

void screen_measure(struct screen *screen)
{
    struct winsize size;
    bool is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0;
    discard(screen);
    screen->height = is_known ? size.ws_row : 24;
    screen->width = is_known ? size.ws_col : 80;
    screen->shown = calloc((size_t)screen->height, sizeof *screen->shown);
    if (screen->shown == NULL) {
        screen->height = 0;
    }
    fputs("\033[m\033[2J", stdout);
}

bool screen_is_blank(const struct screen *screen)
{
    return screen->height == 0 || screen->shown[0] == NULL;
}

bool screen_open(struct screen *screen)
{
    memset(screen, 0, sizeof *screen);
    if (!isatty(STDOUT_FILENO) || tcgetattr(STDIN_FILENO, &saved) != 0) {
        message("--tui needs a terminal");
        return false;
    }
    enter();
    screen_measure(screen);
    return true;
}

void screen_close(struct screen *screen)
{
    discard(screen);
    leave();
}

void screen_suspend(struct screen *screen)
{
    leave();
    signals_stop();
    enter();
    screen_measure(screen);
}

void screen_put(struct screen *screen, int y, const struct line *line, int skipped, enum style style)
{
    static const char *const styles[] = {"", "\033[1m", "\033[7m", "\033[4m"};
    struct line part = {0};
    if (y < 0 || y >= screen->height) {
        return;
    }
    line_add(&part, styles[style], 0);
    line_add_part(&part, line, skipped, screen->width);
    if (screen->shown[y] == NULL || strcmp(screen->shown[y], line_text(&part)) != 0) {
        free(screen->shown[y]);
        screen->shown[y] = strdup(line_text(&part));
        printf("\033[%d;1H%s\033[m", y + 1, line_text(&part));
    }
    line_free(&part);
}

void screen_flush(void)
{
    fflush(stdout);
}
