/* Completion offers what would be accepted now: words that fit the question, and beginnings of
 * legal plays, group by group, as a person types a play. It reads the same words table as the
 * reader of lines. */
#include "complete.h"

#include <bgref/notation.h>

#include <stdio.h>
#include <string.h>

enum { WORD = 24, KNOWN = 256 };

struct complete_found {
    char word[KNOWN][WORD];
    size_t count;
};

static void add_found(struct complete_found *found, const char *word, size_t length)
{
    for (size_t i = 0; i < found->count; i++) {
        if (strlen(found->word[i]) == length && strncmp(found->word[i], word, length) == 0) {
            return;
        }
    }
    if (found->count < KNOWN && length < WORD) {
        snprintf(found->word[found->count++], WORD, "%.*s", (int)length, word);
    }
}

static void find_words(struct complete_found *found, const struct entry *entry, const char *part)
{
    enum bg_answer_kind answer;
    const char *word;

    for (int i = 0; (word = typed_word(&answer, i)) != NULL; i++) {
        if (strncmp(word, part, strlen(part)) == 0 &&
            (answer == BG_ANSWER_NONE || bg_answer_fits(entry->ask.kind, answer)) &&
            (answer != BG_ANSWER_RAISE || entry->ask.may_raise)) {
            add_found(found, word, strlen(word));
        }
    }
}

/* Removes one group from the groups of a play. Returns false if it is not there. */
static bool remove_group(char text[BG_PLAY_TEXT], const char *group, size_t length)
{
    for (char *at = text; *at != '\0';) {
        const size_t size = strcspn(at, " ");

        if (size == length && strncmp(at, group, length) == 0) {
            memmove(at, at + size, strlen(at + size) + 1);
            return true;
        }
        at += size + strspn(at + size, " ");
    }
    return false;
}

/* Finds the groups of one play that begin with the last word, if the words before are among its
 * groups. */
static void find_groups(struct complete_found *found, char text[BG_PLAY_TEXT], const char *line,
                        const char *last)
{
    for (const char *at = line; at < last;) {
        const size_t size = strcspn(at, " ");

        if (!remove_group(text, at, size)) {
            return;
        }
        at += size + strspn(at + size, " ");
    }
    for (const char *at = text + strspn(text, " "); *at != '\0';) {
        const size_t size = strcspn(at, " ");

        if (strncmp(at, last, strlen(last)) == 0) {
            add_found(found, at, size);
        }
        at += size + strspn(at + size, " ");
    }
}

static void find_plays(struct complete_found *found, const struct entry *entry, const char *line,
                       const char *last)
{
    static struct bg_play_list plays;
    char text[BG_PLAY_TEXT];

    bg_play_list(&plays, entry->ask.rules.variant, &entry->ask.board, 0, &entry->ask.stage);
    for (size_t i = 0; i < plays.count; i++) {
        bg_play_write(text, entry->ask.rules.variant, &entry->ask.board, 0, &plays.play[i]);
        find_groups(found, text, line, last);
    }
}

static size_t common(const struct complete_found *found)
{
    size_t length = found->count == 0 ? 0 : strlen(found->word[0]);

    for (size_t i = 1; i < found->count; i++) {
        size_t same = 0;

        while (same < length && found->word[i][same] == found->word[0][same]) {
            same++;
        }
        length = same;
    }
    return length;
}

void complete_line(struct completion *out, const struct entry *entry, const char *line)
{
    static struct complete_found found;
    const char *begin = line + strspn(line, " "), *blank = strrchr(begin, ' ');
    const char *last = blank == NULL ? begin : blank + 1;
    size_t typed = strlen(last), used = 0;

    found.count = 0;
    if (last == begin) {
        find_words(&found, entry, last);
    }
    if (entry->ask.kind == BG_DECIDE_PLAY) {
        find_plays(&found, entry, begin, last);
    }
    *out = (struct completion){.count = found.count};
    if (common(&found) > typed) {
        snprintf(out->add, sizeof out->add, "%.*s", (int)(common(&found) - typed),
                 found.word[0] + typed);
    }
    for (size_t i = 0; i < found.count && used < sizeof out->list; i++) {
        used += (size_t)snprintf(out->list + used, sizeof out->list - used, "%s%s",
                                 i > 0 ? "  " : "", found.word[i]);
    }
}
