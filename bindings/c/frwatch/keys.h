/* Keys of a terminal. */
#ifndef KEYS_H
#define KEYS_H

/* What is not a character. Characters are the bytes of their UTF-8, one after another. */
enum {
    KEY_NONE = -1, /* nothing more has been typed */
    KEY_END_OF_INPUT = -2,
    KEY_UP = 1000,
    KEY_DOWN,
    KEY_LEFT,
    KEY_RIGHT,
    KEY_HOME,
    KEY_END,
    KEY_PAGE_UP,
    KEY_PAGE_DOWN,
    KEY_ESCAPE,
    KEY_ENTER,
    KEY_BACKSPACE,
    KEY_UNKNOWN
};

/* The next key of those that have been typed. */
int keys_next(int descriptor);

#endif
