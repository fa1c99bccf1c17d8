/* The programs that ask have no ids for their games. A number that counts up makes the game's
 * id, and with it the bot's seed: the same games in the same order get the same answers. */
#include "player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bgref/dice.h>

#include "../check/examiner.h"
#include "../bot/command.h"
#include "base/memory.h"
#include "bot/registry.h"
#include "../table/ask_answer.h"

#define START_NS INT64_C(30000000000)

struct player {
    struct examiner *examiner;
    struct bg_rules rules;
    int64_t ceiling_ns;
    char event[32];
    unsigned games;
};

enum bg_status player_find(struct competitor *out, const char *const *words, int count,
                           bool is_command, struct bg_error *err)
{
    struct registry *registry = NULL;
    enum bg_status status = registry_open(&registry, err);

    if (status == BG_OK && is_command) {
        *out = (struct competitor){.name = "bot"};
        for (int i = 0; i < count && status == BG_OK; i++) {
            if (!command_append(out->cmd, sizeof out->cmd, words[i])) {
                status = bg_error_set(err, BG_E_ARGUMENT, "the command is too long");
            }
        }
    } else if (status == BG_OK) {
        status = registry_engine(out, registry, words, count, err);
    }
    registry_close(registry);
    return status;
}

enum bg_status player_open(struct player **out, const struct competitor *bot, const char *event,
                           int64_t ceiling_ns, struct bg_error *err)
{
    struct bg_error why = {.text = ""};
    struct player *player = memory_zeroed(1, sizeof *player);
    enum bg_status status;

    player->rules = bg_rules_default(bg_variant_find("backgammon"), 0);
    player->ceiling_ns = ceiling_ns;
    snprintf(player->event, sizeof player->event, "%s", event);
    status = examiner_open(
        &player->examiner,
        &(struct examiner_setup){
            .bot = bot, .rules = &player->rules, .start_ns = START_NS, .ceiling_ns = ceiling_ns},
        &why);
    if (status != BG_OK) {
        bg_error_set(err, status, "bot %s does not start: %s", bot->name, why.text);
        player_close(player);
        return status;
    }
    *out = player;
    return BG_OK;
}

void player_close(struct player *player)
{
    if (player != NULL) {
        examiner_close(player->examiner);
        free(player);
    }
}

void player_new_game(struct player *player)
{
    player->games++;
}

bool player_plays(const struct player *player, const struct bg_variant *variant)
{
    return examiner_plays(player->examiner, variant);
}

/* Once more where the bot was not at fault: its process ended before, and was started again. */
static enum bg_status ask_examiner(struct examiner_question *question, struct player *player,
                                   const struct bg_match *match, struct bg_error *err)
{
    struct bg_ask *asked = &question->slot.ask;
    enum bg_status status;

    memset(question, 0, sizeof *question);
    ask_from_match(asked, match, 0);
    snprintf(asked->game, sizeof asked->game, "%s|%u", player->event, player->games);
    asked->bot_seed = bg_dice_bot_seed(asked->game);
    status = examiner_ask(player->examiner, question, 1, err);
    if (status == BG_OK && !question->answered) {
        status = bg_error_set(err, BG_E_MISMATCH, "the bot is at fault (%s): %s",
                              bg_fault_name(question->fault), question->message);
    }
    return status;
}

enum bg_status player_decide(struct bg_step *step, bool *rolls, struct player *player,
                             const struct bg_match *match, struct bg_error *err)
{
    struct examiner_question question;
    struct bg_match after = *match;
    enum bg_status status = ask_examiner(&question, player, match, err);
    enum bg_rule rule;

    *rolls = false;
    if (status != BG_OK) {
        return status;
    }
    if (!bg_answer_fits(question.slot.ask.kind, question.answer.kind)) {
        return bg_error_set(err, BG_E_MISMATCH,
                            "the bot is at fault (%s): the answer does not fit "
                            "the kind of decision",
                            bg_fault_name(BG_FAULT_GARBLED));
    }
    *rolls = question.answer.kind == BG_ANSWER_ROLL;
    if (*rolls) {
        return BG_OK;
    }
    rule = answer_take(step, &after, &question.slot.ask, 0, &question.answer);
    if (rule == BG_RULE_NONE && step->kind == BG_STEP_PLAY) {
        /* Moves may have come merged or in any order: the same play as single moves, in theirs. */
        rule = bg_play_check_result(&step->play, match->rules.variant, &match->board, 0,
                                    &match->stage, &after.board);
    }
    return rule == BG_RULE_NONE
               ? BG_OK
               : bg_error_set(err, BG_E_MISMATCH, "the bot is at fault (%s): rule %s, %s",
                              bg_fault_name(BG_FAULT_ILLEGAL), bg_rule_number(rule),
                              bg_rule_text(rule));
}
