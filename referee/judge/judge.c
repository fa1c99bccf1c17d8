#include "judge.h"

#include <stdio.h>
#include <string.h>

#include "judge_kinds.h"

struct kind {
    const char *name;
    judge_open_fn open;
};

static const struct kind kinds[] = {
    {"gnubg", judge_gnubg_open},
    {"bot", judge_bot_open},
    {"rollout", judge_rollout_open},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

enum bg_status judge_open(struct judge **out, const char *spec, const struct judge_setup *setup,
                          struct bg_error *err)
{
    size_t length = strcspn(spec, ":");
    const char *words = spec[length] == ':' ? spec + length + 1 : spec + length;

    for (int i = 0; i < KINDS; i++) {
        if (strlen(kinds[i].name) == length && strncmp(kinds[i].name, spec, length) == 0) {
            return kinds[i].open(out, words, setup, err);
        }
    }
    return judge_bot_open(out, spec, setup, err); /* the bare name or path of a bot */
}

enum bg_status judge_check(const char *spec, struct bg_error *err)
{
    struct judge *none = NULL;

    return judge_open(&none, spec, NULL, err);
}

bool judge_word(char key[JUDGE_WORD], char value[JUDGE_WORD], const char **words)
{
    size_t length = strcspn(*words, ",");
    size_t key_length = strcspn(*words, "=,");
    const char *from = *words + key_length + ((*words)[key_length] == '=');
    const char *end = *words + length;

    if (**words == '\0') {
        return false;
    }
    snprintf(key, JUDGE_WORD, "%.*s", (int)key_length, *words);
    snprintf(value, JUDGE_WORD, "%.*s", (int)(end - from), from);
    *words = *end == ',' ? end + 1 : end;
    return true;
}
