/* The cleaner of foreign text: the result is UTF-8, and every character of it is visible. */
#include "support/suite.h"

#include <stdlib.h>
#include <string.h>

#include <bgref/error.h>
#include <rules/clean.h>

static const struct {
    const char *name, *in, *line, *text; /* text NULL: as the line */
} vectors[] = {
    {"nothing", "", "", NULL},
    {"plain words", "greedy 1.0 (x86)", "greedy 1.0 (x86)", NULL},
    {"letters of the world", "Пётр Ζ 北京 e\xcc\x81 \xf0\x9f\x8e\xb2",
     "Пётр Ζ 北京 e\xcc\x81 \xf0\x9f\x8e\xb2", NULL},
    {"an escape sequence", "\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m", NULL},
    {"a title of the window", "\x1b]0;mine\x07", "\\x1b]0;mine\\x07", NULL},
    {"DEL", "a\x7f", "a\\x7f", NULL},
    {"C1, well formed",
     "a\xc2\x9b"
     "1m",
     "a<U+009B>1m", NULL},
    {"C1, as a byte",
     "a\x9b"
     "1m",
     "a\\x9b1m", NULL},
    {"lines", "one\ntwo\n", "one\\x0atwo\\x0a", "one\ntwo\n"},
    {"a line that is written over", "good\rbad", "good\\x0dbad", NULL},
    {"a tab", "a\tb", "a b", NULL},
    {"right-to-left override",
     "a\xe2\x80\xae"
     "b",
     "a<U+202E>b", NULL},
    {"isolate", "\xe2\x81\xa6x\xe2\x81\xa9", "<U+2066>x<U+2069>", NULL},
    {"zero width space",
     "gre\xe2\x80\x8b"
     "edy",
     "gre<U+200B>edy", NULL},
    {"line and paragraph separator", "\xe2\x80\xa8\xe2\x80\xa9", "<U+2028><U+2029>", NULL},
    {"soft hyphen", "a\xc2\xad-", "a<U+00AD>-", NULL},
    {"byte order mark", "\xef\xbb\xbf#!", "<U+FEFF>#!", NULL},
    {"variation selector", "\xe2\x9c\x8c\xef\xb8\x8f", "\xe2\x9c\x8c<U+FE0F>", NULL},
    {"tag letters", "\xf3\xa0\x81\x81", "<U+E0041>", NULL},
    {"Hangul filler", "\xe3\x85\xa4", "<U+3164>", NULL},
    {"no character", "\xef\xbf\xbf", "<U+FFFF>", NULL},
    {"Latin 1", "caf\xe9", "caf\\xe9", NULL},
    {"overlong slash", "\xc0\xaf", "\\xc0\\xaf", NULL},
    {"overlong, three bytes", "\xe0\x80\xaf", "\\xe0\\x80\\xaf", NULL},
    {"half a surrogate", "\xed\xa0\x80", "\\xed\\xa0\\x80", NULL},
    {"past the last character", "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80", NULL},
    {"cut short", "\xf0\x9f\x8e", "\\xf0\\x9f\\x8e", NULL},
    {"a stray second byte", "\x80z", "\\x80z", NULL},
    {"what looks cleaned", "\\x1b <U+202E>", "\\x1b <U+202E>", NULL},
};

TEST_ROWS(foreign_text_becomes_visible, vectors)
{
    const char *in = vectors[_i].in;
    const char *text = vectors[_i].text == NULL ? vectors[_i].line : vectors[_i].text;
    char out[256], *copy = clean_copy(in, CLEAN_TEXT);

    ck_assert_uint_eq(clean_write(out, sizeof out, in, strlen(in), CLEAN_LINE),
                      strlen(vectors[_i].line));
    ck_assert_msg(strcmp(out, vectors[_i].line) == 0, "%s: %s", vectors[_i].name, out);
    ck_assert_msg(copy != NULL && strcmp(copy, text) == 0, "%s: %s", vectors[_i].name, copy);
    ck_assert_msg((clean_find(in, strlen(in), CLEAN_LINE) == strlen(in)) ==
                      (strcmp(in, vectors[_i].line) == 0),
                  "%s: found at another place", vectors[_i].name);
    free(copy);
}

TEST(zero_bytes_inside_are_shown)
{
    char out[16];

    clean_write(out, sizeof out, "a\0b", 3, CLEAN_LINE);
    ck_assert_str_eq(out, "a\\x00b");
}

TEST(a_cut_falls_between_characters)
{
    static const char text[] = "ab\xe2\x80\xae\xf0\x9f\x8e\xb2\x1b";
    static const char whole[] = "ab<U+202E>\xf0\x9f\x8e\xb2\\x1b";
    static const size_t ends[] = {0, 1, 2, 10, 14, 18};
    char out[32];

    for (size_t room = 1; room <= sizeof whole; room++) {
        size_t length = clean_write(out, room, text, strlen(text), CLEAN_LINE), fits = 0;

        for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
            fits = ends[i] < room ? ends[i] : fits;
        }
        ck_assert_uint_eq(length, fits);
        ck_assert_mem_eq(out, whole, fits);
        ck_assert_int_eq(out[fits], '\0');
    }
}

TEST(an_error_quotes_clean_text)
{
    char name[400];

    memset(name, 0x1b, sizeof name - 1);
    name[sizeof name - 1] = '\0';
    bg_error_set(&error, BG_E_FORMAT, "open %s\n: %s", "\xe2\x80\xae", "caf\xe9");
    ck_assert_str_eq(error.text, "open <U+202E>\\x0a: caf\\xe9");
    bg_error_set(&error, BG_E_FORMAT, "%s, again", error.text);
    ck_assert_str_eq(error.text, "open <U+202E>\\x0a: caf\\xe9, again");
    bg_error_set(&error, BG_E_FORMAT, "%s", name);
    ck_assert_uint_eq(strlen(error.text), sizeof error.text - sizeof error.text % 4 - 4);
}
