/* Everything that shows a fault again is made when it happens, with the match and the answer at
 * hand: an illegal answer stands in no record. Two commands are kept, one for what the rules say
 * of the answer, one that asks the bot itself again. */
#include "evidence.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/memory.h>
#include <bgref/notation.h>
#include <rules/clean.h>

#include "again.h"
#include "base/plural.h"

void evidence_answer_write(char out[EVIDENCE_ANSWER], const struct bg_variant *variant,
                           const struct bg_answer *answer)
{
    char text[BG_POSITION_TEXT];

    switch (answer->kind) {
    case BG_ANSWER_NAME:
    case BG_ANSWER_RESIGN:
    case BG_ANSWER_INDEX:
    case BG_ANSWER_DICE:
        snprintf(out, EVIDENCE_ANSWER, "%s %" PRIu32, bg_answer_name(answer->kind), answer->value);
        break;
    case BG_ANSWER_MOVES:
        bg_play_write(text, NULL, NULL, 0, &answer->play);
        snprintf(out, EVIDENCE_ANSWER, "moves %s", text);
        break;
    case BG_ANSWER_RESULT:
        bg_position_order_text(text, variant, &answer->result, 0);
        snprintf(out, EVIDENCE_ANSWER, "result %s", text);
        break;
    default:
        snprintf(out, EVIDENCE_ANSWER, "%s", bg_answer_name(answer->kind));
    }
}

enum { EVIDENCE_CHECK = BG_POSITION_TEXT + 64 };

/* Writes the answer as `bgref plays` judges it: slots as numbers, with invalid ones. */
static void write_check(char out[EVIDENCE_CHECK], const struct evidence *evidence, bool plain)
{
    const struct bg_answer *answer = evidence->answer;
    const struct bg_variant *variant = evidence->match->rules.variant;
    char text[BG_POSITION_TEXT];
    struct bg_board result;
    size_t used;

    out[0] = '\0';
    if (answer == NULL || evidence->rule == BG_RULE_NONE) {
        return;
    }
    switch (answer->kind) {
    case BG_ANSWER_MOVES:
        used = (size_t)snprintf(out, EVIDENCE_CHECK, " --check '");
        for (int i = 0; i < answer->play.moves; i++) {
            used +=
                (size_t)snprintf(out + used, EVIDENCE_CHECK - used, "%s%d/%d", i == 0 ? "" : " ",
                                 answer->play.move[i].from, answer->play.move[i].to);
        }
        snprintf(out + used, EVIDENCE_CHECK - used, "'");
        break;
    case BG_ANSWER_INDEX:
        snprintf(out, EVIDENCE_CHECK, " --index %" PRIu32, answer->value);
        break;
    case BG_ANSWER_RESULT:
        result = answer->result;
        if (evidence->seat == 1) {
            bg_board_swap(&result, &result);
        }
        if (plain) {
            bg_position_id_write(text, &result, evidence->seat);
        } else {
            bg_position_text_write(text, variant, &result, evidence->seat);
        }
        snprintf(out, EVIDENCE_CHECK, " --result '%s'", text);
        break;
    default:
        break;
    }
}

/* Adds a position in backgammon's notations; "-" for a cube or score that they cannot hold. */
static void add_backgammon(struct store_fault *fault, const struct evidence *evidence)
{
    const struct bg_match *match = evidence->match;
    char position[BG_POSITION_ID], xgid[BG_XGID], text[128], check[EVIDENCE_CHECK];
    char command[EVIDENCE_CHECK + 64];
    struct bg_match_id id;
    bool fits = bg_match_id_of(&id, match, NULL) == BG_OK &&
                bg_xgid_write(xgid, &match->board, &id, NULL) == BG_OK;

    bg_position_id_write(position, &match->board, evidence->seat);
    fault->position_id = memory_text(position);
    fault->xgid = memory_text(fits ? xgid : "-");
    if (match->need.kind == BG_NEED_PLAY) {
        snprintf(text, sizeof text, "%d%d", match->roll.die[0], match->roll.die[1]);
        fault->dice = memory_text(text);
        write_check(check, evidence, true);
        snprintf(command, sizeof command, "bgref plays %s %d %d%s", position, match->roll.die[0],
                 match->roll.die[1], check);
        fault->reproduce = memory_text(command);
    } else {
        snprintf(text, sizeof text, "bgref plays --board %.*s", BG_XGID, fits ? xgid : position);
        fault->reproduce = memory_text(text);
    }
}

/* Other games have only the notation of all games (N3). */
static void add_position(struct store_fault *fault, const struct evidence *evidence)
{
    const struct bg_match *match = evidence->match;
    const struct bg_variant *variant = match->rules.variant;
    char position[BG_POSITION_TEXT], stage[BG_STAGE_TEXT], check[EVIDENCE_CHECK];
    char text[2 * BG_POSITION_TEXT + BG_STAGE_TEXT + EVIDENCE_CHECK];

    if (variant == bg_variant_find("backgammon")) {
        add_backgammon(fault, evidence);
        return;
    }
    bg_position_text_write(position, variant, &match->board, evidence->seat);
    fault->position_id = memory_text(position);
    fault->xgid = memory_text("-");
    if (match->need.kind == BG_NEED_PLAY) {
        bg_stage_write(stage, &match->stage);
        fault->dice = memory_text(stage);
        write_check(check, evidence, false);
        snprintf(text, sizeof text, "bgref plays --variant %s '%s' %s%s", bg_variant_id(variant),
                 position, stage, check);
    } else {
        snprintf(text, sizeof text, "bgref plays --board --variant %s '%s'", bg_variant_id(variant),
                 position);
    }
    fault->reproduce = memory_text(text);
}

/* Returns "12 bytes: 0a06...", with the first SHOWN bytes. */
static char *bytes_text(const uint8_t *bytes, size_t size)
{
    enum { SHOWN = 256 };
    const size_t shown = size < SHOWN ? size : SHOWN;
    const size_t room = 2 * shown + 40;
    char *out = memory_zeroed(room, 1);
    size_t used;

    used = (size_t)snprintf(out, room, "%zu byte%s%s", size, plural_s((uint64_t)size),
                            size == 0 ? "" : ": ");
    for (size_t i = 0; i < shown; i++) {
        used += (size_t)snprintf(out + used, room - used, "%02x", bytes[i]);
    }
    snprintf(out + used, room - used, "%s", shown < size ? "..." : "");
    return out;
}

static char *reply_text(const struct evidence *evidence)
{
    char text[EVIDENCE_ANSWER];

    if (evidence->answer != NULL && evidence->answer->kind != BG_ANSWER_NONE) {
        evidence_answer_write(
            text, evidence->match != NULL ? evidence->match->rules.variant : bg_variant_at(0),
            evidence->answer);
        return memory_text(text);
    }
    return evidence->bytes == NULL ? NULL : bytes_text(evidence->bytes, evidence->bytes_size);
}

/* Adds a command line with the bot itself, below the rules' verdict. */
static void add_again(struct store_fault *fault, const struct evidence *evidence)
{
    enum { ROOM = 4096 };
    char command[ROOM], *verdict = fault->reproduce;

    if (evidence->words == NULL ||
        !again_command(command, ROOM, evidence->words, evidence->alias, evidence->match)) {
        return;
    }
    fault->reproduce =
        verdict == NULL ? memory_text(command) : memory_print("%s\n%s", verdict, command);
    free(verdict);
}

struct store_fault *evidence_make(const struct evidence *evidence)
{
    struct store_fault *fault = memory_zeroed(1, sizeof *fault);

    fault->game_id = memory_text(evidence->game_id);
    fault->bot = memory_text(evidence->bot);
    fault->fault = evidence->fault;
    fault->decision = evidence->decision;
    fault->story = clean_copy(evidence->message, CLEAN_LINE);
    fault->stderr_tail = clean_copy(evidence->stderr_tail, CLEAN_TEXT);
    if (evidence->rule != BG_RULE_NONE) {
        fault->rule = memory_text(bg_rule_number(evidence->rule));
    }
    fault->reply = reply_text(evidence);
    if (evidence->match != NULL && evidence->seat >= 0) {
        add_position(fault, evidence);
        add_again(fault, evidence);
    }
    return fault;
}
