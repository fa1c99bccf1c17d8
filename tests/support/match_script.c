#include "support/match_script.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bgref/notation.h>

enum { TEXT_MAX = 2048, VALUE_MAX = 64 };

/* One word of a text that is cut in place; NULL at the end. */
static char *next_word(char **rest)
{
    return strtok_r(NULL, " ", rest);
}

static bool has_prefix(const char *text, const char *prefix, const char **value)
{
    size_t length = strlen(prefix);

    *value = text + length;
    return strncmp(text, prefix, length) == 0;
}

/* ---- rules ---- */

static bool opening_of(enum bg_opening *out, const char *name)
{
    static const char *const names[BG_OPENING_COUNT] = {"play",      "reroll",  "choice",
                                                        "sumreroll", "sumplay", "winner"};

    for (int i = 0; i < BG_OPENING_COUNT; i++) {
        if (strcmp(names[i], name) == 0) {
            *out = (enum bg_opening)i;
            return true;
        }
    }
    return false;
}

static bool next_of(enum bg_next *out, const char *name)
{
    static const char *const names[BG_NEXT_COUNT] = {"same", "winner", "hoyle", "alternate"};

    for (int i = 0; i < BG_NEXT_COUNT; i++) {
        if (strcmp(names[i], name) == 0) {
            *out = (enum bg_next)i;
            return true;
        }
    }
    return false;
}

/* A game or a rotation, with its defaults. */
static bool game_of(struct bg_rules *rules, const char *name)
{
    const struct bg_rotation *rotation = bg_rotation_find(name);
    const struct bg_variant *variant =
        rotation == NULL ? bg_variant_find(name) : bg_rotation_game(rotation, 0);

    if (variant == NULL) {
        return false;
    }
    *rules = bg_rules_default(variant, rules->length_points);
    rules->rotation = rotation;
    return true;
}

static bool rules_word(struct bg_rules *rules, const char *word)
{
    const struct {
        const char *name;
        bool *flag;
    } flags[] = {{"beavers", &rules->beavers},
                 {"holland", &rules->holland},
                 {"single", &rules->forfeit_single},
                 {"faultmatch", &rules->fault_match},
                 {"flagmatch", &rules->flag_match}};
    const char *value;

    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        if (strcmp(word, flags[i].name) == 0) {
            *flags[i].flag = true;
            return true;
        }
    }
    if (strcmp(word, "money") == 0) {
        *rules = bg_rules_default(rules->variant, 0);
    } else if (has_prefix(word, "match=", &value)) {
        *rules = bg_rules_default(rules->variant, atoi(value));
    } else if (has_prefix(word, "game=", &value)) {
        return game_of(rules, value);
    } else if (has_prefix(word, "next=", &value)) {
        return next_of(&rules->next, value);
    } else if (has_prefix(word, "jacoby=", &value)) {
        rules->jacoby = atoi(value) != 0;
    } else if (has_prefix(word, "cube=", &value)) {
        rules->cube = atoi(value) != 0;
    } else if (has_prefix(word, "crawford=", &value)) {
        rules->crawford = atoi(value) != 0;
    } else if (has_prefix(word, "raises=", &value)) {
        rules->raises = atoi(value);
    } else if (has_prefix(word, "auto=", &value)) {
        rules->auto_doubles = atoi(value);
    } else if (has_prefix(word, "limit=", &value)) {
        rules->cube_limit = atoi(value);
    } else if (has_prefix(word, "cap=", &value)) {
        rules->turn_cap = atoi(value);
    } else {
        return has_prefix(word, "opening=", &value) && opening_of(&rules->opening, value);
    }
    return true;
}

bool script_rules(struct bg_rules *rules, const char *text, char *message, size_t room)
{
    char copy[TEXT_MAX];
    char *rest = NULL;

    *rules = bg_rules_default(bg_variant_find("backgammon"), 0);
    snprintf(copy, sizeof copy, "%s", text);
    for (char *word = strtok_r(copy, " ", &rest); word != NULL; word = next_word(&rest)) {
        if (!rules_word(rules, word)) {
            snprintf(message, room, "rules: cannot read '%s'", word);
            return false;
        }
    }
    return true;
}

/* ---- start ---- */

static bool checkers_of(uint8_t at[BG_SLOTS], const char *text)
{
    memset(at, 0, BG_SLOTS);
    while (*text != '\0') {
        char *end;
        long slot = strtol(text, &end, 10);
        long count = *end == ':' ? strtol(end + 1, &end, 10) : -1;

        if (slot < 0 || slot >= BG_SLOTS || count < 0) {
            return false;
        }
        at[slot] = (uint8_t)count;
        text = *end == ',' ? end + 1 : end;
    }
    return true;
}

static bool start_word(struct bg_start *start, const struct bg_variant *variant, const char *word)
{
    const char *value;
    int cube;

    if (has_prefix(word, "at=", &value)) {
        return bg_position_text_read(&start->board, &start->on_roll, variant, value, NULL) == BG_OK;
    }
    if (has_prefix(word, "on=", &value)) {
        start->on_roll = atoi(value);
    } else if (has_prefix(word, "score=", &value)) {
        return sscanf(value, "%" SCNd64 "-%" SCNd64, &start->score[0], &start->score[1]) == 2;
    } else if (has_prefix(word, "cubelog=", &value)) {
        return sscanf(value, "%d@%d", &start->cube_log2, &start->cube_owner) == 2;
    } else if (has_prefix(word, "cube=", &value)) {
        if (sscanf(value, "%d@%d", &cube, &start->cube_owner) != 2) {
            return false;
        }
        for (start->cube_log2 = 0; 1 << start->cube_log2 < cube;) {
            start->cube_log2++;
        }
    } else if (strcmp(word, "crawford") == 0) {
        start->crawford_game = true;
    } else if (strcmp(word, "bynext") == 0) {
        start->by_next = true;
    } else if (has_prefix(word, "pin=", &value)) {
        start->board.pinned[0] |= UINT64_C(1) << atoi(value);
    } else if (has_prefix(word, "counted=", &value)) {
        start->board.turns[0] = (uint8_t)atoi(value);
    } else if (has_prefix(word, "right=", &value)) {
        start->board.may_hit[0] = (uint8_t)atoi(value);
    } else if (has_prefix(word, "stacked=", &value)) {
        start->board.stacked[0][6] = (uint8_t)atoi(value);
    } else if (strcmp(word, "post") == 0) {
        start->crawford_done = true;
    } else if (has_prefix(word, "game=", &value)) {
        start->game = atoi(value);
    } else if (has_prefix(word, "x=", &value)) {
        return checkers_of(start->board.at[0], value);
    } else {
        return has_prefix(word, "y=", &value) && checkers_of(start->board.at[1], value);
    }
    return true;
}

bool script_begin(struct bg_match *match, const char *rules_text, const char *start_text,
                  char *message, size_t room)
{
    struct bg_start start = {.on_roll = -1, .cube_owner = BG_CENTRED};
    struct bg_error err = {0};
    struct bg_rules rules;
    char copy[TEXT_MAX];
    char *rest = NULL;

    if (!script_rules(&rules, rules_text, message, room)) {
        return false;
    }
    if (bg_rules_check(&rules, &err) != BG_OK) {
        snprintf(message, room, "rules refused: %s", err.text);
        return false;
    }
    if (start_text == NULL) {
        bg_match_begin(match, &rules);
        return true;
    }
    bg_variant_setup(&start.board, rules.variant);
    snprintf(copy, sizeof copy, "%s", start_text);
    for (char *word = strtok_r(copy, " ", &rest); word != NULL; word = next_word(&rest)) {
        const struct bg_variant *variant =
            rules.rotation == NULL ? rules.variant : bg_rotation_game(rules.rotation, start.game);

        if (!start_word(&start, variant, word)) {
            snprintf(message, room, "start: cannot read '%s'", word);
            return false;
        }
    }
    if (bg_match_begin_at(match, &rules, &start, &err) != BG_OK) {
        snprintf(message, room, "start refused: %s", err.text);
        return false;
    }
    return true;
}

/* ---- steps ---- */

static bool play_of(struct bg_play *play, const char *text)
{
    while (*text != '\0') {
        int from, to, length;

        if (play->moves == BG_MOVES_MAX || sscanf(text, "%d/%d%n", &from, &to, &length) != 2) {
            return false;
        }
        play->move[play->moves].from = (uint8_t)from;
        play->move[play->moves].to = (uint8_t)to;
        play->moves++;
        text += length;
        text += *text == ',';
    }
    return true;
}

static bool any_play(struct bg_play *play, const struct bg_match *match)
{
    static struct bg_play_list list;

    if (match->need.kind != BG_NEED_PLAY) {
        return false;
    }
    bg_play_list(&list, match->rules.variant, &match->board, match->need.seat, &match->stage);
    *play = list.play[0];
    return list.count > 0;
}

static void dice_of(struct bg_step *step, const char *text)
{
    for (int i = 0; i < 4 && text[i] != '\0'; i++) {
        step->die[i] = (uint8_t)(text[i] - '0');
    }
}

/* The part after the seat: "r63", "m8/5,6/5", "R2", ... */
static bool seat_step(struct bg_step *step, const struct bg_match *match, const char *text)
{
    static const struct {
        char letter;
        enum bg_step_kind kind;
    } kinds[] = {{'r', BG_STEP_ROLL},   {'d', BG_STEP_DOUBLE}, {'t', BG_STEP_TAKE},
                 {'p', BG_STEP_PASS},   {'b', BG_STEP_RAISE},  {'m', BG_STEP_PLAY},
                 {'*', BG_STEP_PLAY},   {'R', BG_STEP_RESIGN}, {'a', BG_STEP_ACCEPT},
                 {'x', BG_STEP_REFUSE}, {'k', BG_STEP_KEEP},   {'K', BG_STEP_REROLL},
                 {'n', BG_STEP_NAME},   {'F', BG_STEP_FAULT}};
    const char *value = text + 1;

    step->kind = BG_STEP_COUNT;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (kinds[i].letter == text[0]) {
            step->kind = kinds[i].kind;
        }
    }
    switch (text[0]) {
    case 'r':
        dice_of(step, value);
        return true;
    case 'm':
        return play_of(&step->play, value);
    case '*':
        return any_play(&step->play, match);
    case 'R':
    case 'n':
        step->level = (uint8_t)atoi(value);
        return true;
    case 'F':
        step->fault = bg_fault_from_name(value);
        return true;
    default:
        return step->kind != BG_STEP_COUNT;
    }
}

static bool step_of(struct bg_step *step, const struct bg_match *match, const char *word)
{
    memset(step, 0, sizeof *step);
    step->seat = -1;
    if (word[0] == 'o') {
        step->kind = BG_STEP_OPEN;
        dice_of(step, word + 1);
        return true;
    }
    if (word[0] == 'N') {
        step->kind = BG_STEP_NEXT;
        return true;
    }
    step->seat = word[0] - '0';
    return word[0] >= '0' && word[0] <= '9' && seat_step(step, match, word + 1);
}

static bool run_step(struct bg_match *match, char *word, char *message, size_t room)
{
    char *mark = strchr(word, '!');
    const char *expected = mark == NULL ? "-" : mark + 1;
    struct bg_match before = *match;
    struct bg_step step;
    enum bg_rule broken;

    if (mark != NULL) {
        *mark = '\0';
    }
    if (!step_of(&step, match, word)) {
        snprintf(message, room, "'%s' is not a step now (%s is owed)", word,
                 bg_need_name(match->need.kind));
        return false;
    }
    broken = bg_match_step(match, &step);
    if (strcmp(bg_rule_number(broken), expected) != 0) {
        snprintf(message, room, "'%s' breaks %s, expected %s", word, bg_rule_number(broken),
                 expected);
        return false;
    }
    if (broken != BG_RULE_NONE && memcmp(&before, match, sizeof before) != 0) {
        snprintf(message, room, "'%s' is refused and changed the match all the same", word);
        return false;
    }
    return true;
}

/* ---- checks ---- */

static void stage_value(char out[VALUE_MAX], enum bg_part part, const struct bg_stage *stage,
                        const char *who)
{
    char text[BG_STAGE_TEXT];

    bg_stage_write(text, stage);
    snprintf(out, VALUE_MAX, "%s%s%s%s", who, bg_part_name(part), text[0] == '\0' ? "" : ",", text);
}

/* "0roll,4x4;1carry,4x4": the decisions that the last step skipped. */
static void passed_value(char out[VALUE_MAX], const struct bg_match *match)
{
    out[0] = '\0';
    for (int i = 0; i < match->passes; i++) {
        char stage[VALUE_MAX];
        size_t length = strlen(out);

        stage_value(stage, (enum bg_part)match->pass[i].part, &match->pass[i].stage,
                    match->pass[i].seat == 0 ? "0" : "1");
        snprintf(out + length, VALUE_MAX - length, "%s%s", i == 0 ? "" : ";", stage);
    }
}

/* The value of key as text; empty if the key is unknown. */
static void value_of(char out[VALUE_MAX], const struct bg_match *match, const char *key)
{
    const struct {
        const char *key;
        long long first, second;
        const char *between; /* NULL: one number */
    } keys[] = {
        {"score", match->score[0], match->score[1], "-"},
        {"cube", 1LL << match->cube_log2, match->cube_owner, "@"},
        {"winner", match->result.winner, 0, NULL},
        {"level", match->result.level, 0, NULL},
        {"points", match->result.points, 0, NULL},
        {"match", match->match_winner, 0, NULL},
        {"game", match->game, 0, NULL},
        {"turn", match->turn, 0, NULL},
        {"turns", match->turns[0], match->turns[1], "-"},
        {"rolls", match->rolls[0], match->rolls[1], "-"},
        {"openings", match->openings, 0, NULL},
        {"auto", match->auto_doubles, 0, NULL},
        {"crawford", match->crawford_game, match->crawford_done, "/"},
        {"roll", 10 * match->roll.die[0] + match->roll.die[1], 0, NULL},
        {"raise", match->raise, 0, NULL},
        {"doubler", match->doubler, 0, NULL},
        {"resign", match->resign_level, match->resign_offers, "/"},
        {"off", match->board.at[0][BG_OFF], match->board.at[1][BG_OFF], "-"},
        {"bar", match->board.at[0][BG_BAR], match->board.at[1][BG_BAR], "-"},
        {"hand", match->board.at[0][BG_HAND], match->board.at[1][BG_HAND], "-"},
        {"counted", match->board.turns[0], match->board.turns[1], "-"},
        {"began", match->began, 0, NULL},
        {"doubles", match->doubles[0], match->doubles[1], "-"},
        {"dice", bg_match_dice(match), 0, NULL},
    };

    snprintf(out, VALUE_MAX, "%s", strcmp(key, "end") == 0 ? bg_end_name(match->result.end) : "");
    if (strcmp(key, "how") == 0) {
        snprintf(out, VALUE_MAX, "%s", bg_result_how(match->rules.variant, &match->result));
    }
    if (strcmp(key, "stage") == 0) {
        stage_value(out, match->part, &match->stage, "");
    }
    if (strcmp(key, "passed") == 0) {
        passed_value(out, match);
    }
    if (strcmp(key, "variant") == 0) {
        snprintf(out, VALUE_MAX, "%s", bg_variant_id(match->rules.variant));
    }
    if (strcmp(key, "fault") == 0) {
        snprintf(out, VALUE_MAX, "%s", bg_fault_name(match->result.fault));
    }
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strcmp(key, keys[i].key) == 0) {
            int length = snprintf(out, VALUE_MAX, "%lld", keys[i].first);

            if (keys[i].between != NULL) {
                snprintf(out + length, VALUE_MAX - (size_t)length, "%s%lld", keys[i].between,
                         keys[i].second);
            }
        }
    }
}

static bool check_value(const struct bg_match *match, char *word, char *message, size_t room)
{
    char *colon = strchr(word, ':');
    char value[VALUE_MAX];

    if (colon == NULL) {
        snprintf(message, room, "'=%s' has no value", word);
        return false;
    }
    *colon = '\0';
    value_of(value, match, word);
    if (strcmp(value, colon + 1) != 0) {
        snprintf(message, room, "%s is '%s', expected %s", word, value, colon + 1);
        return false;
    }
    return true;
}

static bool check_need(const struct bg_match *match, const char *expected, char *message,
                       size_t room)
{
    struct bg_need need = bg_match_need(match);
    char text[VALUE_MAX];
    int length = snprintf(text, sizeof text, "%s", bg_need_name(need.kind));

    if (need.seat >= 0) {
        snprintf(text + length, sizeof text - (size_t)length, "%d", need.seat);
    }
    if (strcmp(text, expected) != 0) {
        snprintf(message, room, "%s is owed, expected %s", text, expected);
        return false;
    }
    return true;
}

bool script_run(struct bg_match *match, const char *script, char *message, size_t room)
{
    char copy[TEXT_MAX], inner[256];
    char *rest = NULL;
    int number = 0;

    snprintf(copy, sizeof copy, "%s", script);
    for (char *word = strtok_r(copy, " ", &rest); word != NULL; word = next_word(&rest)) {
        bool good;

        number++;
        if (word[0] == '?') {
            good = check_need(match, word + 1, inner, sizeof inner);
        } else if (word[0] == '=') {
            good = check_value(match, word + 1, inner, sizeof inner);
        } else {
            good = run_step(match, word, inner, sizeof inner);
        }
        if (!good) {
            snprintf(message, room, "word %d: %s", number, inner);
            return false;
        }
    }
    return true;
}
