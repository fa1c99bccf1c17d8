/* examiner.h - one bot process on its own: sends it questions and waits for the answers.
 *
 *     examiner_open(&examiner, &(struct examiner_setup){.bot = &bot, ...}, &err);
 *     examiner_ask(examiner, questions, count);     each question now holds what came of it
 *     examiner_close(examiner);
 *
 * Uses the referee's sessions, link and loop, so that a bot is treated as in an event.
 */
#ifndef REFEREE_CHECK_EXAMINER_H
#define REFEREE_CHECK_EXAMINER_H

#include "base/said.h"

#include "bot/competitor.h"
#include "../seat/session.h"

/* A question and its result. */
struct examiner_question {
    struct session_slot slot; /* the caller sets slot.ask, except its number */
    bool answered;
    struct bg_answer answer;
    struct bg_thought *thought; /* the caller's; gets what it thought, with reads_thoughts, if it
                                   told anything. NULL: not needed */
    int64_t spent_ns;
    enum bg_fault fault; /* the bot's fault, if there is no answer */
    char message[200];
};

/* False if the examination ended before the question's turn. */
bool question_has_result(const struct examiner_question *question);

struct examiner;

struct examiner_setup {
    const struct competitor *bot; /* copied, like the rules */
    const struct bg_rules *rules; /* NULL: no game is requested */
    int64_t start_ns;             /* longest time until the bot is ready */
    int64_t ceiling_ns;           /* longest time for one answer */
    bool reads_thoughts;          /* asks the bot for them, and logs the first that is dropped */
    struct said
        *said; /* lent; gets the last output of the process at each failure. NULL: not needed */
};

/* Starts the bot and waits until it is ready. BG_E_START: it does not get ready; the message has
 * the reason. */
enum bg_status examiner_open(struct examiner **out, const struct examiner_setup *setup,
                             struct bg_error *err);
/* Ends the bot. NULL is fine. */
void examiner_close(struct examiner *examiner);

/* Sends all questions to the bot, up to its number of parallel decisions at once, and waits for
 * all results. */
enum bg_status examiner_ask(struct examiner *examiner, struct examiner_question *questions,
                            size_t count, struct bg_error *err);

/* Sends bytes that are not a question. */
enum bg_status examiner_send(struct examiner *examiner, const void *data, size_t size,
                             struct bg_error *err);

/* Sends Goodbye, waits for the end of the process, and starts it again. *goodbye_ns: how long it
 * took to end; *by_itself: it ended without being killed. BG_E_START as above. */
enum bg_status examiner_restart(struct examiner *examiner, int64_t *goodbye_ns, bool *by_itself,
                                struct bg_error *err);

bool examiner_plays(const struct examiner *examiner, const struct bg_variant *variant);
const char *examiner_version(const struct examiner *examiner); /* "name version" of its Hello */
const char *examiner_options(const struct examiner *examiner); /* "Plies=0" as set */
const struct wire_option *examiner_offers(const struct examiner *examiner,
                                          size_t *count); /* lent */
int examiner_in_flight(const struct examiner *examiner);  /* decisions it accepts in parallel */
uint64_t
examiner_memory(const struct examiner *examiner); /* resident memory in bytes, 0 if unknown */
int64_t examiner_ready_ns(const struct examiner *examiner); /* time from the last start to Ready */

#endif
