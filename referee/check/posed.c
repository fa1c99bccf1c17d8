/* The match machine makes every step, so nothing can be posed that it would not have reached:
 * `bgref ask` shows what happened at a table. Only "open" and "name" set the need by hand, since
 * rolls of the host lead there, which nobody states. */
#include "posed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bgref/notation.h>

#include <rules/games.h>

#include "table/posed_state.h"
#include "format/positions.h"
#include "record/rules_words.h"

static bool is_host_step(enum bg_need_kind kind)
{
    return kind == BG_NEED_OPENING || kind == BG_NEED_ROLL || kind == BG_NEED_NOTHING ||
           kind == BG_NEED_GAME;
}

/* Rolls the dice that make this stage: notations of stages name doubles by what they give. */
static enum bg_status roll(struct bg_match *match, const char *text, struct bg_error *err)
{
    const struct bg_variant *variant = match->rules.variant;
    bool is_low_first = strlen(text) == 2 && text[0] < text[1];
    const char high_first[] = {text[0] == '\0' ? '\0' : text[1], text[0], '\0'};
    struct bg_stage stage;
    enum bg_status status = bg_stage_read(&stage, variant, is_low_first ? high_first : text, err);
    char wanted[BG_STAGE_TEXT], got[BG_STAGE_TEXT];
    bool is_roll = false;

    if (status != BG_OK) {
        return strchr(text, 'x') != NULL
                   ? status
                   : bg_error_set(err, BG_E_ARGUMENT, "dice '%.20s': expected a roll like %s", text,
                                  variant->dice == 3 ? "652" : "63");
    }
    bg_stage_write(wanted, &stage);
    /* A stage is named by the steps that it gives; which roll gives them, only trying tells. */
    for (int i = 0; i < 36; i++) {
        struct bg_match after = *match;
        const struct bg_step step = {.kind = BG_STEP_ROLL,
                                     .seat = match->need.seat,
                                     .die = {(uint8_t)(6 - i / 6), (uint8_t)(6 - i % 6)}};
        struct bg_stage made;

        made = bg_stage_of_roll(variant, (struct bg_roll){{step.die[0], step.die[1]}});
        bg_stage_write(got, &made);
        if (strcmp(got, wanted) != 0 || bg_match_step(&after, &step) != BG_RULE_NONE) {
            continue;
        }
        is_roll = true;
        /* A roll with which nothing can be played passes the turn by itself: there is nothing to
         * ask. */
        if (after.need.seat == match->need.seat && !is_host_step(after.need.kind)) {
            *match = after;
            return BG_OK;
        }
    }
    return is_roll
               ? bg_error_set(err, BG_E_ARGUMENT,
                              "dice %.16s: nothing to decide, for no number can be played", text)
               : bg_error_set(err, BG_E_ARGUMENT,
                              "dice %.16s: no roll of two dice in this position gives that", text);
}

static void start_of(struct bg_start *start, struct bg_rules *rules, const struct position *from,
                     const struct bg_variant *variant)
{
    const struct bg_match_id *id = &from->id;

    *rules = bg_rules_default(variant, id->length);
    *start = (struct bg_start){.board = from->board,
                               .on_roll = id->move,
                               .cube_log2 = id->cube_log2,
                               .cube_owner = id->cube_owner};
    if (id->length == 0) {
        rules->jacoby = id->jacoby != 0;
        rules->beavers = id->beavers != 0;
        return;
    }
    start->score[0] = id->score[0];
    start->score[1] = id->score[1];
    start->crawford_game = id->crawford != 0;
    start->crawford_done =
        !start->crawford_game && (id->score[0] == id->length - 1 || id->score[1] == id->length - 1);
}

/* What a Position ID leaves out: checkers that are nowhere else are off. */
static enum bg_status add_off(struct bg_board *board, const struct bg_variant *variant,
                              struct bg_error *err)
{
    struct bg_board setup;

    bg_variant_setup(&setup, variant);
    for (int seat = 0; seat < 2; seat++) {
        int there = bg_board_count(board, seat) - board->at[seat][BG_OFF];
        int all = bg_board_count(&setup, seat);

        if (there > all) {
            return bg_error_set(err, BG_E_ARGUMENT, "a side has %d checkers; %s has %d", there,
                                bg_variant_id(variant), all);
        }
        board->at[seat][BG_OFF] = (uint8_t)(all - there);
    }
    return BG_OK;
}

/* "open 31": the opening numbers may be kept. "name": a 2-1 was played. True: it was such a word,
 * and *at is behind it. */
static bool go_to(struct bg_match *match, const char **at, size_t length, const char **trouble)
{
    const struct bg_variant *variant = match->rules.variant;
    bool may = match->need.kind == BG_NEED_DOUBLE || match->need.kind == BG_NEED_ROLL;
    const char *dice = *at + length + strspn(*at + length, " ");

    *trouble = NULL;
    if (length == 4 && strncmp(*at, "name", 4) == 0) {
        bool names = variant->turns == TURNS_ACEY || variant->turns == TURNS_ASODIO ||
                     (variant->turns == TURNS_RUSSIAN && variant->wild_21 != 0);

        *trouble = !may || !names ? "name: no double is named here" : NULL;
        match->roll = (struct bg_roll){{2, 1}};
        match->need.kind = BG_NEED_NAME;
        *at += length;
        return true;
    }
    if (length != 4 || strncmp(*at, "open", 4) != 0) {
        return false;
    }
    *trouble =
        !may || match->rules.opening != BG_OPENING_CHOICE
            ? "open: only with opening=choice are numbers kept"
        : dice[0] < '1' || dice[0] > '6' || dice[1] < '1' || dice[1] > '6' || dice[0] == dice[1]
            ? "open: needs two different numbers, like 'open 31'"
            : NULL;
    if (*trouble == NULL) {
        match->roll = (struct bg_roll){{(uint8_t)(dice[0] - '0'), (uint8_t)(dice[1] - '0')}};
        match->need.kind = BG_NEED_KEEP;
        *at = dice + 2;
    }
    return true;
}

/* Applies the later offers; each step is by the player who must decide. */
static enum bg_status play_then(struct bg_match *match, const char *then, struct bg_error *err)
{
    static const struct {
        const char *word;
        enum bg_step_kind kind;
    } steps[] = {{"double", BG_STEP_DOUBLE}, {"raise", BG_STEP_RAISE},
                 {"beaver", BG_STEP_RAISE},  {"take", BG_STEP_TAKE},
                 {"resign", BG_STEP_RESIGN}, {"refuse", BG_STEP_REFUSE}};

    for (const char *at = then + strspn(then, " ,"); *at != '\0'; at += strspn(at, " ,")) {
        struct bg_step step = {.kind = BG_STEP_COUNT, .seat = match->need.seat};
        size_t length = strcspn(at, " ,");
        enum bg_rule rule;
        const char *trouble;

        if (go_to(match, &at, length, &trouble)) {
            if (trouble != NULL) {
                return bg_error_set(err, BG_E_ARGUMENT, "%s", trouble);
            }
            continue;
        }
        for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
            if (strlen(steps[i].word) == length && strncmp(at, steps[i].word, length) == 0) {
                step.kind = steps[i].kind;
            }
        }
        if (step.kind == BG_STEP_COUNT) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "'%.*s' cannot have happened since; expected double, raise, take, "
                                "resign LEVEL, refuse, open DICE or name",
                                (int)length, at);
        }
        at += length;
        if (step.kind == BG_STEP_RESIGN) {
            char *end;

            step.level = (uint8_t)strtoul(at, &end, 10);
            at = end;
        }
        rule = bg_match_step(match, &step);
        if (rule != BG_RULE_NONE) {
            return bg_error_set(err, BG_E_ARGUMENT, "%s is not possible here: %s %s",
                                bg_step_name(step.kind), bg_rule_number(rule), bg_rule_text(rule));
        }
    }
    return BG_OK;
}

/* Applies the words of posed->state to a position without score and cube. */
static enum bg_status add_state(struct bg_start *start, struct bg_rules *rules,
                                const struct position *position, const struct posed *posed,
                                struct bg_error *err)
{
    int length = 0;
    enum bg_status status;

    if (position->has_match) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "state: this position holds score and cube itself; leave one out");
    }
    status = posed_state_read(start, &length, posed->state, err);
    *rules = bg_rules_default(rules->variant, length);
    return status;
}

/* A position in a notation of backgammon, of a game that these can hold. */
static enum bg_status read_id(struct bg_match *out, char dice[4], const struct bg_variant *variant,
                              const struct posed *posed, struct bg_error *err)
{
    struct position position;
    struct bg_rules rules;
    struct bg_start start;
    enum bg_status status = position_read(&position, posed->position, err);

    if (status == BG_OK) {
        status = add_off(&position.board, variant, err);
    }
    if (status != BG_OK) {
        return status;
    }
    start_of(&start, &rules, &position, variant);
    if (posed->state != NULL) {
        status = add_state(&start, &rules, &position, posed, err);
    }
    if (status == BG_OK && posed->rules != NULL) {
        status = rules_words_read(&rules, posed->rules, err);
    }
    if (status == BG_OK) {
        status = bg_match_begin_at(out, &rules, &start, err);
    }
    if (status == BG_OK && position.id.doubled != 0) {
        const struct bg_step step = {.kind = BG_STEP_DOUBLE, .seat = position.id.move};
        enum bg_rule rule = bg_match_step(out, &step);

        return rule == BG_RULE_NONE
                   ? BG_OK
                   : bg_error_set(err, BG_E_ARGUMENT, "no double is possible: %s %s",
                                  bg_rule_number(rule), bg_rule_text(rule));
    }
    if (status == BG_OK && position.id.dice[0] != 0) {
        dice[0] = (char)('0' + position.id.dice[0]);
        dice[1] = (char)('0' + position.id.dice[1]);
    }
    return status;
}

static enum bg_status read_other(struct bg_match *out, const struct bg_variant *variant,
                                 const struct posed *posed, struct bg_error *err)
{
    struct bg_rules rules;
    struct bg_start start = {.cube_owner = BG_CENTRED};
    int length = 0;
    enum bg_status status =
        bg_position_text_read(&start.board, &start.on_roll, variant, posed->position, err);

    if (status == BG_OK && posed->state != NULL) {
        status = posed_state_read(&start, &length, posed->state, err);
    }
    rules = bg_rules_default(variant, length);
    if (status == BG_OK && posed->rules != NULL) {
        status = rules_words_read(&rules, posed->rules, err);
    }
    return status == BG_OK ? bg_match_begin_at(out, &rules, &start, err) : status;
}

static enum bg_status begin(struct bg_match *out, char dice[4], const struct posed *posed,
                            struct bg_error *err)
{
    const struct bg_variant *variant = NULL;
    enum bg_status status =
        bg_variant_read(&variant, posed->variant == NULL ? "backgammon" : posed->variant, err);

    if (status != BG_OK) {
        return status;
    }
    /* Only the notation of every game has it. */
    if (strchr(posed->position, '|') != NULL) {
        return read_other(out, variant, posed, err);
    }
    if (variant != bg_variant_find("backgammon") && variant != bg_variant_find("nackgammon") &&
        variant != bg_variant_find("hypergammon")) {
        return bg_error_set(err, BG_E_FORMAT,
                            "'%.80s' is no position of %s; docs/rules.md N3 has the notation of "
                            "every game, which 'bgref plays --board' prints",
                            posed->position, bg_variant_id(variant));
    }
    return read_id(out, dice, variant, posed, err);
}

enum bg_status posed_match(struct bg_match *out, const struct posed *posed, struct bg_error *err)
{
    char own[4] = "";
    const char *dice = posed->dice;
    enum bg_status status = begin(out, own, posed, err);

    if (status != BG_OK) {
        return status;
    }
    dice = dice == NULL && own[0] != '\0' ? own : dice;
    if (dice != NULL && out->need.kind != BG_NEED_DOUBLE && out->need.kind != BG_NEED_ROLL) {
        return bg_error_set(err, BG_E_ARGUMENT, "dice %.16s: a double waits for its answer first",
                            dice);
    }
    if (dice != NULL) {
        status = roll(out, dice, err);
    }
    if (status == BG_OK && posed->then != NULL) {
        status = play_then(out, posed->then, err);
    }
    if (status == BG_OK && is_host_step(out->need.kind) &&
        !(posed->may_roll && out->need.kind == BG_NEED_ROLL)) {
        status = bg_error_set(err, BG_E_ARGUMENT,
                              "nothing to decide: the cube cannot be turned here, and there are no "
                              "dice; say which, like --dice 31");
    }
    return status;
}
