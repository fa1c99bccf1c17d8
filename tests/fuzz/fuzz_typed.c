/* fuzz_typed - any bytes as a line that a person types: it is refused with a reason, or what is
 * understood is legal; completion stays within its bounds. */
#include <string.h>

#include "complete.h"

#include "fuzz.h"

static void check_play(const struct entry *entry)
{
    struct bg_play play;

    require(bg_play_check_result(&play, entry->ask.rules.variant, &entry->ask.board, 0,
                                 &entry->ask.stage, &entry->after) == BG_RULE_NONE);
}

static void type_it(struct entry *entry, const char *line)
{
    struct typed typed;
    char why[TYPED_WHY], text[ENTRY_TEXT];
    enum entry_news news;

    if (!entry_read(&typed, why, entry, line)) {
        require(why[0] != '\0' && memchr(why, '\0', sizeof why) != NULL);
        return;
    }
    require(typed.play.moves <= BG_MOVES_MAX);
    news = entry_type(entry, &typed, text);
    require(text[0] != '\0' && memchr(text, '\0', sizeof text) != NULL);
    require((news == ENTRY_WHOLE) == (entry->answer != BG_ANSWER_NONE));
    if (news == ENTRY_WHOLE && entry->answer == BG_ANSWER_MOVES) {
        check_play(entry);
    } else if (news == ENTRY_WHOLE) {
        require(bg_answer_fits(entry->ask.kind, entry->answer));
        require(entry->answer != BG_ANSWER_DICE || entry->die[0] != 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const games[] = {"backgammon", "plakoto", "xii-scripta"};
    char *line = malloc(size + 1); /* exactly as long as the text, so that overruns are detected */

    if (line == NULL) {
        return 0;
    }
    memcpy(line, data, size);
    line[size] = '\0';
    for (int i = 0; i < 3; i++) {
        const struct bg_variant *variant = bg_variant_find(games[i]);
        struct bg_ask ask = {.kind = BG_DECIDE_PLAY, .rules = bg_rules_default(variant, 0)};
        static struct entry entry;
        struct completion found;
        char text[ENTRY_TEXT];

        bg_variant_setup(&ask.board, variant);
        ask.stage = bg_stage_of_roll(variant, (struct bg_roll){{3, 1, i == 2 ? 2 : 0}});
        entry_begin(&entry, &ask);
        type_it(&entry, line);
        type_it(&entry, line);
        complete_line(&found, &entry, line);
        require(memchr(found.add, '\0', sizeof found.add) != NULL &&
                memchr(found.list, '\0', sizeof found.list) != NULL);
        (void)entry_undo(&entry, text);
        for (int kind = BG_DECIDE_DOUBLE; kind < BG_DECIDE_COUNT; kind++) {
            ask.kind = (enum bg_decision)kind;
            ask.dice = kind == BG_DECIDE_DICE ? 1 + i : 0;
            ask.entered[0] = i == 1 ? 5 : 0;
            entry_begin(&entry, &ask);
            type_it(&entry, line);
        }
    }
    free(line);
    return 0;
}
