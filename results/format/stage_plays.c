/* Whether one play is legal is asked in three ways: moves, the position after it, or an index. All
 * end in the same rules, so that a bot's author can find out which form of an answer is at fault.
 *
 * The results of a stage are sorted by their text and not in the order of the generator, so that
 * two programs that list plays in any order can be compared line by line. Static places: a list of
 * plays is large for a stack. */
#include "stage_plays.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ one play */

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
        *rule = bg_play_check(after, at->variant, &at->board, at->seat, &at->stage, &play);
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
        *rule = bg_play_check_result(NULL, at->variant, &at->board, at->seat, &at->stage, after);
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
    bg_play_list(&list, at->variant, &at->board, at->seat, &at->stage);
    bg_play_list_sort(&list, at->variant, &at->board, at->seat);
    *rule = index < list.count ? BG_RULE_NONE : BG_RULE_SLOT;
    if (*rule == BG_RULE_NONE) {
        bg_play_make(after, at->variant, &at->board, at->seat, &list.play[index]);
    }
    return BG_OK;
}

enum bg_status check_play(bool *legal, const struct check_play *check, const struct check_stage *at,
                          FILE *out, struct bg_error *err)
{
    enum bg_rule rule = BG_RULE_NONE;
    struct bg_board after = at->board;
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

static enum bg_status stage_read(struct check_stage *out, const char *variant, const char *position,
                                 const char *stage, struct bg_error *err)
{
    enum bg_status status = bg_variant_read(&out->variant, variant, err);

    if (status == BG_OK) {
        status = bg_position_text_read(&out->board, &out->seat, out->variant, position, err);
    }
    if (status == BG_OK) {
        status = bg_stage_read(&out->stage, out->variant, stage, err);
    }
    return status;
}

enum bg_status check_play_text(bool *legal, const struct check_play *check, const char *variant,
                               const char *position, const char *stage, FILE *out,
                               struct bg_error *err)
{
    struct check_stage at;
    enum bg_status status = stage_read(&at, variant, position, stage, err);

    return status == BG_OK ? check_play(legal, check, &at, out, err) : status;
}

/* ------------------------------------------------------------------ all plays */

/* The results of one stage as text, with a play for each. */
struct stage_plays_results {
    struct check_stage at;
    struct bg_play_list list;
    struct result {
        char text[BG_POSITION_TEXT];
        const struct bg_play *play;
    } result[BG_PLAYS_MAX];
};

static int by_text(const void *a, const void *b)
{
    return strcmp(((const struct result *)a)->text, ((const struct result *)b)->text);
}

static enum bg_status results_read(struct stage_plays_results *out, const char *variant,
                                   const char *position, const char *stage, struct bg_error *err)
{
    struct check_stage *at = &out->at;
    enum bg_status status = stage_read(at, variant, position, stage, err);

    if (status != BG_OK) {
        return status;
    }
    bg_play_list(&out->list, at->variant, &at->board, at->seat, &at->stage);
    for (size_t i = 0; i < out->list.count; i++) {
        struct bg_board after;

        bg_play_make(&after, at->variant, &at->board, at->seat, &out->list.play[i]);
        bg_position_text_write(out->result[i].text, at->variant, &after, at->seat);
        out->result[i].play = &out->list.play[i];
    }
    qsort(out->result, out->list.count, sizeof out->result[0], by_text);
    return BG_OK;
}

enum bg_status stage_plays_row(char **column, int columns, FILE *out, struct bg_error *err)
{
    static struct stage_plays_results results;
    const enum bg_status status = results_read(&results, column[0], column[1], column[2], err);

    (void)columns;
    if (status != BG_OK) {
        return status;
    }
    fprintf(out, "%s\t%s\t%s\t%zu\t", column[0], column[1], column[2], results.list.count);
    for (size_t i = 0; i < results.list.count; i++) {
        fprintf(out, "%s%s", i > 0 ? ";" : "", results.result[i].text);
    }
    fputs(results.list.count == 0 ? "-\n" : "\n", out);
    return BG_OK;
}

enum bg_status stage_plays_show(const char *variant, const char *position, const char *stage,
                                FILE *out, struct bg_error *err)
{
    static struct stage_plays_results results;
    const enum bg_status status = results_read(&results, variant, position, stage, err);

    if (status != BG_OK) {
        return status;
    }
    for (size_t i = 0; i < results.list.count; i++) {
        char text[BG_PLAY_TEXT];

        bg_play_write(text, results.at.variant, &results.at.board, results.at.seat,
                      results.result[i].play);
        fprintf(out, "%4zu  %s  %s\n", i + 1, results.result[i].text, text);
    }
    if (results.list.count == 0) {
        fputs("no legal play\n", out);
    }
    return BG_OK;
}
