/* Each text is followed by a zero byte, so no two lists of texts give the same bytes. */
#include "terms_digest.h"

#include <string.h>

#include <sodium.h>

#define RECORDS "bgref-terms-1 record-1"

static void add(crypto_generichash_state *state, const char *text)
{
    crypto_generichash_update(state, (const unsigned char *)text, strlen(text) + 1);
}

static bool add_bot(crypto_generichash_state *state, const Bgref__Work__V1__Event *event,
                    const char *name)
{
    const Bgref__Work__V1__Bot *bot = NULL;

    for (size_t i = 0; i < event->n_bots && bot == NULL; i++) {
        bot = strcmp(event->bots[i]->name, name) == 0 ? event->bots[i] : NULL;
    }
    if (bot == NULL) {
        return false;
    }
    add(state, bot->name);
    add(state, bot->program);
    add(state, bot->settings);
    return true;
}

bool terms_digest(uint8_t out[TERMS_DIGEST], const Bgref__Work__V1__Event *event, const char *a,
                  const char *b, const char *conditions)
{
    const bool is_first = strcmp(a, b) < 0;
    crypto_generichash_state state;
    bool has_both;

    crypto_generichash_init(&state, NULL, 0, TERMS_DIGEST);
    add(&state, RECORDS);
    add(&state, event->name);
    add(&state, event->trust);
    add(&state, conditions);
    has_both = add_bot(&state, event, is_first ? a : b) && add_bot(&state, event, is_first ? b : a);
    for (size_t i = 0; i < event->n_settings; i++) {
        add(&state, event->settings[i]->key);
        add(&state, event->settings[i]->value);
    }
    crypto_generichash_final(&state, out, TERMS_DIGEST);
    return has_both;
}
