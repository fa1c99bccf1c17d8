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
 * The referee starts the bot with BGREF_ENDPOINT and BGREF_TOKEN in the environment. A bot that
 * joins a host on another machine by itself, without `bgref join`, has BGREF_ENDPOINT
 * ("tcp://..."), BGREF_SERVER_KEY and BGREF_KEY_FILE instead (docs/remote.md). The SDK never
 * prints, exits or touches signals. One bot per process and per thread that uses it.
 */
#ifndef BGREF_BOT_H
#define BGREF_BOT_H

#include <stddef.h>

#include <bgref/ask.h>
#include <bgref/error.h>
#include <bgref/evaluate.h>
#include <bgref/tell.h>
#include <bgref/thought.h>

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

/* One option of a bot; all strings are lent to bg_bot_open. Grows at its end: info.option_size
 * is the size in the program's headers. */
struct bg_option {
    const char *name; /* letters, digits, '_', '-', '.' */
    enum bg_option_type type;
    const char *value;     /* default */
    const char *min, *max; /* INTEGER, REAL; NULL no bound */
    const char *choices;   /* CHOICE: separated by '|' */
    const char *help;
};

/* The bot's description. Grows at its end: size is its size in the program's headers. */
struct bg_bot_info {
    size_t size;          /* sizeof (struct bg_bot_info), set by BG_BOT_INFO_INIT */
    const char *name;     /* program name, 1..64 of letters, digits . _ + - */
    const char *version;  /* "" unknown */
    const char *author;   /* "" unknown */
    const char *variants; /* ids separated by blanks; NULL: "backgammon" */
    const struct bg_option *options;
    size_t option_count;
    uint32_t max_in_flight; /* decisions open at once; 0 counts as 1 */
    bool stateful;          /* at most one match at a time in a process; games are announced */
    bool want_plays;        /* every play decision lists the legal results */
    /* bg_bot_open calls it after the options are set and before Ready, while no clock runs. Check
     * option values, load a network or start an engine here. If the status is not BG_OK,
     * bg_bot_open returns it, and the bot counts as not started. NULL: nothing to do. */
    enum bg_status (*prepare)(void *user, const struct bg_bot *bot, struct bg_error *err);
    void *user; /* handed to prepare, new_game, told and notice */
    /* The bot can value positions. It then also gets asks of the kinds BG_VALUE_... (evaluate.h)
     * for the games in variants, and must answer each, if necessary with bg_bot_answer_cannot. */
    bool evaluates;
    size_t option_size; /* sizeof (struct bg_option), set by BG_BOT_INFO_INIT */
    /* Stateful bots: a game begins, or continues in a new process; the library says Ready when it
     * returns. No clock runs meanwhile, but the referee does not wait for ever (Welcome's
     * new_game_ns). NULL: Ready at once. See tell.h; *begin is lent for the call. */
    void (*new_game)(void *user, const struct bg_game_begin *begin);
    /* The bot is told what happens in its games (tell.h), inside bg_bot_next; *tell is lent for the
     * call. NULL: it is not told. */
    void (*told)(void *user, const struct bg_tell *tell);
    /* A person sits at a real board, rolls real dice, and can say which: the bot is admitted to
     * events with `dice: manual`, and gets asks of the kind BG_DECIDE_DICE there. */
    bool enters_dice;
    /* With told: it is told its pairings too (BG_TELL_PAIRED). */
    bool want_pairings;
    /* A bot that joins a host by itself gives the person who started it a sentence in bg_bot_open,
     * at most one of each kind: that it waits for a host that does not answer, and what to check;
     * that it is connected. Print text, without an end of line, to standard error; it is lent for
     * the call. Never called in a bot that a referee or `bgref join` started. NULL: no sentences,
     * and bg_bot_open gives up after 30 seconds. */
    void (*notice)(void *user, const char *text);
};

#define BG_BOT_INFO_INIT                                                                           \
    {                                                                                              \
        sizeof(struct bg_bot_info), "", "", "", 0, 0, 0, 1, false, false, 0, 0, false,             \
            sizeof(struct bg_option), 0, 0, false, false, 0                                        \
    }

/* Connects, sends Hello, checks the Welcome (an unknown option is an error) and sends Ready.
 * BG_E_ARGUMENT: invalid info (also if made with headers that this library does not support), or a
 * missing environment variable (the text names it and how to start a bot); BG_E_LINK: cannot
 * connect; BG_E_REFUSED: the referee refused (the text has its reason); BG_E_TIMEOUT: no Welcome
 * within 30 seconds; a bot that joins a host by itself and has info.notice waits without a limit.
 */
BG_API enum bg_status bg_bot_open(struct bg_bot **out, const struct bg_bot_info *info,
                                  struct bg_error *err);

/* Returns the value that the referee set for an option, or its default. NULL: unknown option. Lent
 * until bg_bot_close. */
BG_API const char *bg_bot_option(const struct bg_bot *bot, const char *name);

/* Returns the bot's name in this event. */
BG_API const char *bg_bot_name(const struct bg_bot *bot);

/* What the referee allows the bot, from its Welcome. Numbers that a referee does not tell are 0, as
 * those that it does not limit. Grows at its end. */
struct bg_limits {
    uint32_t message_bytes;                         /* largest message from the bot */
    uint32_t messages_per_second, bytes_per_second; /* of what answers no open decision */
    uint32_t in_flight;                             /* decisions open at once */
    uint32_t tables;                                /* at once */
    uint32_t games_a_day;                           /* of an earlier referee; now always 0 */
    uint32_t hello_bytes;                           /* largest Hello */
    uint32_t starts_an_hour;                        /* of the bot; what the referee ends is free */
    uint64_t start_ns;                              /* Hello and Ready must be there by then */
    uint64_t new_game_ns;                           /* for Ready to a new game */
    uint64_t decision_ns;                           /* the most that a decision may take */
};

/* Lent until bg_bot_close. */
BG_API const struct bg_limits *bg_bot_limits(const struct bg_bot *bot);

/* Whether the referee has kept the bot's games since an earlier connection was lost (only bots on
 * other machines): what was open then is asked again, under its old number. bg_bot_open_game: the
 * id of the i-th game that the bot plays now, from 0, also out of turn; NULL past the last one.
 * Lent until bg_bot_close. Both may be called in prepare. */
BG_API bool bg_bot_is_resuming(const struct bg_bot *bot);
BG_API const char *bg_bot_open_game(const struct bg_bot *bot, size_t i);

/* Waits for the next decision and lends it: *out and what it points to are valid until the next
 * bg_bot_next on this bot, and *out is NULL unless the status is BG_OK. Sends the queued
 * answers, all in one message, as soon as no decision is waiting. timeout_ms: -1 waits for ever.
 * BG_E_CLOSED: the referee sent Goodbye or has ended, the bot should exit; BG_E_LINK: a line to
 * another machine is lost; BG_E_TIMEOUT; BG_E_FORMAT. */
BG_API enum bg_status bg_bot_next(const struct bg_ask **out, struct bg_bot *bot, int timeout_ms,
                                  struct bg_error *err);

/* Returns the number of Asks received and not yet lent: bg_bot_next returns these at once. */
BG_API size_t bg_bot_waiting(const struct bg_bot *bot);

/* Each answers ask (or a copy of it); answer every decision once. The answer is queued;
 * bg_bot_next or bg_bot_flush sends it. BG_E_ARGUMENT: the answer does not fit the kind of decision
 * (bg_answer_fits). The referee judges whether it is legal. */
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
/* die[0 .. ask->dice - 1]: the dice of a roll of people as they lie on the board, 1..6 each. */
BG_API enum bg_status bg_bot_answer_dice(struct bg_bot *bot, const struct bg_ask *ask,
                                         const uint8_t *die, struct bg_error *err);
/* Offers to resign at level 1..3 (acey-deucey: points, up to 15) instead of deciding; if the
 * opponent refuses, the referee asks the decision again. */
BG_API enum bg_status bg_bot_resign(struct bg_bot *bot, const struct bg_ask *ask, int level,
                                    struct bg_error *err);
/* Adds what the bot thought (thought.h) to the next answer to ask; called again, replaces it. The
 * referee judges its values. bg_bot_wants_thoughts: whether they are stored; else do not compute
 * any, since bg_bot_think then does nothing. BG_E_ARGUMENT: made with headers that this library
 * does not support; BG_E_MEMORY. */
BG_API bool bg_bot_wants_thoughts(const struct bg_bot *bot);
BG_API enum bg_status bg_bot_think(struct bg_bot *bot, const struct bg_ask *ask,
                                   const struct bg_thought *thought, struct bg_error *err);
/* Answers with the values of a position: value->of, in the form for the ask's kind; value->kind is
 * ignored. Answer each ask once. The values are sent together, after the last position of the same
 * request. BG_E_ARGUMENT: impossible values (bg_value_check); the text names the value. */
BG_API enum bg_status bg_bot_answer_value(struct bg_bot *bot, const struct bg_ask *ask,
                                          const struct bg_value *value, struct bg_error *err);
/* Answers that the bot cannot value this position. why: a few words, shown to people. */
BG_API enum bg_status bg_bot_answer_cannot(struct bg_bot *bot, const struct bg_ask *ask,
                                           const char *why, struct bg_error *err);
/* Sends queued answers now (for bots that compute long with several open decisions). */
BG_API enum bg_status bg_bot_flush(struct bg_bot *bot, struct bg_error *err);

/* Descriptor that becomes readable when bg_bot_next may have news, for bots with a poll loop of
 * their own. News may also be here already, without any byte left to be read: before each wait, and
 * so after each readiness, call bg_bot_next with timeout 0 until BG_E_TIMEOUT, which also sends the
 * answers. Only wait for it; do not read from it. */
BG_API int bg_bot_fd(const struct bg_bot *bot);

/* Lists the legal plays of a play decision for the asked seat (seat 0): calls bg_play_list with the
 * arguments from ask. */
BG_API void bg_ask_plays(struct bg_play_list *out, const struct bg_ask *ask);

BG_API void bg_bot_close(struct bg_bot *bot);

#ifdef __cplusplus
}
#endif
#endif
