/* A play may be typed in parts, in any order, merged or not: the moves so far are kept, and the
 * rules judge the whole after each line. Nothing is sent before it is complete and legal, so a
 * slip of the finger is no fault of the bot. */
#include "entry.h"

#include "../common/story.h"

#include <bgref/notation.h>

#include <stdio.h>
#include <string.h>

void entry_forget(struct entry *entry)
{
    entry->play.moves = 0;
    entry->line_count = 0;
    entry->answer = BG_ANSWER_NONE;
}

void entry_begin(struct entry *entry, const struct bg_ask *ask)
{
    *entry = (struct entry){.ask = *ask};
    /* The ask is lent until the next message; what it points to is not kept. */
    entry->ask.results = NULL;
    entry->ask.result_count = 0;
    entry->ask.played = NULL;
}

bool entry_read(struct typed *out, char why[TYPED_WHY], const struct entry *entry, const char *line)
{
    return entry->ask.kind == BG_DECIDE_DICE ? typed_read_dice(out, why, entry->ask.dice, line)
                                             : typed_read(out, why, entry->ask.rules.variant, line);
}

/* ---- plays ---- */

static enum entry_news explain(char text[ENTRY_TEXT], const char *why)
{
    snprintf(text, ENTRY_TEXT, "%s", why);
    return ENTRY_REFUSED;
}

static bool is_same_stage(const struct bg_stage *a, const struct bg_stage *b)
{
    for (int i = 0; i < a->parts && i < b->parts; i++) {
        if (a->part[i].number != b->part[i].number || a->part[i].times != b->part[i].times) {
            return false;
        }
    }
    return a->parts == b->parts;
}

/* Returns true if the moves can be made one after the other as they were typed, and lead there. */
static bool is_makeable(const struct bg_ask *ask, const struct bg_play *play,
                        const struct bg_board *after)
{
    struct bg_board now = ask->board;

    for (int i = 0; i < play->moves; i++) {
        const struct bg_play one = {1, {play->move[i]}};

        if (now.at[0][play->move[i].from] == 0) {
            return false;
        }
        bg_play_make(&now, ask->rules.variant, &now, 0, &one);
    }
    return bg_board_equal(&now, after);
}

/* Writes the play with its hits: as it was typed, or in an order in which it can be made. */
static void write_whole(char text[BG_PLAY_TEXT], const struct entry *entry)
{
    const struct bg_ask *ask = &entry->ask;
    struct bg_play play = entry->play;

    if (!is_makeable(ask, &play, &entry->after)) {
        (void)bg_play_check_result(&play, ask->rules.variant, &ask->board, 0, &ask->stage,
                                   &entry->after);
    }
    bg_play_write(text, ask->rules.variant, &ask->board, 0, &play);
}

struct judged {
    struct bg_play whole;
    struct bg_board after; /* when broken is NONE */
    enum bg_rule broken;
};

/* Judges the moves of before and those of typed together. */
static struct judged judge(const struct bg_ask *ask, const struct bg_play *before,
                           const struct bg_play *typed)
{
    struct judged judged = {.whole = *before, .broken = BG_RULE_NUMBER_USED};

    if (before->moves + typed->moves <= BG_MOVES_MAX) {
        for (int i = 0; i < typed->moves; i++) {
            judged.whole.move[judged.whole.moves++] = typed->move[i];
        }
        judged.broken = bg_play_check(&judged.after, ask->rules.variant, &ask->board, 0,
                                      &ask->stage, &judged.whole);
    }
    return judged;
}

/* Returns a marked slot on which the play hits nothing, -1 if there is none. While moves are
 * missing only a slot without a checker of the opponent is sure. */
static int false_hit(const struct bg_ask *ask, const struct judged *judged, uint64_t hits)
{
    for (int slot = 0; slot < BG_SLOTS; slot++) {
        const bool is_point = slot != BG_OFF && slot != BG_BAR && slot != BG_HAND;
        int there, left = 0;

        if ((hits >> slot & 1) == 0) {
            continue;
        }
        if (!is_point) {
            return slot;
        }
        there = bg_variant_opponent_slot(ask->rules.variant, slot);
        if (judged->broken == BG_RULE_NONE) {
            left = judged->after.at[1][there];
        }
        if (left >= ask->board.at[1][there]) {
            return slot;
        }
    }
    return -1;
}

/* The hits that are marked in the lines so far. */
static uint64_t marked(const struct entry *entry)
{
    uint64_t hits = 0;

    for (int i = 0; i < entry->line_count; i++) {
        hits |= entry->hits[i];
    }
    return hits;
}

static enum entry_news take_play(struct entry *entry, const struct judged *judged,
                                 const struct typed *typed, char text[ENTRY_TEXT])
{
    char play[BG_PLAY_TEXT];

    entry->play = judged->whole;
    entry->hits[entry->line_count] = typed->hits;
    entry->lines[entry->line_count++] = typed->play.moves;
    if (judged->broken == BG_RULE_MOST) {
        bg_play_write(play, entry->ask.rules.variant, NULL, 0, &entry->play);
        snprintf(text, ENTRY_TEXT,
                 "So far %s. More numbers can be played; undo takes the last line back.", play);
        return ENTRY_PART;
    }
    entry->answer = BG_ANSWER_MOVES;
    entry->after = judged->after;
    write_whole(play, entry);
    snprintf(text, ENTRY_TEXT, "%s", play);
    return ENTRY_WHOLE;
}

/* A line goes on with the moves before it. It replaces a whole play, and it may also be a whole
 * play by itself where the moves before it do not fit. */
static enum entry_news type_play(struct entry *entry, const struct typed *typed,
                                 char text[ENTRY_TEXT])
{
    static const struct bg_play none;
    const struct bg_ask *ask = &entry->ask;
    bool is_new = entry->answer != BG_ANSWER_NONE || entry->line_count == 0;
    struct judged judged = judge(ask, is_new ? &none : &entry->play, &typed->play);

    if (typed->stage.parts > 0 && !is_same_stage(&typed->stage, &ask->stage)) {
        char dice[STORY_STAGE];

        story_stage_write(dice, &ask->stage);
        snprintf(text, ENTRY_TEXT, "Not these dice: you rolled %s.", dice);
        return ENTRY_REFUSED;
    }
    if (!is_new && judged.broken != BG_RULE_NONE && judged.broken != BG_RULE_MOST) {
        const struct judged alone = judge(ask, &none, &typed->play);

        is_new = alone.broken == BG_RULE_NONE;
        judged = is_new ? alone : judged;
    }
    if (judged.broken != BG_RULE_NONE && judged.broken != BG_RULE_MOST) {
        snprintf(text, ENTRY_TEXT, "Not legal (%s): %s", bg_rule_number(judged.broken),
                 bg_rule_text(judged.broken));
        return ENTRY_REFUSED;
    }
    if (false_hit(ask, &judged, typed->hits | (is_new ? 0 : marked(entry))) >= 0) {
        return explain(text, "A hit is marked where this play hits nothing: compare the boards.");
    }
    if (is_new) {
        entry_forget(entry);
    }
    return take_play(entry, &judged, typed, text);
}

/* ---- words ---- */

/* The same word means a double's answer or a resignation's. */
static enum bg_answer_kind suited(enum bg_decision kind, enum bg_answer_kind answer)
{
    const bool is_cube = kind == BG_DECIDE_TAKE || kind == BG_DECIDE_RAISE;

    if (is_cube && answer == BG_ANSWER_ACCEPT) {
        return BG_ANSWER_TAKE;
    }
    return is_cube && answer == BG_ANSWER_REFUSE ? BG_ANSWER_PASS : answer;
}

static const char *why_not(const struct bg_ask *ask, enum bg_answer_kind answer)
{
    if (answer == BG_ANSWER_DOUBLE && ask->kind == BG_DECIDE_PLAY) {
        return "The dice are rolled: a play is asked. Where you may double you are asked before "
               "the roll.";
    }
    if (answer == BG_ANSWER_RAISE &&
        (ask->kind == BG_DECIDE_TAKE || ask->kind == BG_DECIDE_RAISE)) {
        return "The cube may not be turned again here: take or drop.";
    }
    return "That does not answer this question.";
}

static enum entry_news type_answer(struct entry *entry, enum bg_answer_kind typed,
                                   char text[ENTRY_TEXT])
{
    static const char *const names[BG_ANSWER_COUNT] = {
        [BG_ANSWER_ROLL] = "Roll",
        [BG_ANSWER_DOUBLE] = "Double",
        [BG_ANSWER_TAKE] = "Take",
        [BG_ANSWER_PASS] = "Drop",
        [BG_ANSWER_RAISE] = "Beaver",
        [BG_ANSWER_KEEP] = "Keep",
        [BG_ANSWER_REROLL] = "Reroll",
        [BG_ANSWER_ACCEPT] = "Accept the resignation",
        [BG_ANSWER_REFUSE] = "Refuse the resignation"};
    const struct bg_ask *ask = &entry->ask;
    const enum bg_answer_kind answer = suited(ask->kind, typed);

    if (!bg_answer_fits(ask->kind, answer) || (answer == BG_ANSWER_RAISE && !ask->may_raise)) {
        return explain(text, why_not(ask, typed));
    }
    entry_forget(entry);
    entry->answer = answer;
    if (answer == BG_ANSWER_DOUBLE) {
        snprintf(text, ENTRY_TEXT, "Double to %llu", 2ULL << ask->cube_log2);
        return ENTRY_WHOLE;
    }
    snprintf(text, ENTRY_TEXT, "%s", names[answer]);
    return ENTRY_WHOLE;
}

static enum entry_news type_resignation(struct entry *entry, int level, char text[ENTRY_TEXT])
{
    static const char *const names[] = {"", "a single game", "a gammon", "a backgammon"};
    const struct bg_ask *ask = &entry->ask;
    const int most = bg_variant_level_max(ask->rules.variant);

    if (ask->kind == BG_DECIDE_TAKE || ask->kind == BG_DECIDE_RAISE ||
        ask->kind == BG_DECIDE_RESIGNATION) { /* R2 */
        return explain(text, "You can resign before your roll and instead of a play.");
    }
    if (level < 1 || level > most) {
        snprintf(text, ENTRY_TEXT,
                 most > 3   ? "resign 1 to resign %d: the points."
                 : most < 2 ? "This game has one level only: resign."
                            : "resign, resign gammon or resign backgammon (levels 1 to %d).",
                 most);
        return ENTRY_REFUSED;
    }
    if (level <= ask->refused_level) {
        return explain(text,
                       "The opponent has refused that; offer more than was refused, or play.");
    }
    entry_forget(entry);
    entry->answer = BG_ANSWER_RESIGN;
    entry->value = level;
    snprintf(text, ENTRY_TEXT, "Resign %s%d%s%s%s", most > 3 ? "points: " : "level ", level,
             most > 3 ? "" : " (", most > 3 ? "" : names[level], most > 3 ? "" : ")");
    return ENTRY_WHOLE;
}

static enum entry_news type_number(struct entry *entry, int number, char text[ENTRY_TEXT])
{
    if (entry->ask.kind != BG_DECIDE_NAME) {
        return explain(text, "A single number is no answer here; a play is written like 13/7.");
    }
    entry_forget(entry);
    entry->answer = BG_ANSWER_NAME;
    entry->value = number;
    snprintf(text, ENTRY_TEXT, "Name %d", number);
    return ENTRY_WHOLE;
}

/* ---- dice ---- */

void entry_dice_write(char out[ENTRY_DICE], const uint8_t *die, int count)
{
    int used = 0;

    out[0] = '\0';
    for (int i = 0; i < count; i++) {
        used += snprintf(out + used, ENTRY_DICE - (size_t)used, "%s%d", i > 0 ? "-" : "", die[i]);
    }
}

static enum entry_news take_dice(struct entry *entry, const uint8_t die[4], char text[ENTRY_TEXT])
{
    entry_forget(entry);
    entry->answer = BG_ANSWER_DICE;
    memcpy(entry->die, die, sizeof entry->die);
    entry_dice_write(text, die, entry->ask.dice);
    return ENTRY_WHOLE;
}

static enum entry_news type_dice(struct entry *entry, const struct typed *typed,
                                 char text[ENTRY_TEXT])
{
    const struct bg_ask *ask = &entry->ask;

    if (typed->kind == TYPED_DICE) {
        return take_dice(entry, typed->die, text);
    }
    if (ask->entered[0] == 0) {
        return explain(text, "The numbers of the dice are asked for.");
    }
    return typed->kind == TYPED_YES
               ? take_dice(entry, ask->entered, text)
               : explain(text, "Look at the board: yes, or the numbers that you see.");
}

static enum entry_news handle(struct entry *entry, const struct typed *typed, char text[ENTRY_TEXT])
{
    if (entry->ask.kind == BG_DECIDE_DICE) {
        return type_dice(entry, typed, text);
    }
    switch (typed->kind) {
    case TYPED_PLAY:
        return entry->ask.kind == BG_DECIDE_PLAY ? type_play(entry, typed, text)
                                                 : explain(text, "No play is asked now.");
    case TYPED_ANSWER:
        return type_answer(entry, typed->answer, text);
    case TYPED_RESIGN:
        return type_resignation(entry, typed->value, text);
    case TYPED_NUMBER:
        return type_number(entry, typed->value, text);
    case TYPED_EMPTY:
        return entry->ask.kind == BG_DECIDE_DOUBLE ? type_answer(entry, BG_ANSWER_ROLL, text)
                                                   : explain(text, "An answer is asked.");
    default:
        return explain(text, "That does not answer this question.");
    }
}

/* After a correction that is refused, an empty line must not send what was to be corrected. */
enum entry_news entry_type(struct entry *entry, const struct typed *typed, char text[ENTRY_TEXT])
{
    const enum entry_news news = handle(entry, typed, text);

    if (news == ENTRY_REFUSED && entry->answer != BG_ANSWER_NONE) {
        entry_forget(entry);
    }
    return news;
}

bool entry_undo(struct entry *entry, char text[ENTRY_TEXT])
{
    const bool has_play = entry->answer == BG_ANSWER_NONE || entry->answer == BG_ANSWER_MOVES;
    const bool had_something = entry->answer != BG_ANSWER_NONE || entry->line_count > 0;

    if (has_play && entry->line_count > 0) {
        entry->play.moves = (uint8_t)(entry->play.moves - entry->lines[--entry->line_count]);
    }
    entry->answer = BG_ANSWER_NONE;
    bg_play_write(text, entry->ask.rules.variant, NULL, 0, &entry->play);
    return had_something;
}
