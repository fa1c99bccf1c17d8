/* The programs that played, as they describe themselves, the time that they used for their
 * decisions, and their faults. Quantiles of times come from a histogram with classes of about 4 per
 * cent: millions of times are not kept, and more digits would be noise. Faults have one row a bot,
 * fault and rule, with one example to see again: a bot that repeats a fault a thousand times has
 * one mistake to mend. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "document/entry_notes.h"
#include "section.h"

enum {
    NAME,
    VERSION,
    OPTIONS,
    COMMAND,
    DIGEST,
    CHANGED,
    UNPLAYED,
    WHY,
    AUTHOR,
    OPERATOR,
    ORIGINS,
    SAID_AUTHOR,
    COLUMNS
};

#define BOT(member) DOC_SOURCE(struct gather_bot, member, 1)

static const struct doc_column columns[COLUMNS] = {
    [NAME] = {"bot", "Bot", .bot = true},
    [VERSION] = {"bot_version", .title = "Says of itself", .from = BOT(version)},
    [OPTIONS] = {"options", .title = "Options", .from = BOT(options)},
    [COMMAND] = {"command", "Command", .code = true},
    [DIGEST] = {"program", "Program", "digest", .code = true},
    [CHANGED] = {"changed", "Changed", "during the event", .use = DOC_DATA, .from = BOT(changed)},
    [UNPLAYED] = {"unplayed", "Unplayed", "fixtures", .quiet = true, .from = BOT(unplayed)},
    [WHY] = {"why", .title = "Because", .from = BOT(why)},
    [AUTHOR] = {"author", "Author", .use = DOC_DATA},
    [OPERATOR] = {"operator", "Operator", .use = DOC_DATA},
    [ORIGINS] = {"origins", "Origins", "declared", .use = DOC_DATA},
    [SAID_AUTHOR] = {"said_author", "Names as author", .use = DOC_DATA},
};

enum { DIGEST_SHOWN = 16 };

/* A command contains the options. */
static const struct doc_pick with_commands[] = {DOC_PICK(NAME),     DOC_PICK(VERSION),
                                                DOC_PICK(COMMAND),  DOC_PICK(DIGEST),
                                                DOC_PICK(UNPLAYED), DOC_PICK(WHY)};
static const struct doc_pick with_options[] = {DOC_PICK(NAME),     DOC_PICK(VERSION),
                                               DOC_PICK(OPTIONS),  DOC_PICK(DIGEST),
                                               DOC_PICK(UNPLAYED), DOC_PICK(WHY)};
enum { PICKS = sizeof with_options / sizeof with_options[0] };

static bool has_commands(struct report *report)
{
    for (int i = 0; i < report->count; i++) {
        const char *key = doc_format(report->doc, "bot.%s", section_bot(report, i));

        if (gather_setting(report->gather, key)[0] != '\0') {
            return true;
        }
    }
    return false;
}

/* Adds what is declared of a bot, and says it where the event has no entry list of its own. */
static void put_entry(struct report *report, struct doc_table *table, const char *name)
{
    static const int column[ENTRY_WORDS] = {
        [ENTRY_AUTHOR] = AUTHOR,
        [ENTRY_OPERATOR] = OPERATOR,
        [ENTRY_ORIGINS] = ORIGINS,
        [ENTRY_SAID_AUTHOR] = SAID_AUTHOR,
    };
    const char *texts[ENTRY_WORDS], *said = "";

    for (int word = 0; word < ENTRY_WORDS; word++) {
        char key[ENTRY_KEY];

        entry_key(key, (enum entry_word)word, name);
        texts[word] = gather_setting(report->gather, key + strlen("event."));
        doc_text(table, column[word], entry_last(texts[word]));
        if (word != ENTRY_SAID_AUTHOR && texts[word][0] != '\0') {
            said = doc_format(report->doc, "%s%s %s %s", said, said[0] == '\0' ? "" : ";",
                              entry_word_name((enum entry_word)word), entry_last(texts[word]));
        }
    }
    if (gather_setting(report->gather, "schedule")[0] == '\0') {
        if (said[0] != '\0') {
            doc_tell(report->doc, "%s:%s", name, said);
        }
        entry_notes(report->doc, name, texts);
    }
}

void section_bots(struct report *report)
{
    const struct gather *gather = report->gather;
    struct doc_table *table;

    if (report->count == 0) {
        return;
    }
    doc_section(report->doc, "bots", "Bots");
    table = doc_table(report->doc, "bots", "Programs and their options", columns, COLUMNS);
    doc_view(report->doc, table, "Programs and their options",
             has_commands(report) ? with_commands : with_options, PICKS);
    for (int i = 0; i < report->count; i++) {
        const struct gather_bot *bot = &gather->bot[report->order[i]];
        const char *name = section_bot(report, report->order[i]);

        doc_row(table);
        doc_fill(table, bot);
        doc_text(table, NAME, name);
        doc_text(table, COMMAND, gather_setting(gather, doc_format(report->doc, "bot.%s", name)));
        if (bot->program != NULL) {
            doc_say(table, DIGEST, "%.*s", DIGEST_SHOWN, bot->program);
        }
        put_entry(report, table, name);
        if (bot->changed) {
            doc_warn(report->doc,
                     "%s changed its program, version or options during the event; the first are "
                     "shown.",
                     name);
        }
    }
}

/* -------------------------------------------------------------------------------- clocks */

enum {
    CLOCK_NAME,
    CLOCK_DECISIONS,
    CLOCK_MEAN,
    CLOCK_MEDIAN,
    CLOCK_SLOW,
    CLOCK_MOST,
    CLOCK_CREDITED,
    CLOCK_WAITED,
    CLOCK_LEFT,
    CLOCK_LATE,
    CLOCK_COLUMNS
};

static const struct doc_column clock_columns[CLOCK_COLUMNS] = {
    [CLOCK_NAME] = {"bot", "Bot", .bot = true},
    [CLOCK_DECISIONS] = {"decisions", "Decisions", .unit = "measured"},
    [CLOCK_MEAN] = {"mean_ms", "Mean time", "ms/decision", .decimals = 3},
    [CLOCK_MEDIAN] = {"median_ms", "Median time", "ms", .decimals = 3},
    [CLOCK_SLOW] = {"p99_ms", "99 %", "ms", .decimals = 3},
    [CLOCK_MOST] = {"most_ms", "Longest", "ms", .decimals = 3},
    [CLOCK_CREDITED] = {"credited_ms", "Credited", "ms", .decimals = 1, .quiet = true},
    [CLOCK_WAITED] = {"waited_ms", "Waited", "ms", .decimals = 1, .quiet = true},
    [CLOCK_LEFT] = {"least_left_s", "Least left", "s", .decimals = 1},
    [CLOCK_LATE] = {"late", "Lost on time", "games", .quiet = true},
};

void section_clocks(struct report *report)
{
    const struct gather *gather = report->gather;
    const char *clock = gather_setting(gather, "clock");
    struct doc_table *table;

    if (gather->results.tally.games == 0 || gather->kept_back) {
        return;
    }
    doc_section(report->doc, "clocks", "Clocks");
    table = doc_table(report->doc, "clocks", "Time used a decision", clock_columns, CLOCK_COLUMNS);
    for (int i = 0; i < report->count; i++) {
        const struct gather_bot *bot = &gather->bot[report->order[i]];
        const uint64_t *faults = gather->results.tally.bot[report->order[i]].faults;

        doc_row(table);
        doc_text(table, CLOCK_NAME, section_bot(report, report->order[i]));
        doc_number(table, CLOCK_DECISIONS, (double)bot->time.count);
        doc_number(table, CLOCK_MEAN, 1e3 * histogram_mean(&bot->time));
        doc_number(table, CLOCK_MEDIAN, 1e3 * histogram_quantile(&bot->time, 0.5));
        doc_number(table, CLOCK_SLOW, 1e3 * histogram_quantile(&bot->time, 0.99));
        doc_number(table, CLOCK_MOST, 1e3 * histogram_most(&bot->time));
        doc_number(table, CLOCK_CREDITED, bot->credited_ns / 1e6);
        doc_number(table, CLOCK_WAITED, bot->waited_ns / 1e6);
        doc_number(table, CLOCK_LEFT,
                   bot->least_left_ns == INT64_MAX ? NAN : (double)bot->least_left_ns / 1e9);
        doc_number(table, CLOCK_LATE, (double)(faults[BG_FAULT_LATE] + faults[BG_FAULT_SILENT]));
    }
    if (report->count > 1) {
        struct doc_plot *plot = doc_plot(report->doc, DOC_PLOT_DOTS, table,
                                         "Time used a decision: median, and a bar up to the 99 %");

        plot->scale = DOC_SCALE_LOG;
        plot->label = CLOCK_NAME;
        plot->series[0] = (struct doc_series){"median", CLOCK_MEDIAN, .high = CLOCK_SLOW};
        plot->series_count = 1;
        plot->axis[0] = "ms a decision";
    }
    doc_note(
        report->doc,
        "Clock: %s. Measured by the referee from sending to receiving, minus its own lag "
        "(credited: the sum over all decisions) and minus what the bot waited for a core because "
        "of other programs (waited: the sum over the decisions where that mattered); median and "
        "99 %% are exact to about 4 %%. "
        "Least left: the smallest time left on the bot's clock after any of its games. Lost on "
        "time: by answers that came late or never, and by staying away.",
        clock[0] == '\0' ? "none" : clock);
}

/* -------------------------------------------------------------------------------- faults */

enum {
    FAULT_NAME,
    FAULT_KIND,
    FAULT_RULE,
    FAULT_COUNT,
    FAULT_STORY,
    FAULT_GAME,
    FAULT_DICE,
    FAULT_XGID,
    FAULT_POSITION,
    FAULT_REPLY,
    FAULT_AGAIN,
    FAULT_COLUMNS
};

#define SAMPLE(member) DOC_SOURCE(struct store_fault, member, 1)

static const struct doc_column fault_columns[FAULT_COLUMNS] = {
    [FAULT_NAME] = {"bot", "Bot", .bot = true},
    [FAULT_KIND] = {"fault", .title = "Fault"},
    [FAULT_RULE] = {"rule", .title = "Rule"},
    [FAULT_COUNT] = {"count", .title = "Times"},
    [FAULT_STORY] = {"story", .title = "For example", .from = SAMPLE(story)},
    [FAULT_GAME] = {"game", "Game", .code = true, .game = true, .from = SAMPLE(game_id)},
    [FAULT_DICE] = {"dice", .title = "Dice", .from = SAMPLE(dice)},
    [FAULT_XGID] = {"xgid", "XGID", .code = true, .use = DOC_DATA, .from = SAMPLE(xgid)},
    [FAULT_POSITION] = {"position", "Position", .code = true, .use = DOC_DATA,
                        .from = SAMPLE(position_id)},
    [FAULT_REPLY] = {"reply", "Reply", .code = true, .from = SAMPLE(reply)},
    [FAULT_AGAIN] = {"again", "See it again", .code = true, .from = SAMPLE(reproduce)},
};

static void fault_row(struct doc_table *table, const struct report *report,
                      const struct gather_fault *group)
{
    const struct store_fault *sample = group->samples > 0 ? group->sample[0] : NULL;

    doc_row(table);
    doc_text(table, FAULT_NAME, group->bot < 0 ? "(others)" : section_bot(report, group->bot));
    doc_text(table, FAULT_KIND, bg_fault_name(group->fault));
    doc_text(table, FAULT_RULE, group->rule);
    doc_number(table, FAULT_COUNT, (double)group->count);
    doc_fill(table, sample);
    if (sample != NULL && sample->game_id == NULL) {
        doc_text(table, FAULT_GAME, "outside a game");
    }
}

/* Draws the position of a row's example, if an XGID can say it. The boards begin with the first
 * one: rows before it have none; a page has so many boards. */
static void fault_board(struct doc_boards **boards, struct doc_table *table,
                        const struct gather_fault *group)
{
    const struct doc_board none = {.below = 0};
    const struct doc_board board =
        doc_board_of_xgid(group->samples > 0 ? group->sample[0]->xgid : NULL);

    if (*boards == NULL && board.pos.variant != NULL) {
        *boards = doc_boards(table->doc, table,
                             "The positions of these examples, from the side of who had to act.");
        (*boards)->title = FAULT_NAME;
        (*boards)->facts = 1U << FAULT_STORY | 1U << FAULT_REPLY | 1U << FAULT_XGID;
        for (int row = 0; row + 1 < table->rows; row++) {
            doc_board(*boards, &none);
        }
    }
    if (*boards != NULL && (*boards)->count < GATHER_BLUNDERS) {
        doc_board(*boards, &board);
    }
}

void section_faults(struct report *report)
{
    const struct gather *gather = report->gather;
    struct doc_boards *boards = NULL;
    struct doc_table *table;

    if (report->count == 0) {
        return;
    }
    if (gather->faults == 0) {
        doc_nothing(report->doc, "faults", "Faults",
                    gather->surplus_faults == 0 ? "No bot made a fault."
                                                : "No bot made a fault in a game that counts.");
        return;
    }
    doc_section(report->doc, "faults", "Faults");
    table = doc_table(report->doc, "faults", "Faults by bot, kind and broken rule", fault_columns,
                      FAULT_COLUMNS);
    for (int i = 0; i < gather->faults; i++) {
        if (report->whom == NULL || report->whom->bot == gather->fault[i].bot) {
            fault_row(table, report, &gather->fault[i]);
            fault_board(&boards, table, &gather->fault[i]);
        }
    }
    if (gather->surplus_faults > 0) {
        doc_note(
            report->doc,
            "Faults in surplus games are not listed; 'bgref faults RESULTS' has them, marked.");
    }
    doc_note(report->doc, "'bgref faults RESULTS' has the evidence of each; 'bgref rules' explains "
                          "the rules by their numbers.");
}
