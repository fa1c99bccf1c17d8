/* Level 2: is a bot's first question of each class as quick as the next? A bot that loads a table
 * at its first question of a kind loses a match by time there, and only there: asked again, it is
 * quick. So each kind is asked in fresh processes, and counts only if it is slow in all of them. */
#include "levels.h"

#include <stdlib.h>
#include <string.h>

#include "position_class.h"

enum {
    OF_A_CLASS = 3,  /* questions: the first, and two to compare it with */
    ATTEMPTS_MAX = 3 /* fresh processes: what is slow each time is not the machine's */
};

#define CEILING_NS INT64_C(10000000000)
#define LAZY_NS    INT64_C(100000000) /* below it a first question is never called slow */
#define LAZY_TIMES 10                 /* how much slower than the next ones it has to be */

/* The cases of a class. */
struct class_cases {
    size_t number[OF_A_CLASS];
    size_t count;
};

/* Finds cases of money games without beavers: what a bot may load for other rules it cannot know
 * before its first question. */
static void find_cases(struct class_cases out[POSITION_CLASSES], const struct corpus *corpus)
{
    memset(out, 0, POSITION_CLASSES * sizeof *out);
    for (size_t i = 0; i < corpus->count; i++) {
        const struct bg_match *match = &corpus->cases[i].match;
        struct class_cases *found = &out[position_class(match)];

        if (corpus_is_usual(match) && found->count < OF_A_CLASS) {
            found->number[found->count++] = i;
        }
    }
}

/* Asks a fresh process the questions of a class, one after another. BG_E_START: it does not
 * start. */
static enum bg_status ask_fresh(int64_t spent_ns[OF_A_CLASS], struct examiner_question *questions,
                                struct check_run *run, const struct class_cases *cases,
                                struct bg_error *err)
{
    const struct bg_rules *rules = &run->corpus->cases[cases->number[0]].match.rules;
    enum bg_status status = examiner_open(&run->examiner,
                                          &(struct examiner_setup){.bot = run->bot,
                                                                   .rules = rules,
                                                                   .start_ns = run->start_ns,
                                                                   .ceiling_ns = CEILING_NS,
                                                                   .said = &run->said},
                                          err);

    if (status != BG_OK) {
        return status;
    }
    for (size_t i = 0; i < cases->count && status == BG_OK; i++) {
        struct bg_ask *ask = &questions[i].slot.ask;

        check_question(&questions[i], run, &run->corpus->cases[cases->number[i]], cases->number[i]);
        ask->has_clock = true;
        ask->left_ns[0] = ask->left_ns[1] = run->limit_ns;
        status = examiner_ask(run->examiner, &questions[i], 1, err);
        spent_ns[i] = questions[i].spent_ns;
        if (!questions[i].answered) {
            break;
        }
    }
    examiner_close(run->examiner);
    return status;
}

/* Returns whether the first question was slow for what the next ones took. */
static bool is_lazy(const int64_t spent_ns[OF_A_CLASS], size_t count)
{
    int64_t next_ns = 0;

    for (size_t i = 1; i < count; i++) {
        next_ns = spent_ns[i] > next_ns ? spent_ns[i] : next_ns;
    }
    return count > 1 && spent_ns[0] > LAZY_NS && spent_ns[0] > LAZY_TIMES * next_ns;
}

static void tell_class(struct finding *finding, const struct check_run *run,
                       const struct examiner_question *question, const struct bg_match *match,
                       const int64_t spent_ns[OF_A_CLASS], size_t count, int class)
{
    char message[250], name[64], next[60] = "";

    position_class_name(name, sizeof name, class);
    if (count > 1) {
        snprintf(next, sizeof next, ", the next one %.1f ms", (double)spent_ns[1] / 1e6);
    }
    snprintf(message, sizeof message,
             "its first question (%s) took %.1f ms%s, in each of %d processes: load and compute "
             "before Ready",
             name, (double)spent_ns[0] / 1e6, next, ATTEMPTS_MAX);
    check_fail(finding, run, match, question, BG_FAULT_LATE, message);
}

static enum bg_status try_class(struct finding *finding, struct check_run *run, int class,
                                const struct class_cases *cases, int64_t *longest_ns,
                                struct bg_error *err)
{
    const struct bg_match *match = &run->corpus->cases[cases->number[0]].match;
    struct examiner_question questions[OF_A_CLASS] = {0};
    int64_t spent_ns[OF_A_CLASS] = {0};
    bool slow = true;

    for (int attempt = 0; attempt < ATTEMPTS_MAX && slow; attempt++) {
        enum bg_status status = ask_fresh(spent_ns, questions, run, cases, err);

        if (status != BG_OK) {
            return status;
        }
        for (size_t i = 0; i < cases->count; i++) {
            if (questions[i].fault != BG_FAULT_NONE) {
                check_judge(finding, run, &run->corpus->cases[cases->number[i]].match,
                            &questions[i]);
                return BG_OK;
            }
        }
        slow = spent_ns[0] > run->limit_ns || is_lazy(spent_ns, cases->count);
    }
    if (slow) {
        tell_class(finding, run, &questions[0], match, spent_ns, cases->count, class);
    } else {
        check_judge(finding, run, match, &questions[0]);
        *longest_ns = spent_ns[0] > *longest_ns ? spent_ns[0] : *longest_ns;
    }
    return BG_OK;
}

enum bg_status check_first(const struct check_run *run, struct bg_error *err)
{
    static struct class_cases cases[POSITION_CLASSES];
    struct check_run fresh = *run;
    struct finding *finding;
    int64_t longest_ns = 0;
    enum bg_status status = BG_OK;
    char name[96];

    snprintf(name, sizeof name, "%s: the first question of each kind is as quick as the next",
             bg_variant_id(run->variant));
    finding = certificate_add(run->certificate, 2, name);
    find_cases(cases, run->corpus);
    for (int i = 0; i < POSITION_CLASSES && status == BG_OK; i++) {
        if (cases[i].count > 0) {
            status = try_class(finding, &fresh, i, &cases[i], &longest_ns, err);
        }
    }
    if (status == BG_OK && finding->failed == 0) {
        snprintf(finding->note, sizeof finding->note, "longest %.1f ms, in a new process each",
                 (double)longest_ns / 1e6);
    }
    return status;
}
