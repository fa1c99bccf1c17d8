/* The results are sorted by their text and not in the order of the generator, so that two
 * programs that list plays in any order can be compared line by line. Static places: a list of
 * plays is large for a stack. */
#include "stage_plays.h"

#include <stdlib.h>
#include <string.h>

#include <bgref/notation.h>

/* The results of one stage as text, with a play for each. */
struct stage_plays_results {
    const struct bg_variant *variant;
    struct bg_board board;
    int seat;
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
                                   const char *position, const char *stage_text,
                                   struct bg_error *err)
{
    struct bg_stage stage;
    enum bg_status status = bg_variant_read(&out->variant, variant, err);

    if (status == BG_OK) {
        status = bg_position_text_read(&out->board, &out->seat, out->variant, position, err);
    }
    if (status == BG_OK) {
        status = bg_stage_read(&stage, out->variant, stage_text, err);
    }
    if (status != BG_OK) {
        return status;
    }
    bg_play_list(&out->list, out->variant, &out->board, out->seat, &stage);
    for (size_t i = 0; i < out->list.count; i++) {
        struct bg_board after;

        bg_play_make(&after, out->variant, &out->board, out->seat, &out->list.play[i]);
        bg_position_text_write(out->result[i].text, out->variant, &after, out->seat);
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

        bg_play_write(text, results.variant, &results.board, results.seat, results.result[i].play);
        fprintf(out, "%4zu  %s  %s\n", i + 1, results.result[i].text, text);
    }
    if (results.list.count == 0) {
        fputs("no legal play\n", out);
    }
    return BG_OK;
}
