/* Level 2: what makes a bot a good guest. The long run comes last: the checks before it find the
 * bot as it starts, and it finds what many questions leave behind. */
#include "levels.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>

#include "../table/ask_answer.h"

enum {
    AT_ONCE_MAX = 128,
    SAME = 48,            /* questions that are asked three times */
    CLOCKED = 20,         /* questions with a running clock */
    MIDDLE = CLOCKED / 2, /* index of the median time */
    LONG_RUN = 10000,     /* decisions of the memory check */
    SETTLED = 2000,       /* decisions at the start in which memory may grow */
};

#define LONG_RUN_NS (25 * INT64_C(1000000000))
#define GROWTH_MAX  (UINT64_C(16) << 20) /* growth in bytes that is not reported as a leak */

static struct finding *begin(const struct check_run *run, const char *what)
{
    char name[96];

    snprintf(name, sizeof name, "%s: %s", bg_variant_id(run->variant), what);
    return certificate_add(run->certificate, 2, name);
}

static size_t wrapped(const struct check_run *run, size_t i)
{
    return i % run->corpus->count;
}

/* Asks `count` cases at once, starting at `from` and wrapping around, and judges them. */
static enum bg_status ask_cases(struct finding *finding, const struct check_run *run,
                                struct examiner_question *questions, size_t from, size_t count,
                                struct bg_error *err)
{
    enum bg_status status;

    for (size_t i = 0; i < count; i++) {
        size_t number = wrapped(run, from + i);

        check_question(&questions[i], run, &run->corpus->cases[number], number);
    }
    status = examiner_ask(run->examiner, questions, count, err);
    for (size_t i = 0; i < count; i++) {
        const struct bg_match *match = &run->corpus->cases[wrapped(run, from + i)].match;

        if (question_has_result(&questions[i])) {
            check_judge(finding, run, match, &questions[i]);
        }
    }
    return status;
}

/* ----------------------------------------------------------------- one each */

static enum bg_status try_many(const struct check_run *run, struct examiner_question *questions,
                               struct bg_error *err)
{
    struct finding *finding = begin(run, "many questions wait at once");
    enum bg_status status = BG_OK;

    for (size_t from = 0; from < 4 * AT_ONCE_MAX && status == BG_OK; from += AT_ONCE_MAX) {
        status = ask_cases(finding, run, questions, from, AT_ONCE_MAX, err);
    }
    if (status == BG_OK && finding->failed == 0) {
        snprintf(finding->note, sizeof finding->note, "it takes %d at once",
                 examiner_in_flight(run->examiner));
    }
    return status;
}

/* Sends a message of a later protocol version: an empty field 1000 of the envelope. */
static enum bg_status try_unknown(const struct check_run *run, struct examiner_question *questions,
                                  struct bg_error *err)
{
    static const unsigned char later[] = {0xc2, 0x3e, 0x00};
    struct finding *finding = begin(run, "messages it cannot know");
    enum bg_status status = BG_OK;

    for (size_t i = 0; i < 3 && status == BG_OK; i++) {
        status = examiner_send(run->examiner, later, sizeof later, err);
        if (status == BG_OK) {
            status = ask_cases(finding, run, questions, i, 1, err);
        }
    }
    return status;
}

static int compare_times(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Asks a question with this time on the clock. A late answer may be the machine's: it is asked up
 * to twice more. */
static enum bg_status ask_clocked(struct examiner_question *question, const struct check_run *run,
                                  size_t number, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    for (int attempt = 0; attempt < 3 && status == BG_OK; attempt++) {
        struct bg_ask *ask = &question->slot.ask;

        check_question(question, run, &run->corpus->cases[number], number);
        ask->has_clock = true;
        ask->left_ns[0] = ask->left_ns[1] = run->limit_ns;
        status = examiner_ask(run->examiner, question, 1, err);
        if (!question->answered || question->spent_ns <= run->limit_ns) {
            break;
        }
    }
    return status;
}

/* Asks questions one at a time, with a running clock. */
static enum bg_status try_clock(const struct check_run *run, struct examiner_question *questions,
                                struct bg_error *err)
{
    char what[60];
    struct finding *finding;
    int64_t spent_ns[CLOCKED];
    enum bg_status status = BG_OK;

    snprintf(what, sizeof what, "a clock with %g s on it", (double)run->limit_ns / 1e9);
    finding = begin(run, what);
    for (size_t i = 0; i < CLOCKED && status == BG_OK; i++) {
        /* Cases of one kind stand together; steps take some of many kinds. */
        const size_t number = wrapped(run, 7 * i);
        const struct bg_match *match = &run->corpus->cases[number].match;
        char message[120];

        status = ask_clocked(questions, run, number, err);
        spent_ns[i] = questions->spent_ns;
        if (status == BG_OK && questions->spent_ns > run->limit_ns) {
            snprintf(message, sizeof message, "it thought for %.3f s with %g s on its clock",
                     (double)questions->spent_ns / 1e9, (double)run->limit_ns / 1e9);
            check_fail(finding, run, match, questions, BG_FAULT_LATE, message);
        } else if (question_has_result(questions)) {
            check_judge(finding, run, match, questions);
        }
    }
    if (status == BG_OK && finding->failed == 0) {
        qsort(spent_ns, CLOCKED, sizeof spent_ns[0], compare_times);
        snprintf(finding->note, sizeof finding->note, "median %.3f ms a decision, longest %.3f",
                 (double)spent_ns[MIDDLE] / 1e6, (double)spent_ns[CLOCKED - 1] / 1e6);
    }
    return status;
}

/* --------------------------------------------------- the same question again */

static bool same_answer(const struct examiner_question *x, const struct examiner_question *y)
{
    const struct bg_answer *a = &x->answer, *b = &y->answer;

    if (!x->answered || !y->answered || a->kind != b->kind) {
        return false;
    }
    if (a->kind == BG_ANSWER_MOVES) {
        return a->play.moves == b->play.moves &&
               memcmp(a->play.move, b->play.move, (size_t)a->play.moves * sizeof a->play.move[0]) ==
                   0;
    }
    return a->kind == BG_ANSWER_RESULT ? bg_board_equal(&a->result, &b->result)
                                       : a->value == b->value;
}

static void compare_answers(struct finding *finding, const struct check_run *run,
                            const struct examiner_question *first,
                            const struct examiner_question *again, const char *when)
{
    char message[160];

    for (size_t i = 0; i < SAME; i++) {
        if (!first[i].answered || !again[i].answered) {
            continue; /* ask_same has counted it */
        }
        if (same_answer(&first[i], &again[i])) {
            finding_pass(finding);
        } else {
            snprintf(message, sizeof message,
                     "another answer to the same question (game %.60s, same bot_seed) %s",
                     first[i].slot.ask.game, when);
            check_fail(finding, run, &run->corpus->cases[wrapped(run, i)].match, &again[i],
                       BG_FAULT_NONE, message);
        }
    }
}

/* Asks the first cases. Only those without an answer count: other checks have judged the plays. */
static enum bg_status ask_same(struct finding *finding, const struct check_run *run,
                               struct examiner_question *questions, struct bg_error *err)
{
    struct finding judged = {.level = 2};
    enum bg_status status = ask_cases(&judged, run, questions, 0, SAME, err);

    for (size_t i = 0; i < SAME; i++) {
        if (questions[i].fault != BG_FAULT_NONE) {
            check_judge(finding, run, &run->corpus->cases[wrapped(run, i)].match, &questions[i]);
        }
    }
    finding_deinit(&judged);
    return status;
}

/* Asks the same questions in two rounds; sends Goodbye and restarts the bot between them. */
static enum bg_status try_again(const struct check_run *run, struct examiner_question *questions,
                                struct bg_error *err)
{
    struct examiner_question *first = questions, *again = questions + SAME;
    struct finding *same = begin(run, "the same question has the same answer"), *goodbye;
    int64_t goodbye_ns = 0;
    bool by_itself = false;
    char message[120];
    enum bg_status status;

    status = ask_same(same, run, first, err);
    if (status == BG_OK) {
        status = ask_same(same, run, again, err);
    }
    if (status != BG_OK) {
        return status;
    }
    compare_answers(same, run, first, again, "a moment later");
    status = examiner_restart(run->examiner, &goodbye_ns, &by_itself, err);
    if (status == BG_OK) {
        status = ask_same(same, run, again, err);
    }
    if (status == BG_OK) {
        compare_answers(same, run, first, again, "in a new process");
    }
    goodbye = begin(run, "it ends at goodbye and starts again");
    if (by_itself) {
        finding_pass(goodbye);
        snprintf(goodbye->note, sizeof goodbye->note, "ended after %.0f ms, ready after %.0f ms",
                 (double)goodbye_ns / 1e6, (double)examiner_ready_ns(run->examiner) / 1e6);
    } else {
        snprintf(message, sizeof message, "it had to be killed %.1f s after goodbye",
                 (double)goodbye_ns / 1e9);
        finding_fail(goodbye, "", "", message, NULL);
    }
    return status;
}

/* ----------------------------------------------------------------- the long run */

static void judge_memory(struct finding *finding, uint64_t before, uint64_t after,
                         uint64_t decisions)
{
    char message[160];

    snprintf(message, sizeof message,
             "%" PRIu64 " MiB after %d decisions, %" PRIu64 " MiB after %" PRIu64, before >> 20,
             SETTLED, after >> 20, decisions);
    /* Both: a small bot may grow by a fifth while its allocator settles, and a large one by some
     * MiB. */
    if (after > before + GROWTH_MAX && after > before + before / 5) {
        finding_fail(finding, "", "", message, NULL);
    } else {
        finding_pass(finding);
        snprintf(finding->note, sizeof finding->note, "%s", message);
    }
}

static enum bg_status try_long(const struct check_run *run, struct examiner_question *questions,
                               struct bg_error *err)
{
    struct finding wrong = {.level = 2}, *finding;
    uint64_t before = 0, after, asked = 0;
    int64_t spent_ns = 0;
    enum bg_status status = BG_OK;

    while (asked < LONG_RUN && (asked < SETTLED || spent_ns < LONG_RUN_NS) && status == BG_OK) {
        int64_t longest_ns = 0;

        status = ask_cases(&wrong, run, questions, (size_t)asked, AT_ONCE_MAX, err);
        for (size_t i = 0; i < AT_ONCE_MAX; i++) {
            longest_ns = questions[i].spent_ns > longest_ns ? questions[i].spent_ns : longest_ns;
        }
        spent_ns += longest_ns;
        asked += AT_ONCE_MAX;
        if (before == 0 && asked >= SETTLED) {
            before = examiner_memory(run->examiner);
        }
        if (asked < SETTLED && spent_ns > LONG_RUN_NS) {
            break; /* the bot is too slow for the full number */
        }
    }
    after = examiner_memory(run->examiner);
    finding = begin(run, "it plays by the rules for long");
    memcpy(wrong.name, finding->name, sizeof wrong.name);
    *finding = wrong; /* which hands its failures over */
    if (status != BG_OK) {
        return status;
    }
    finding = begin(run, "its memory does not grow");
    if (before == 0) {
        finding_pass(finding);
        snprintf(finding->note, sizeof finding->note,
                 "not measured: only %" PRIu64 " decisions in %.0f s", asked,
                 (double)spent_ns / 1e9);
        return BG_OK;
    }
    judge_memory(finding, before, after, asked);
    return BG_OK;
}

enum bg_status check_protocol(const struct check_run *run, struct bg_error *err)
{
    struct examiner_question *questions = memory_zeroed(AT_ONCE_MAX, sizeof *questions);
    enum bg_status status = try_many(run, questions, err);

    if (status == BG_OK) {
        status = try_unknown(run, questions, err);
    }
    if (status == BG_OK) {
        status = try_clock(run, questions, err);
    }
    if (status == BG_OK) {
        status = try_again(run, questions, err);
    }
    if (status == BG_OK) {
        status = try_long(run, questions, err);
    }
    free(questions);
    return status;
}
