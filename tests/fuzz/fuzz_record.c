/* fuzz_record - foreign bytes as a record, as a step line and as rules.
 *
 * Accepted input is used in every way: replayed, made canonical, written again. Steps, thoughts and
 * rules that are read must be written as the same bytes. */
#include <record/record.h>

#include <string.h>

#include "fuzz.h"

static void line(const char *text)
{
    struct bg_step step;
    struct bg_rules rules;
    struct bg_thought thought;
    char again[RECORD_THOUGHT];

    if (record_step_read(&step, text, NULL) == BG_OK) {
        require(strlen(text) < RECORD_STEP);
        record_step_write(again, &step);
        require(strcmp(again, text) == 0);
    }
    if (record_thought_read(&thought, text, strlen(text))) {
        record_thought_write(again, &thought);
        require(strcmp(again, text) == 0);
    }
    if (record_rules_read(&rules, text, NULL) == BG_OK) {
        record_rules_write(again, &rules);
        require(strcmp(again, text) == 0);
    }
}

static void visit(const struct record_view *view)
{
    static struct record canonical;
    struct bg_match match;
    struct bg_result result;
    struct bg_step step;
    struct bg_thought thought;
    struct bg_error error;
    int64_t left_ns[2], spent_ns;
    char text[RECORD_STEP];

    for (int i = 0; i < record_view_steps(view); i++) {
        record_view_step(&step, &spent_ns, view, i);
        record_step_write(text, &step);
        line(text);
        require(spent_ns >= -1);
        require(!record_view_thought(&thought, view, i) || step.seat >= 0);
    }
    record_view_result(&result, left_ns, view);
    require(result.end < BG_END_COUNT && result.winner <= 1 && result.level <= BG_CHECKERS);
    line(record_view_value(view, "rules"));
    (void)record_check_hash(view, &error);
    canonical.size = 0;
    record_canonical(&canonical, view);
    require(strlen(canonical.text) == canonical.size);
    if (record_view_start(&match, view, &error) == BG_OK) {
        require(match.need.kind != BG_NEED_NOTHING || match.result.end == BG_END_DEAD);
    }
    if (record_replay(&match, view, &error) == BG_OK) {
        require(match.result.points == result.points);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct record_view *view = NULL;
    struct bg_error error = {0};
    char *text = malloc(size + 1);

    require(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    line(text);
    free(text);
    if (record_read(&view, (const char *)data, size, &error) == BG_OK) {
        visit(view);
        record_view_destroy(view);
    } else {
        require(error.text[0] != '\0');
    }
    return 0;
}
