/* A program's info may come from other headers than this library's (sized.h): its array of options
 * has entries of their size. */
#include "hello.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "options.h"
#include "sized.h"

/* Size in the first headers of this BG_ABI. */
enum { OPTION_FIRST = SIZED_UP_TO(struct bg_option, help) };

static bool name_fits(const char *name)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-";

    return name != NULL && name[0] != '\0' && strlen(name) < WIRE_NAME &&
           strspn(name, letters) == strlen(name);
}

static enum bg_status text_copy(char *out, size_t size, const char *text, const char *what,
                                struct bg_error *err)
{
    if (text == NULL) {
        text = "";
    }
    if (strlen(text) >= size) {
        return bg_error_set(err, BG_E_ARGUMENT, "%s: longer than %zu bytes", what, size - 1);
    }
    memcpy(out, text, strlen(text) + 1);
    return BG_OK;
}

/* Copies options, entries of option_size bytes, into this library's struct bg_option. */
static enum bg_status options_copy(struct wire_hello *hello, const struct bg_bot_info *info,
                                   struct bg_error *err)
{
    static const struct bg_option blank;
    enum bg_status status =
        sized_check("bg_option", info->option_size, OPTION_FIRST, sizeof blank, err);

    if (status == BG_OK && info->option_count > WIRE_OPTIONS_MAX) {
        status = bg_error_set(err, BG_E_ARGUMENT, "options: %zu, at most %d", info->option_count,
                              WIRE_OPTIONS_MAX);
    }
    for (size_t i = 0; i < info->option_count && status == BG_OK; i++) {
        struct bg_option option = blank;

        /* The program's array has entries of its own version's size. */
        memcpy(&option, (const char *)info->options + i * info->option_size, info->option_size);
        status = options_add(hello, &option, err);
    }
    return status;
}

enum bg_status hello_fill(struct wire_hello *hello, const struct bg_bot_info *info,
                          const char *token, struct bg_error *err)
{
    const char *variants = info->variants == NULL ? "backgammon" : info->variants;
    enum bg_status status;

    if (!name_fits(info->name)) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "bot name %s: must be 1 to 64 of letters, digits, '.', '_', '+', '-'",
                            info->name == NULL ? "(none)" : info->name);
    }
    hello->protocols[0] = BG_PROTOCOL;
    hello->protocol_count = 1;
    hello->pid = (uint32_t)getpid();
    hello->max_in_flight = info->max_in_flight;
    hello->stateful = info->stateful;
    hello->want_plays = info->want_plays;
    hello->want_tells = info->told != NULL;
    hello->want_pairings = info->told != NULL && info->want_pairings;
    hello->evaluates = info->evaluates;
    hello->enters_dice = info->enters_dice;
    if ((status = text_copy(hello->token, sizeof hello->token, token, "BGREF_TOKEN", err)) ||
        (status = text_copy(hello->name, sizeof hello->name, info->name, "name", err)) ||
        (status =
             text_copy(hello->version, sizeof hello->version, info->version, "version", err)) ||
        (status = text_copy(hello->author, sizeof hello->author, info->author, "author", err)) ||
        (status = text_copy(hello->variants, sizeof hello->variants, variants, "variants", err))) {
        return status;
    }
    return options_copy(hello, info, err);
}
