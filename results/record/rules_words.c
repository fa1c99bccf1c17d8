/* Changes to rules as words over usual rules, so that a file names only what differs. They are
 * joined to a whole text and read by the one reader of records: a rule that is new there needs
 * nothing here. */
#define _GNU_SOURCE
#include "rules_words.h"

#include <stdio.h>
#include <string.h>

/* Keys that rules contain only for unusual values, in their order. */
static const char *const rare[] = {"flag-match", "cube-limit", "next", "rotation"};

enum { WORDS_MAX = 24, WORD = 96, RARE = sizeof rare / sizeof rare[0] };

struct word_list {
    char text[WORDS_MAX][WORD];
    int count;
};

static bool split_words(struct word_list *out, const char *text)
{
    out->count = 0;
    for (const char *at = text + strspn(text, " ,"); *at != '\0'; at += strspn(at, " ,")) {
        size_t length = strcspn(at, " ,");

        if (out->count == WORDS_MAX || length >= WORD) {
            return false;
        }
        snprintf(out->text[out->count++], WORD, "%.*s", (int)length, at);
        at += length;
    }
    return true;
}

static size_t key_length(const char *word)
{
    return strcspn(word, "=");
}

/* Returns the index of the word with this key; -1: none. */
static int find_word(const struct word_list *words, const char *key)
{
    size_t length = key_length(key);

    for (int i = 0; i < words->count; i++) {
        if (key_length(words->text[i]) == length && strncmp(words->text[i], key, length) == 0) {
            return i;
        }
    }
    return -1;
}

static void rules_word_list(struct word_list *out, const struct bg_rules *rules)
{
    char text[RECORD_RULES];

    record_rules_write(text, rules);
    (void)split_words(out, text);
}

void rules_words_write(char out[RECORD_RULES], const struct bg_rules *rules)
{
    const struct bg_rules usual = bg_rules_default(rules->variant, rules->length_points);
    struct word_list words, before;
    size_t used = 0;

    rules_word_list(&words, rules);
    rules_word_list(&before, &usual);
    out[0] = '\0';
    for (int i = 0; i < words.count; i++) {
        int at = find_word(&before, words.text[i]);

        if (at < 0 || strcmp(before.text[at], words.text[i]) != 0) {
            used += (size_t)snprintf(out + used, RECORD_RULES - used, "%s%s", used > 0 ? " " : "",
                                     words.text[i]);
        }
    }
}

/* Replaces the word with the same key. Returns false if there is no such key. */
static bool put_word(struct word_list *words, const char *word)
{
    int at = find_word(words, word);

    if (at < 0) {
        for (int i = 0; i < RARE; i++) {
            at = strncmp(word, rare[i], key_length(word)) == 0 &&
                         strlen(rare[i]) == key_length(word) && words->count < WORDS_MAX
                     ? words->count++
                     : at;
        }
    }
    if (at < 0) {
        return false;
    }
    snprintf(words->text[at], WORD, "%s", word);
    return true;
}

static int rank_of(const char *word)
{
    for (int i = 0; i < RARE; i++) {
        if (strlen(rare[i]) == key_length(word) && strncmp(word, rare[i], strlen(rare[i])) == 0) {
            return i + 1;
        }
    }
    return 0;
}

/* Joins the words in the order of record_rules_read: the rare keys last. */
static void join(char out[RECORD_RULES], const struct word_list *words)
{
    size_t used = 0;

    out[0] = '\0';
    for (int rank = 0; rank <= RARE; rank++) {
        for (int i = 0; i < words->count; i++) {
            if (rank_of(words->text[i]) == rank && used < RECORD_RULES - WORD) {
                used += (size_t)snprintf(out + used, RECORD_RULES - used, "%s%s",
                                         used > 0 ? " " : "", words->text[i]);
            }
        }
    }
}

/* Names the first change that alone is not understood; why: what is wrong with all of them. Each
 * change is tried alone, because the reader can only say that the whole line is wrong. */
static enum bg_status wrong_words(const struct bg_rules *rules, const struct word_list *changes,
                                  const struct bg_error *why, struct bg_error *err)
{
    static const char unread[] = "rules '";

    for (int i = 0; strncmp(why->text, unread, strlen(unread)) == 0 && i < changes->count; i++) {
        struct bg_rules one = *rules;
        struct bg_error alone = {.text = ""};
        struct word_list all;
        char text[RECORD_RULES];

        rules_word_list(&all, rules);
        put_word(&all, changes->text[i]);
        join(text, &all);
        if (record_rules_read(&one, text, &alone) != BG_OK &&
            strncmp(alone.text, unread, strlen(unread)) == 0) {
            return bg_error_set(err, BG_E_FORMAT,
                                "rules: '%s' has no value that is known (a switch is on or off); "
                                "docs/record.md has them",
                                changes->text[i]);
        }
    }
    return bg_error_set(err, BG_E_FORMAT, "%.700s", why->text);
}

enum bg_status rules_words_read(struct bg_rules *rules, const char *words, struct bg_error *err)
{
    struct word_list all, changes;
    struct bg_error why = {.text = ""};
    char text[RECORD_RULES];

    rules_word_list(&all, rules);
    if (!split_words(&changes, words)) {
        return bg_error_set(err, BG_E_FORMAT, "rules '%.100s': too long", words);
    }
    for (int i = 0; i < changes.count; i++) {
        if (strchr(changes.text[i], '=') == NULL || !put_word(&all, changes.text[i])) {
            return bg_error_set(err, BG_E_FORMAT,
                                "rules: '%s' is unknown; there are cube=, jacoby=, beavers=, "
                                "raises=, cube-limit=, crawford= and others (docs/record.md)",
                                changes.text[i]);
        }
    }
    join(text, &all);
    return record_rules_read(rules, text, &why) == BG_OK ? BG_OK
                                                         : wrong_words(rules, &changes, &why, err);
}

bool rules_have_xgid(const struct bg_variant *variant)
{
    return variant == bg_variant_find("backgammon") || variant == bg_variant_find("nackgammon") ||
           variant == bg_variant_find("hypergammon");
}
