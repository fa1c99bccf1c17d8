#include "record_script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "match_script.h"

static void give_up(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    abort();
}

static void add_steps(struct record *out, struct bg_match *match, const char *steps)
{
    struct bg_error err = {0};
    char *copy = strdup(steps), *rest = copy;

    for (char *line = strtok_r(copy, ",", &rest); line != NULL; line = strtok_r(NULL, ",", &rest)) {
        struct bg_step step;
        enum bg_rule broken;

        line += strspn(line, " ");
        if (record_step_read(&step, line, &err) != BG_OK) {
            give_up(line, err.text);
        }
        broken = bg_match_step(match, &step);
        if (broken != BG_RULE_NONE) {
            give_up(line, bg_rule_text(broken));
        }
        record_append(out, &step, -1);
    }
    free(copy);
}

void record_script(struct record *out, const char *id, const char *rules, const char *start,
                   const char *steps)
{
    char message[256], hash[RECORD_HASH];
    struct bg_match match, begun;
    struct record_header header = {
        .game_id = id,
        .event = "script",
        .seat_name = {"alice", "bob"},
        .clock = "none",
        .dice = "keyed",
        .start = &begun,
    };

    if (!script_begin(&match, rules, start, message, sizeof message)) {
        give_up(rules, message);
    }
    begun = match;
    record_begin(out, &header);
    add_steps(out, &match, steps);
    record_end(out, &match.result, NULL, hash);
}

struct record_view *record_script_view(const char *rules, const char *start, const char *steps)
{
    struct record record = {0};
    struct record_view *view = NULL;
    struct bg_error err = {0};

    record_script(&record, "alice|bob|0|0|0", rules, start, steps);
    if (record_read(&view, record.text, record.size, &err) != BG_OK) {
        give_up(steps, err.text);
    }
    record_deinit(&record);
    return view;
}
