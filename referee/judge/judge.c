/* A spec whose first word is no kind is a bot's name or path: most people judge with a bot, and
 * should not have to say so. judge_check() opens with no setup, which reads the words and starts
 * nothing, so that a misspelt judge is refused before an event begins. */
#include "judge.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "judge_kinds.h"

struct judge_kind {
    const char *name;
    judge_open_fn open;
};

static const struct judge_kind kinds[] = {
    {"gnubg", judge_gnubg_open},
    {"bot", judge_bot_open},
    {"rollout", judge_rollout_open},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* Opens the judge of a bot's bare name or path, with words behind a colon as other judges have
 * them: "td:errors", "./mybot:Plies=1,errors". A file's own name may have a colon. */
static enum bg_status open_bare(struct judge **out, const char *spec,
                                const struct judge_setup *setup, struct bg_error *err)
{
    char path[JUDGE_WORD], words[2 * JUDGE_WORD];
    const char *folder = strrchr(spec, '/');
    size_t colon = (size_t)(folder == NULL ? 0 : folder - spec);

    snprintf(path, sizeof path, "%.*s", (int)strcspn(spec, ","), spec);
    colon += strcspn(spec + colon, ":,");
    if (spec[colon] != ':' || access(path, F_OK) == 0) {
        return judge_bot_open(out, spec, setup, err);
    }
    snprintf(words, sizeof words, "%.*s,%s", (int)colon, spec, spec + colon + 1);
    return judge_bot_open(out, words, setup, err);
}

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
    return open_bare(out, spec, setup, err);
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
