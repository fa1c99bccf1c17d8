/* Levels 0 and 1: does it play, does it know the rules? The game of level 0 ends at the first wrong
 * decision, as it cannot go on from there. Level 1 asks each case of the corpus by itself, so that
 * one wrong answer does not hide the next. */
#include "levels.h"

#include <stdlib.h>
#include <string.h>

#include <base/memory.h>
#include <bgref/dice.h>

#include "base/again.h"

#include "../bot/bot_words.h"
#include "../table/ask_answer.h"
#include "../table/evidence.h"
#include "base/plural.h"

enum { BATCH = 64 };

/* --------------------------------------------------------------- asking, judging */

void check_question(struct examiner_question *question, const struct check_run *run,
                    const struct corpus_case *from, size_t number)
{
    struct bg_ask *ask = &question->slot.ask;

    memset(question, 0, sizeof *question);
    ask_from_match(ask, &from->match, from->match.need.seat);
    snprintf(ask->game, sizeof ask->game, "check|%s|%zu", bg_variant_id(run->variant), number);
    ask->bot_seed = bg_dice_bot_seed(ask->game);
}

/* Records a failure with all details that are kept of a fault in play. */
static void fail_with(struct finding *finding, const struct check_run *run,
                      const struct bg_match *match, const struct examiner_question *question,
                      enum bg_fault fault, enum bg_rule rule, const char *message)
{
    char words[2048];
    const struct evidence evidence = {
        .game_id = question->slot.ask.game,
        .bot = run->bot->name,
        .words = bot_words(words, sizeof words, run->bot) ? words : NULL,
        .alias = question->slot.ask.game,
        .fault = fault,
        .rule = rule,
        .match = match,
        .seat = match->need.seat,
        .answer = question->answered ? &question->answer : NULL,
        .message = message,
    };
    struct store_fault *kept = evidence_make(&evidence);
    const char *number = rule == BG_RULE_NONE ? "" : bg_rule_number(rule);
    const char *kind = fault == BG_FAULT_NONE ? "" : bg_fault_name(fault);
    char text[512];
    struct again again;

    snprintf(text, sizeof text, "%s; position %s%s%s%s%.120s", message,
             kept->position_id == NULL ? "-" : kept->position_id,
             kept->dice == NULL ? "" : ", dice ", kept->dice == NULL ? "" : kept->dice,
             kept->reply == NULL ? "" : ", answered: ", kept->reply == NULL ? "" : kept->reply);
    again_init(&again, kept->reproduce);
    finding_fail(finding, number, kind, text, &again);
    again_deinit(&again);
    store_fault_destroy(kept);
}

void check_fail(struct finding *finding, const struct check_run *run, const struct bg_match *match,
                const struct examiner_question *question, enum bg_fault fault, const char *message)
{
    fail_with(finding, run, match, question, fault, BG_RULE_NONE, message);
}

void check_judge(struct finding *finding, const struct check_run *run, const struct bg_match *match,
                 const struct examiner_question *question)
{
    struct bg_match after = *match;
    struct bg_step step;
    enum bg_rule rule = BG_RULE_NONE;

    if (!question->answered) {
        fail_with(finding, run, match, question, question->fault, BG_RULE_NONE, question->message);
        finding_said(finding, &run->said);
        return;
    }
    if (!bg_answer_fits(question->slot.ask.kind, question->answer.kind)) {
        fail_with(finding, run, match, question, BG_FAULT_GARBLED, BG_RULE_NONE,
                  "the answer does not fit the kind of decision");
        return;
    }
    if (question->answer.kind != BG_ANSWER_ROLL) {
        rule = answer_take(&step, &after, &question->slot.ask, match->need.seat, &question->answer);
    }
    if (rule != BG_RULE_NONE) {
        fail_with(finding, run, match, question, BG_FAULT_ILLEGAL, rule, bg_rule_text(rule));
        return;
    }
    finding_pass(finding);
}

/* ----------------------------------------------------------------------- level 0 */

/* Rolls for the one game of level 0, always with the same dice. */
static void host_step(struct bg_match *match)
{
    static const struct bg_dice_key key = {{'c', 'h', 'e', 'c', 'k'}};
    bool opens = match->need.kind == BG_NEED_OPENING;
    struct bg_step step = {.kind = opens ? BG_STEP_OPEN : BG_STEP_ROLL, .seat = match->need.seat};

    bg_dice_draw(step.die, (size_t)bg_match_dice(match), &key, 0,
                 opens            ? BG_STREAM_OPEN
                 : step.seat == 0 ? BG_STREAM_0
                                  : BG_STREAM_1,
                 (uint64_t)(opens ? match->openings : match->rolls[step.seat]));
    (void)bg_match_step(match, &step); /* a tie is also a step */
}

/* Plays one decision of either seat. Returns false if a decision was wrong or the system failed
 * (*status). */
static bool play_decision(enum bg_status *status, struct bg_match *match, struct finding *finding,
                          const struct check_run *run, struct bg_error *err)
{
    const struct corpus_case now = {.match = *match};
    struct examiner_question question;
    struct bg_step step;

    check_question(&question, run, &now, 0);
    *status = examiner_ask(run->examiner, &question, 1, err);
    if (*status != BG_OK) {
        return false;
    }
    check_judge(finding, run, match, &question);
    if (finding->failed > 0) {
        return false;
    }
    if (question.answer.kind == BG_ANSWER_ROLL) {
        host_step(match);
        return true;
    }
    return answer_take(&step, match, &question.slot.ask, now.match.need.seat, &question.answer) ==
           BG_RULE_NONE;
}

enum bg_status check_plays(const struct check_run *run, struct bg_error *err)
{
    struct bg_rules rules = bg_rules_default(run->variant, 0);
    struct bg_match match;
    enum bg_status status = BG_OK;
    char name[96], remark[96];
    struct finding *finding;

    snprintf(name, sizeof name, "%s: a whole game against itself", bg_variant_id(run->variant));
    finding = certificate_add(run->certificate, 0, name);
    rules.cube = false; /* a pass would end the game early */
    rules.jacoby = rules.beavers = false;
    bg_match_begin(&match, &rules);
    for (bool goes_on = true; goes_on && match.need.kind != BG_NEED_NOTHING;) {
        if (match.need.kind == BG_NEED_OPENING || match.need.kind == BG_NEED_ROLL) {
            host_step(&match);
        } else {
            goes_on = play_decision(&status, &match, finding, run, err);
        }
    }
    if (status == BG_OK && finding->failed == 0) {
        snprintf(remark, sizeof remark, "%d %s, %llu %s, ended by %s", match.turn,
                 plural((uint64_t)match.turn, "turn", "turns"), (unsigned long long)finding->tried,
                 plural(finding->tried, "decision", "decisions"), bg_end_name(match.result.end));
        snprintf(finding->note, sizeof finding->note, "%s", remark);
    }
    return status;
}

/* ----------------------------------------------------------------------- level 1 */

/* Returns the finding of a category; creates it at its first use. Indices stay valid when the
 * list grows. */
static struct finding *finding_of(const struct check_run *run, const char *category)
{
    struct certificate *certificate = run->certificate;
    char name[96];

    snprintf(name, sizeof name, "%s: %s", bg_variant_id(run->variant), category);
    for (size_t i = 0; i < certificate->count; i++) {
        if (certificate->list[i].level == 1 && strcmp(certificate->list[i].name, name) == 0) {
            return &certificate->list[i];
        }
    }
    return certificate_add(certificate, 1, name);
}

enum bg_status check_rules(const struct check_run *run, struct bg_error *err)
{
    const struct corpus *corpus = run->corpus;
    struct examiner_question *questions = memory_zeroed(BATCH, sizeof *questions);
    enum bg_status status = BG_OK;

    for (size_t from = 0; from < corpus->count && status == BG_OK; from += BATCH) {
        size_t count = corpus->count - from < BATCH ? corpus->count - from : BATCH;

        for (size_t i = 0; i < count; i++) {
            check_question(&questions[i], run, &corpus->cases[from + i], from + i);
        }
        status = examiner_ask(run->examiner, questions, count, err);
        for (size_t i = 0; i < count; i++) {
            const struct corpus_case *asked = &corpus->cases[from + i];

            if (question_has_result(&questions[i])) { /* else the bot failed too often before */
                check_judge(finding_of(run, asked->category), run, &asked->match, &questions[i]);
            }
        }
    }
    free(questions);
    return status;
}
