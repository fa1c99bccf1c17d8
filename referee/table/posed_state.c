/* People write these words, so one that is not understood, or is given twice, is refused: a
 * score that was passed over would give a right answer to another question. */
#include "posed_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_MAX = 48, LENGTH_MAX = 10000 };

void posed_state_write(char out[POSED_STATE], const struct bg_match *match)
{
    int seat = match->need.seat;
    size_t used = 0;

    out[0] = '\0';
    if (match->rules.length_points > 0) {
        used +=
            (size_t)snprintf(out, POSED_STATE, "length=%d score=%" PRId64 "-%" PRId64 "%s ",
                             match->rules.length_points, match->score[seat], match->score[1 - seat],
                             match->crawford_game   ? " crawford=now"
                             : match->crawford_done ? " crawford=past"
                                                    : "");
    }
    if (match->cube_log2 > 0) {
        used += (size_t)snprintf(out + used, POSED_STATE - used, "cube=%" PRIu64 "%s ",
                                 UINT64_C(1) << match->cube_log2,
                                 match->cube_owner == BG_CENTRED ? ""
                                 : match->cube_owner == seat     ? " owner=own"
                                                                 : " owner=other");
    }
    if (used > 0) {
        out[used - 1] = '\0';
    }
}

/* Reads a power of two. */
static bool read_cube(int *log2, const char *text)
{
    char *end;
    uint64_t value = strtoull(text, &end, 10);

    for (*log2 = 0; *log2 < BG_CUBE_LOG2_MAX && UINT64_C(1) << *log2 < value; ++*log2) {
    }
    return *end == '\0' && end != text && UINT64_C(1) << *log2 == value;
}

static bool read_number(int64_t *out, const char **text, int64_t most)
{
    char *end;

    *out = strtoll(*text, &end, 10);
    if (end == *text || **text == '-' || *out > most) {
        return false;
    }
    *text = end;
    return true;
}

static bool read_word(struct bg_start *start, int *length_points, const char *word)
{
    const char *value = strchr(word, '=');
    int own = start->on_roll, other = 1 - own;
    int64_t number = 0;

    if (value == NULL) {
        return false;
    }
    value++;
    switch (word[0]) {
    case 'l':
        if (strncmp(word, "length=", 7) != 0 || !read_number(&number, &value, LENGTH_MAX)) {
            return false;
        }
        *length_points = (int)number;
        return *value == '\0';
    case 's':
        return strncmp(word, "score=", 6) == 0 &&
               read_number(&start->score[own], &value, LENGTH_MAX) && *value++ == '-' &&
               read_number(&start->score[other], &value, LENGTH_MAX) && *value == '\0';
    case 'c':
        if (strncmp(word, "cube=", 5) == 0) {
            return read_cube(&start->cube_log2, value);
        }
        start->crawford_game = strcmp(word, "crawford=now") == 0;
        start->crawford_done = strcmp(word, "crawford=past") == 0;
        return start->crawford_game || start->crawford_done;
    default:
        start->cube_owner = strcmp(value, "own") == 0 ? own : other;
        return strcmp(word, "owner=own") == 0 || strcmp(word, "owner=other") == 0;
    }
}

/* Whether exactly one side is one point away. */
static bool is_one_away(const struct bg_start *start, int length)
{
    return length > 1 && (start->score[0] == length - 1) != (start->score[1] == length - 1);
}

/* Whether an earlier word has the same key. */
static bool is_said_before(const char *words, const char *word)
{
    size_t key = strcspn(word, "=") + 1;

    for (const char *at = words; at < word; at++) {
        if ((at == words || at[-1] == ' ' || at[-1] == ',') && strncmp(at, word, key) == 0) {
            return true;
        }
    }
    return false;
}

enum bg_status posed_state_read(struct bg_start *start, int *length_points, const char *words,
                                struct bg_error *err)
{
    *length_points = 0;
    for (const char *at = words + strspn(words, " ,"); *at != '\0'; at += strspn(at, " ,")) {
        size_t length = strcspn(at, " ,");
        char word[WORD_MAX];

        snprintf(word, sizeof word, "%.*s", (int)length, at);
        if (length >= sizeof word || !read_word(start, length_points, word)) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "state: '%.47s' is not understood; there are length=5, score=2-1 "
                                "(the side to move first), crawford=now or past, cube=4, owner=own "
                                "or other",
                                word);
        }
        if (is_said_before(words, at)) {
            return bg_error_set(err, BG_E_ARGUMENT, "state: %.*s is given twice",
                                (int)strcspn(word, "="), word);
        }
        at += length;
    }
    if (*length_points == 0 && (start->score[0] != 0 || start->score[1] != 0)) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "state: a score is of a match: add length=, like length=5 score=2-1");
    }
    /* At a score that both games can have it is the one in which there is a cube to ask about. */
    if (!start->crawford_game && is_one_away(start, *length_points)) {
        start->crawford_done = true;
    }
    return BG_OK;
}
