#include "names.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bench.h"

// clang-format off
static const char *const words[64] = {
    "acorn",  "amber",  "anchor", "apple",  "autumn", "basin",  "beacon", "birch",
    "bridge", "bright", "candle", "canyon", "cedar",  "chapel", "cloud",  "copper",
    "coral",  "cotton", "dawn",   "desert", "eagle",  "early",  "ember",  "fabric",
    "falcon", "farm",   "forest", "garden", "glass",  "golden", "granite", "harbour",
    "harvest", "hazel", "hidden", "hollow", "island", "ivory",  "jasper", "kettle",
    "lantern", "laurel", "maple", "marble", "meadow", "mill",   "mirror", "morning",
    "narrow", "north",  "ocean",  "orchard", "paper", "pepper", "quiet",  "river",
    "saddle", "silver", "spring", "stone",  "summer", "timber", "valley", "winter",
};

static const char *const states[10] = {
    "new", "open", "assigned", "in progress", "waiting", "in review", "tested", "done", "closed", "rejected",
};
// clang-format on

static const char *random_word(void)
{
    return words[next_random() >> 58];
}

void write_letters(char name[NAME_SIZE], int64_t number)
{
    (void)number;
    random_name(name);
}

void write_words(char name[NAME_SIZE], int64_t number)
{
    const char *first = random_word();
    const char *second = random_word();
    snprintf(name, NAME_SIZE, "%s %s %lld", first, second, (long long)number);
}

void write_path(char name[NAME_SIZE], int64_t number)
{
    const char *format = number % 2 == 0 ? "/home/maria/Documents/projects/archive/%s/%s/pages/page-%lld.html"
                                         : "https://www.example.org/library/catalogue/%s/%s/items/%lld";
    const char *outer = random_word();
    const char *inner = random_word();
    snprintf(name, NAME_SIZE, format, outer, inner, (long long)number);
}

void write_timestamp(char name[NAME_SIZE], int64_t number)
{
    enum { ROWS_PER_SECOND = 20 };
    const time_t first = 1767225600; // 2026-01-01T00:00:00Z
    time_t second = first + (time_t)(number / ROWS_PER_SECOND);
    struct tm parts;
    gmtime_r(&second, &parts);
    strftime(name, NAME_SIZE, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

void write_state(char name[NAME_SIZE], int64_t number)
{
    (void)number;
    strcpy(name, states[next_random() % 10]);
}

/* Bits that look random, by splitmix64 (https://prng.di.unimi.it/splitmix64.c). */
static uint64_t scrambled(uint64_t bits)
{
    bits += 0x9e3779b97f4a7c15;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    return bits ^ (bits >> 31);
}

void write_uuid(char uuid[UUID_SIZE], int64_t number)
{
    uint64_t high = scrambled((uint64_t)number * 2);
    uint64_t low = scrambled((uint64_t)number * 2 + 1);
    snprintf(uuid, UUID_SIZE, "%08x-%04x-4%03x-%04x-%012llx", (unsigned)(high >> 32), (unsigned)(high >> 16 & 0xffff),
             (unsigned)(high & 0xfff), (unsigned)(low >> 48 & 0x3fff) | 0x8000,
             (unsigned long long)(low & 0xffffffffffff));
}
