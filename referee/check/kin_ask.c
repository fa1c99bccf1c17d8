/* The bots are asked one after another, in an order of positions that is the same for all: none
 * of them can take a core from another, and the answers can be compared place by place. */
#include "kin_ask.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>
#include <bgref/dice.h>
#include <base/said.h>

#include "../table/ask_answer.h"
#include "examiner.h"

#define START_NS   INT64_C(30000000000)
#define CEILING_NS INT64_C(60000000000)

enum { AT_ONCE = 256 /* questions handed over together */ };

struct asking {
    struct kin_asked *out;
    struct kin_raw *raw; /* owned; by choice */
    size_t *compared;    /* owned; cases that are compared */
    size_t cases;
};

/* Converts an answer into a step; false if it is not legal. */
static bool step_of(struct bg_step *step, const struct bg_match *match,
                    const struct examiner_question *question)
{
    struct bg_match after = *match;
    int seat = match->need.seat;

    *step = (struct bg_step){.kind = BG_STEP_ROLL, .seat = seat};
    if (!question->answered || !bg_answer_fits(question->slot.ask.kind, question->answer.kind)) {
        return false;
    }
    return question->answer.kind == BG_ANSWER_ROLL ||
           answer_take(step, &after, &question->slot.ask, seat, &question->answer) == BG_RULE_NONE;
}

static void take_answer(struct asking *asking, int bot, size_t number,
                        const struct examiner_question *question)
{
    struct kin_asked *out = asking->out;
    const struct bg_match *match = &out->corpus.cases[number].match;
    char key[DECISION_KEY], choice[DECISION_CHOICE];
    struct bg_step step;

    if (!step_of(&step, match, question) || !decision_choice(choice, match, &step) ||
        !decision_key(key, match)) {
        out->faults++;
        return;
    }
    out->choice[out->count] = (struct kin_choice){.bot = bot, .cluster = (int)number, .error = NAN};
    out->step[out->count] = step;
    out->which[out->count] = number;
    kin_raw_of(&asking->raw[out->count], key, choice);
    out->count++;
}

static enum bg_status ask_bot(struct asking *asking, int bot, const struct competitor *competitor,
                              struct bg_error *err)
{
    struct bg_rules rules = asking->out->corpus.cases[0].match.rules;
    struct said said = {.text = ""};
    struct examiner_setup setup = {.bot = competitor,
                                   .rules = &rules,
                                   .start_ns = START_NS,
                                   .ceiling_ns = CEILING_NS,
                                   .said = &said};
    struct examiner_question *questions = memory_zeroed(AT_ONCE, sizeof *questions);
    struct examiner *examiner = NULL;
    enum bg_status status = examiner_open(&examiner, &setup, err);

    for (size_t i = 0; i < asking->cases && status == BG_OK; i += AT_ONCE) {
        size_t count = asking->cases - i < AT_ONCE ? asking->cases - i : AT_ONCE;

        memset(questions, 0, AT_ONCE * sizeof *questions);
        for (size_t k = 0; k < count; k++) {
            size_t number = asking->compared[i + k];
            const struct bg_match *match = &asking->out->corpus.cases[number].match;
            struct bg_ask *ask = &questions[k].slot.ask;

            ask_from_match(ask, match, match->need.seat);
            /* The id follows from the position alone, and the seed from the id: chance is the
             * same for all bots. */
            snprintf(ask->game, sizeof ask->game, "kin|%zu", number);
            ask->bot_seed = bg_dice_bot_seed(ask->game);
        }
        status = examiner_ask(examiner, questions, count, err);
        for (size_t k = 0; k < count && status == BG_OK; k++) {
            take_answer(asking, bot, asking->compared[i + k], &questions[k]);
        }
    }
    examiner_close(examiner);
    free(questions);
    return status;
}

enum bg_status kin_ask(struct kin_asked *out, const struct competitor *bots, int count,
                       const struct bg_variant *variant, struct bg_error *err)
{
    struct asking asking = {.out = out};
    enum bg_status status = BG_OK;
    size_t most;

    *out = (struct kin_asked){.count = 0};
    corpus_create(&out->corpus, variant);
    most = out->corpus.count * (size_t)count;
    asking.raw = memory_zeroed(most, sizeof *asking.raw);
    asking.compared = memory_zeroed(most, sizeof *asking.compared);
    out->choice = memory_zeroed(most, sizeof *out->choice);
    out->step = memory_zeroed(most, sizeof *out->step);
    out->which = memory_zeroed(most, sizeof *out->which);
    for (size_t i = 0; i < out->corpus.count; i++) {
        char key[DECISION_KEY];

        if (decision_key(key, &out->corpus.cases[i].match)) {
            asking.compared[asking.cases++] = i;
        }
    }
    for (int bot = 0; bot < count && status == BG_OK; bot++) {
        status = ask_bot(&asking, bot, &bots[bot], err);
    }
    if (status == BG_OK) {
        kin_number(out->choice, asking.raw, out->count);
    }
    free(asking.raw);
    free(asking.compared);
    if (status != BG_OK) {
        kin_asked_deinit(out);
    }
    return status;
}

void kin_asked_deinit(struct kin_asked *asked)
{
    corpus_deinit(&asked->corpus);
    free(asked->choice);
    free(asked->step);
    free(asked->which);
    *asked = (struct kin_asked){.count = 0};
}
