/* UTF-8. */
#include "utf8.h"

size_t utf8_decode(uint32_t *out, const char *text, size_t length)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *bytes = (const unsigned char *)text;
    size_t size;
    uint32_t character;
    if (length == 0) {
        return 0;
    }
    if (bytes[0] < 0x80) {
        *out = bytes[0];
        return 1;
    }
    size = bytes[0] >= 0xF8 ? 0 : bytes[0] >= 0xF0 ? 4 : bytes[0] >= 0xE0 ? 3 : bytes[0] >= 0xC0 ? 2 : 0;
    if (size == 0 || size > length) {
        return 0;
    }
    character = bytes[0] & (0x7Fu >> size);
    for (size_t i = 1; i < size; i++) {
        if ((bytes[i] & 0xC0) != 0x80) {
            return 0;
        }
        character = character << 6 | (bytes[i] & 0x3Fu);
    }
    /* Neither overlong, nor half of a pair of UTF-16, nor beyond Unicode. */
    if (character < least[size] || (character >= 0xD800 && character < 0xE000) || character > 0x10FFFF) {
        return 0;
    }
    *out = character;
    return size;
}

bool utf8_is_control(uint32_t character)
{
    return character < ' ' || (character >= 0x7F && character < 0xA0) || character == 0x061C
           || (character >= 0x200E && character <= 0x200F) || (character >= 0x2028 && character <= 0x202E)
           || (character >= 0x2066 && character <= 0x2069);
}
