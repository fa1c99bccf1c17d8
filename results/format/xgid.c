/* Every decision of a game with its XGID, as a table for spreadsheets and analysis programs. The
 * game is replayed once as a whole before the first row: a record that breaks off would
 * otherwise leave half a table that looks complete. */
#include "format.h"

#include <bgref/notation.h>

const char xgid_top[] = "game\tstep\tbot\tdecision\txgid\tdice\tchoice\tposition\n";

/* Returns the decision that the step answers; NULL: none. */
static const char *decision_of(const struct bg_match *match, const struct bg_step *step)
{
    static const char *const names[BG_NEED_COUNT] = {
        [BG_NEED_DOUBLE] = "double",
        [BG_NEED_TAKE] = "take",
        [BG_NEED_RAISE] = "raise",
        [BG_NEED_PLAY] = "play",
        [BG_NEED_KEEP] = "keep",
        [BG_NEED_NAME] = "name",
        [BG_NEED_RESIGNATION] = "resignation",
    };

    /* Steps of the dice and a resignation out of turn answer no decision. */
    return step->seat == match->need.seat ? names[match->need.kind] : NULL;
}

/* Writes the XGID, or "-" where XGID cannot express the variant, missing dice, or large cubes and
 * scores. */
static void write_xgid(char out[BG_XGID], const struct bg_match *match)
{
    struct bg_match_id id;

    if (match->rules.variant != bg_variant_find("backgammon") ||
        bg_match_id_of(&id, match, NULL) != BG_OK ||
        bg_xgid_write(out, &match->board, &id, NULL) != BG_OK) {
        out[0] = '-';
        out[1] = '\0';
    }
}

static void put_choice(struct text *text, const struct bg_match *match, const struct bg_step *step)
{
    char play[BG_PLAY_TEXT];

    if (step->kind == BG_STEP_PLAY) {
        bg_play_write(play, match->rules.variant, &match->board, step->seat, &step->play);
        text_put(text, "%s", play);
    } else if (step->kind == BG_STEP_RESIGN || step->kind == BG_STEP_NAME) {
        text_put(text, "%s %d", bg_step_name(step->kind), step->level);
    } else if (step->kind == BG_STEP_FAULT) {
        text_put(text, "fault %s", bg_fault_name(step->fault));
    } else {
        text_put(text, "%s", bg_step_name(step->kind));
    }
}

static void put_decision(struct text *text, const char *id, const char *bot, const char *decision,
                         int number, const struct bg_match *match, const struct bg_step *step)
{
    char xgid[BG_XGID], stage[BG_STAGE_TEXT] = "-", position[BG_POSITION_TEXT];

    write_xgid(xgid, match);
    if (match->need.kind == BG_NEED_PLAY) {
        bg_stage_write(stage, &match->stage);
    } else if (match->need.kind == BG_NEED_KEEP) {
        struct bg_stage numbers = bg_stage_of_roll(match->rules.variant, match->roll);

        bg_stage_write(stage, &numbers);
    }
    bg_position_text_write(position, match->rules.variant, &match->board, match->need.seat);
    text_put(text, "%s\t%d\t%s\t%s\t%s\t%s\t", id, number, bot, decision, xgid, stage);
    put_choice(text, match, step);
    text_put(text, "\t%s\n", position);
}

enum bg_status xgid_game(struct format_file *file, const struct store_game *game,
                         const struct record_view *view, struct bg_error *err)
{
    struct text text = {.out = &file->body};
    const char *const name[2] = {record_view_value(view, "seat0"),
                                 record_view_value(view, "seat1")};
    struct bg_match match, end;
    enum bg_status status = record_replay(&end, view, err);

    if (status == BG_OK) {
        status = record_view_start(&match, view, err);
    }
    for (int i = 0; status == BG_OK && i < record_view_steps(view); i++) {
        struct bg_step step;
        const char *decision;

        record_view_step(&step, NULL, view, i);
        decision = decision_of(&match, &step);
        if (decision != NULL) {
            put_decision(&text, game->id, name[step.seat], decision, i + 1, &match, &step);
        }
        bg_match_step(&match, &step); /* record_replay accepted it before */
    }
    return status;
}
