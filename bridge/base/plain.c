/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/base/plain.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* C0, DEL, C1; U+2028, U+2029; U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069 */
static bool isControl(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
           (c >= 0x2066 && c <= 0x2069);
}

/* Bytes of the character that begins here, if it may be printed; 0: it is a control, or the bytes are not UTF-8. */
static size_t printableBytes(const unsigned char *at, size_t left)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char first = *at;
    const size_t size = first < 0x80 ? 1 : first >= 0xf0 && first < 0xf8 ? 4 : first >= 0xe0 && first < 0xf0 ? 3 : 2;
    if ((first >= 0x80 && first < 0xc0) || first >= 0xf8 || size > left) return 0;
    uint32_t c = size == 1 ? first : first & (0x7fu >> size);
    for (size_t i = 1; i < size; i++) {
        if ((at[i] & 0xc0) != 0x80) return 0;
        c = c << 6 | (at[i] & 0x3fu);
    }
    if (c < least[size] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) || isControl(c)) return 0;
    return size;
}

bool ukPlainIs(const char *text, size_t length)
{
    const unsigned char *const at = (const unsigned char *)text;
    size_t i = 0;
    for (size_t n; i < length && (n = printableBytes(at + i, length - i)) > 0;) i += n;
    return i == length;
}

size_t ukPlainCopy(const char *text, size_t length, char *to, size_t size)
{
    const unsigned char *const at = (const unsigned char *)text;
    size_t used = 0, whole = 0; /* whole: no character is cut */
    for (size_t i = 0; i < length;) {
        char escape[5];
        const size_t n = printableBytes(at + i, length - i), width = n > 0 ? n : 4;
        if (n == 0) snprintf(escape, sizeof escape, "\\x%02x", at[i]);
        if (size > 0 && used == whole && used + width < size) {
            memcpy(to + used, n > 0 ? text + i : escape, width);
            whole = used + width;
        }
        used += width;
        i += n > 0 ? n : 1;
    }
    if (size > 0) to[whole] = 0;
    return used;
}

void ukPlainMake(char *text, size_t size)
{
    char copy[4096];
    const size_t length = strnlen(text, size);
    if (ukPlainIs(text, length)) return;
    ukPlainCopy(text, length, copy, size < sizeof copy ? size : sizeof copy);
    snprintf(text, size, "%s", copy);
}
