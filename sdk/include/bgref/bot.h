/* bot.h - the bot's side of the referee's protocol: a loop that pulls decisions.
 *
 * The smallest use (bots/first/main.c):
 *
 *     struct bg_bot_info info = BG_BOT_INFO_INIT;
 *     struct bg_bot *bot = NULL;
 *     const struct bg_ask *ask;
 *     info.name = "mine";
 *     if (bg_bot_open(&bot, &info, &err) != BG_OK) ...
 *     while (bg_bot_next(&ask, bot, -1, &err) == BG_OK) {
 *         switch (ask->kind) {
 *         case BG_DECIDE_PLAY: ... bg_bot_answer_play(bot, ask, &play, &err); break;
 *         ...
 *     }
 *     bg_bot_close(bot);
 *
 * The referee starts the bot with BGREF_ENDPOINT and BGREF_TOKEN in the environment. The SDK never
 * prints, exits or touches signals. One bot per process and per thread that uses it.
 */
#ifndef BGREF_BOT_H
#define BGREF_BOT_H

#include <stddef.h>

#include <bgref/ask.h>
#include <bgref/error.h>
#include <bgref/evaluate.h>

#ifdef __cplusplus
extern "C" {
#endif

struct bg_bot;

enum bg_option_type {
    BG_OPTION_STRING,
    BG_OPTION_INTEGER,
    BG_OPTION_REAL,
    BG_OPTION_FLAG, /* "true" or "false" */
    BG_OPTION_CHOICE
};

/* One option a bot offers; all strings are lent to bg_bot_open. Grows at its end: info.option_size
 * says how much of it the program knows. */
struct bg_option {
    const char *name; /* letters, digits, '_', '-', '.' */
    enum bg_option_type type;
    const char *value;     /* default */
    const char *min, *max; /* INTEGER, REAL; NULL no bound */
    const char *choices;   /* CHOICE: separated by '|' */
    const char *help;
};

/* The bot's description of itself. Grows at its end: size says how much of it the program knows. */
struct bg_bot_info {
    size_t size;          /* sizeof (struct bg_bot_info), set by BG_BOT_INFO_INIT */
    const char *name;     /* program name, 1..64 of letters, digits . _ + - */
    const char *version;  /* "" unknown */
    const char *author;   /* "" unknown */
    const char *variants; /* ids separated by blanks; NULL: "backgammon" */
    const struct bg_option *options;
    size_t option_count;
    uint32_t max_in_flight; /* decisions open at once; 0 counts as 1 */
    bool stateful;          /* wants one game a process */
    bool want_plays;        /* wants the legal results listed in every play decision */
    /* Called by bg_bot_open once the options are set and before Ready, while no clock runs:
     * the place to check option values, load a network, start an engine. Any status but BG_OK ends
     * bg_bot_open with it, and the bot counts as not started. NULL: nothing to do. */
    enum bg_status (*prepare)(void *user, const struct bg_bot *bot, struct bg_error *err);
    void *user; /* handed to prepare */
    /* Can value positions: then asks of the kinds BG_VALUE_... come too (evaluate.h), of games that
     * variants lists, and each must be answered, by bg_bot_answer_cannot if need be. */
    bool evaluates;
    size_t option_size; /* sizeof (struct bg_option), set by BG_BOT_INFO_INIT */
};

#define BG_BOT_INFO_INIT                                                                           \
    {                                                                                              \
        sizeof(struct bg_bot_info), "", "", "", 0, 0, 0, 1, false, false, 0, 0, false,             \
            sizeof(struct bg_option)                                                               \
    }

/* Connects, greets, checks the Welcome (an option that this bot does not offer is an error) and
 * says Ready. BG_E_ARGUMENT: info (also one of headers that this library does not serve) or
 * environment (names the variable and how a bot is started); BG_E_LINK: cannot connect;
 * BG_E_REFUSED: the referee refused, with its reason; BG_E_TIMEOUT: no Welcome. */
BG_API enum bg_status bg_bot_open(struct bg_bot **out, const struct bg_bot_info *info,
                                  struct bg_error *err);

/* The value of an option as the referee set it, or its default. NULL for a name not offered. Lent
 * until bg_bot_close. */
BG_API const char *bg_bot_option(const struct bg_bot *bot, const char *name);

/* The name under which the bot plays here. */
BG_API const char *bg_bot_name(const struct bg_bot *bot);

/* Waits for the next decision and lends it: *out and what it points to are valid until the next
 * bg_bot_next on this bot, and *out is NULL unless the status is BG_OK. Sends what was answered
 * before, all in one message, once no decision is waiting. timeout_ms: -1 waits for ever.
 * BG_E_CLOSED: the referee says goodbye, the bot should end; BG_E_TIMEOUT; BG_E_FORMAT. */
BG_API enum bg_status bg_bot_next(const struct bg_ask **out, struct bg_bot *bot, int timeout_ms,
                                  struct bg_error *err);

/* Asks received and not yet lent by bg_bot_next: more can be taken without waiting. */
BG_API size_t bg_bot_waiting(const struct bg_bot *bot);

/* Answers to ask, which may be a copy; each decision once. Queued and sent by bg_bot_next or
 * bg_bot_flush. BG_E_ARGUMENT: the answer does not fit the kind of decision (bg_answer_fits). The
 * referee judges whether it is legal. */
BG_API enum bg_status bg_bot_answer_play(struct bg_bot *bot, const struct bg_ask *ask,
                                         const struct bg_play *play, struct bg_error *err);
BG_API enum bg_status bg_bot_answer_index(struct bg_bot *bot, const struct bg_ask *ask,
                                          uint32_t index, struct bg_error *err);
BG_API enum bg_status bg_bot_answer_result(struct bg_bot *bot, const struct bg_ask *ask,
                                           const struct bg_board *result, struct bg_error *err);
/* ROLL, DOUBLE, TAKE, PASS, RAISE, KEEP, REROLL, ACCEPT, REFUSE. */
BG_API enum bg_status bg_bot_answer(struct bg_bot *bot, const struct bg_ask *ask,
                                    enum bg_answer_kind kind, struct bg_error *err);
BG_API enum bg_status bg_bot_answer_name(struct bg_bot *bot, const struct bg_ask *ask, int number,
                                         struct bg_error *err);
/* Offers to resign at level 1..3 (acey-deucey: points, up to 15) instead of deciding; when refused,
 * the decision is asked again. */
BG_API enum bg_status bg_bot_resign(struct bg_bot *bot, const struct bg_ask *ask, int level,
                                    struct bg_error *err);
/* Values of a position: value->of as the kind of the ask wants it; value->kind is ignored. Each
 * ask once. They are sent when the last position that the referee asked for together is valued.
 * BG_E_ARGUMENT: impossible values (bg_value_check); the text names the value. */
BG_API enum bg_status bg_bot_answer_value(struct bg_bot *bot, const struct bg_ask *ask,
                                          const struct bg_value *value, struct bg_error *err);
/* This position cannot be valued: why in a few words, shown to people. */
BG_API enum bg_status bg_bot_answer_cannot(struct bg_bot *bot, const struct bg_ask *ask,
                                           const char *why, struct bg_error *err);
/* Sends queued answers now (for bots that think long with several decisions open). */
BG_API enum bg_status bg_bot_flush(struct bg_bot *bot, struct bg_error *err);

/* Descriptor that becomes readable when bg_bot_next may have news, for bots with a poll loop of
 * their own. News may also be here already, without any byte left to be read: before each wait, and
 * so after each readiness, call bg_bot_next with timeout 0 until BG_E_TIMEOUT, which also sends the
 * answers. Only wait for it; do not read from it. */
BG_API int bg_bot_fd(const struct bg_bot *bot);

/* Legal plays of a play decision, from the asked seat (seat 0): bg_play_list with the right
 * arguments. */
BG_API void bg_ask_plays(struct bg_play_list *out, const struct bg_ask *ask);

BG_API void bg_bot_close(struct bg_bot *bot);

#ifdef __cplusplus
}
#endif
#endif
