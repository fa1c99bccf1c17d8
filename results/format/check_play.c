/* Whether one play is legal, asked in three ways: moves, the position after it, or an index. All
 * end in the same rules, so that a bot's author can find out which form of an answer is at
 * fault. */
#include "check_play.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Reads "40/38 24/1" as slots; also accepts slots that do not exist, so that the rules can refuse
 * them. Returns false if the text has another form. */
static bool slots_read(struct bg_play *out, const char *text)
{
    *out = (struct bg_play){.moves = 0};
    while (*text != '\0') {
        int from, to, size = 0;

        if (!isdigit((unsigned char)*text) || sscanf(text, "%d/%d%n", &from, &to, &size) != 2 ||
            (text[size] != ' ' && text[size] != '\0') || from > 255 || to < 0 || to > 255 ||
            (size_t)out->moves == sizeof out->move / sizeof out->move[0]) {
            return false;
        }
        out->move[out->moves].from = (uint8_t)from;
        out->move[out->moves++].to = (uint8_t)to;
        text += size;
        text += strspn(text, " ");
    }
    return true;
}

static enum bg_status moves_check(enum bg_rule *rule, struct bg_board *after, const char *text,
                                  const struct check_stage *at, struct bg_error *err)
{
    struct bg_play play;
    enum bg_status status =
        slots_read(&play, text) ? BG_OK : bg_play_read_in(&play, at->variant, text, err);

    if (status == BG_OK) {
        *rule = bg_play_check(after, at->variant, at->board, at->seat, at->stage, &play);
    }
    return status;
}

static enum bg_status result_check(enum bg_rule *rule, struct bg_board *after, const char *text,
                                   const struct check_stage *at, struct bg_error *err)
{
    int mover = at->seat;
    enum bg_status status = strchr(text, '|') == NULL
                                ? bg_position_id_read(after, text, at->seat, err)
                                : bg_position_text_read(after, &mover, at->variant, text, err);

    if (status == BG_OK) {
        *rule = bg_play_check_result(NULL, at->variant, at->board, at->seat, at->stage, after);
    }
    return status;
}

static enum bg_status index_check(enum bg_rule *rule, struct bg_board *after, const char *text,
                                  const struct check_stage *at, struct bg_error *err)
{
    static struct bg_play_list list;
    char *end = NULL;
    unsigned long index = strtoul(text, &end, 10);

    if (!isdigit((unsigned char)text[0]) || *end != '\0') {
        return bg_error_set(err, BG_E_FORMAT, "index \"%.20s\" is not a whole number", text);
    }
    bg_play_list(&list, at->variant, at->board, at->seat, at->stage);
    bg_play_list_sort(&list, at->variant, at->board, at->seat);
    *rule = index < list.count ? BG_RULE_NONE : BG_RULE_SLOT;
    if (*rule == BG_RULE_NONE) {
        bg_play_make(after, at->variant, at->board, at->seat, &list.play[index]);
    }
    return BG_OK;
}

enum bg_status check_play(bool *legal, const struct check_play *check, const struct check_stage *at,
                          FILE *out, struct bg_error *err)
{
    enum bg_rule rule = BG_RULE_NONE;
    struct bg_board after = *at->board;
    char text[BG_POSITION_TEXT];
    enum bg_status status = check->moves != NULL ? moves_check(&rule, &after, check->moves, at, err)
                            : check->result != NULL
                                ? result_check(&rule, &after, check->result, at, err)
                                : index_check(&rule, &after, check->index, at, err);

    if (status != BG_OK) {
        return status;
    }
    *legal = rule == BG_RULE_NONE;
    if (*legal) {
        bg_position_text_write(text, at->variant, &after, at->seat);
        fprintf(out, "legal: %s\n", text);
    } else {
        fprintf(out, "%s: %s %s\n", rule == BG_RULE_AMBIGUOUS ? "ambiguous" : "illegal",
                bg_rule_number(rule), bg_rule_text(rule));
    }
    return BG_OK;
}

enum bg_status check_play_text(bool *legal, const struct check_play *check, const char *variant,
                               const char *position, const char *stage_text, FILE *out,
                               struct bg_error *err)
{
    const struct bg_variant *game = NULL;
    struct bg_board board = {0};
    struct bg_stage stage;
    int seat = 0;
    enum bg_status status = bg_variant_read(&game, variant, err);

    if (status == BG_OK) {
        status = bg_position_text_read(&board, &seat, game, position, err);
    }
    if (status == BG_OK) {
        status = bg_stage_read(&stage, game, stage_text, err);
    }
    if (status == BG_OK) {
        const struct check_stage at = {
            .variant = game, .board = &board, .stage = &stage, .seat = seat};

        status = check_play(legal, check, &at, out, err);
    }
    return status;
}
