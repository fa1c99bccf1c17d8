/* No input, no output and no bot here: a test is a list of lines. What set..., position and dice
 * say is kept as it was said, and a match is made of it only by `go`, as the order of the other
 * commands is free. */
#include "ubgi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bgref/notation.h>

enum { WORDS = 24, NUMBER_MAX = 10000 };

static const char *const games[UBGI_GAMES] = {"backgammon", "nackgammon", "hypergammon"};

const char *ubgi_game(int i)
{
    return games[i];
}

static void forget(struct ubgi *ubgi)
{
    const struct bg_variant *variant = ubgi->position.variant; /* a setting, not of the game */

    ubgi->position = (struct ask_position){.variant = variant, .cube_owner = BG_CENTRED};
    ubgi->position.jacoby = ubgi->position.crawford = true;
    ubgi->has_position = ubgi->has_dice = ubgi->whole_turn = false;
}

void ubgi_init(struct ubgi *ubgi, const char *name)
{
    memset(ubgi, 0, sizeof *ubgi);
    ubgi->name = name;
    ubgi->plays[0] = true;
    forget(ubgi);
}

/* ---- small parts ---- */

static enum ubgi_action reply(struct ubgi *ubgi, const char *text)
{
    snprintf(ubgi->text, sizeof ubgi->text, "%s%s", text, text[0] == '\0' ? "" : "\n");
    return UBGI_SAY;
}

/* An error in the words of the program's family. */
static enum ubgi_action refuse(struct ubgi *ubgi, const char *older, const char *newer)
{
    snprintf(ubgi->text, sizeof ubgi->text, "error %s\n", ubgi->is_newer ? newer : older);
    return UBGI_SAY;
}

/* Digits only, 0 to most; -1: not such a number. */
static int64_t number(const char *word, int64_t most)
{
    char *end;
    long long value;

    if (word[0] < '0' || word[0] > '9' || strlen(word) > 15) {
        return -1;
    }
    value = strtoll(word, &end, 10);
    return *end == '\0' && value <= most ? value : -1;
}

static int switch_of(const char *word)
{
    return strcmp(word, "on") == 0 ? 1 : strcmp(word, "off") == 0 ? 0 : -1;
}

/* ---- commands: count words, the first of them the command ---- */

static void put(struct ubgi *ubgi, const char *text)
{
    size_t used = strlen(ubgi->text);

    snprintf(ubgi->text + used, sizeof ubgi->text - used, "%s", text);
}

static void put_key(struct ubgi *ubgi)
{
    const char *before = "key game.variant enum ";

    for (int i = 0; i < UBGI_GAMES; i++) {
        if (ubgi->plays[i]) {
            put(ubgi, before);
            put(ubgi, games[i]);
            before = "|";
        }
    }
    put(ubgi, " backgammon\n");
}

static enum ubgi_action do_ubgi(struct ubgi *ubgi, char **words, int count)
{
    (void)words, (void)count;
    snprintf(ubgi->text, sizeof ubgi->text,
             "id name %s\nid author bgref\nid version %s\nproto 0.2\n", ubgi->name, BG_VERSION);
    put_key(ubgi);
    put(ubgi, "ubgiok\n");
    return UBGI_SAY;
}

static enum ubgi_action do_isready(struct ubgi *ubgi, char **words, int count)
{
    (void)words, (void)count;
    return reply(ubgi, "readyok");
}

static enum ubgi_action do_keys(struct ubgi *ubgi, char **words, int count)
{
    (void)words, (void)count;
    ubgi->is_newer = true;
    put_key(ubgi);
    return UBGI_SAY;
}

static enum ubgi_action do_get(struct ubgi *ubgi, char **words, int count)
{
    const struct bg_variant *variant = ubgi->position.variant;

    ubgi->is_newer = true;
    if (count != 2 || strcmp(words[1], "game.variant") != 0) {
        return reply(ubgi, "error unsupported key");
    }
    snprintf(ubgi->text, sizeof ubgi->text, "value game.variant %s\n",
             variant == NULL ? games[0] : bg_variant_id(variant));
    return UBGI_SAY;
}

/* The position belongs to the game that was played before. */
static bool set_variant(struct ubgi *ubgi, const char *id)
{
    for (int i = 0; i < UBGI_GAMES; i++) {
        if (ubgi->plays[i] && strcmp(games[i], id) == 0) {
            ubgi->position.variant = bg_variant_find(id);
            ubgi->has_position = ubgi->has_dice = false;
            return true;
        }
    }
    return false;
}

static enum ubgi_action do_set(struct ubgi *ubgi, char **words, int count)
{
    ubgi->is_newer = true;
    if (count != 3) {
        return reply(ubgi, "error bad_command set");
    }
    if (strcmp(words[1], "game.variant") != 0) {
        return reply(ubgi, "error unsupported key");
    }
    return reply(ubgi, set_variant(ubgi, words[2]) ? "" : "error bad_value game.variant");
}

/* 0.1: setoption name N value V. Options of the bot belong on the command line. */
static enum ubgi_action do_setoption(struct ubgi *ubgi, char **words, int count)
{
    ubgi->is_newer = false;
    if (count < 5 || strcmp(words[1], "name") != 0 || strcmp(words[3], "value") != 0) {
        return reply(ubgi, "error bad_argument setoption");
    }
    return reply(ubgi, strcmp(words[2], "Variant") == 0 && set_variant(ubgi, words[4])
                           ? ""
                           : "error unsupported_feature option");
}

static enum ubgi_action do_newgame(struct ubgi *ubgi, char **words, int count)
{
    (void)words, (void)count;
    forget(ubgi);
    return UBGI_NEW_GAME;
}

static bool session_word(struct ask_position *position, int *length, const char *key,
                         const char *value)
{
    int on = switch_of(value);

    if (strcmp(key, "type") == 0) {
        *length = strcmp(value, "money") == 0 ? 0 : strcmp(value, "match") == 0 ? 1 : -1;
        return *length >= 0;
    }
    if (strcmp(key, "length") == 0) {
        *length = (int)number(value, NUMBER_MAX);
        return *length >= 1;
    }
    if (on >= 0 && strcmp(key, "jacoby") == 0) {
        position->jacoby = on;
        return true;
    }
    if (on >= 0 && strcmp(key, "crawford") == 0) {
        position->crawford = on;
        return true;
    }
    return false;
}

static enum ubgi_action do_newsession(struct ubgi *ubgi, char **words, int count)
{
    struct ask_position position = ubgi->position;
    bool fits = count % 2 == 1;

    for (int i = 1; i + 1 < count && fits; i += 2) {
        fits = session_word(&position, &position.length_points, words[i], words[i + 1]);
    }
    if (!fits) {
        return refuse(ubgi, "bad_argument newsession", "bad_value newsession");
    }
    ubgi->position = position;
    return reply(ubgi, "");
}

static enum ubgi_action do_setscore(struct ubgi *ubgi, char **words, int count)
{
    int64_t own = count == 3 ? number(words[1], NUMBER_MAX) : -1;
    int64_t opponent = count == 3 ? number(words[2], NUMBER_MAX) : -1;

    if (own < 0 || opponent < 0) {
        return refuse(ubgi, "bad_argument setscore", "bad_value setscore");
    }
    ubgi->position.score[0] = own;
    ubgi->position.score[1] = opponent;
    return reply(ubgi, "");
}

static enum ubgi_action do_setcube(struct ubgi *ubgi, char **words, int count)
{
    static const char *const owners[] = {"p0", "p1", "center", "centre"};
    int owner = 0, log2;

    if (count != 5 || strcmp(words[1], "value") != 0 || strcmp(words[3], "owner") != 0) {
        return refuse(ubgi, "bad_argument setcube", "bad_value setcube");
    }
    log2 = ask_position_cube_log2(number(words[2], INT64_C(1) << BG_CUBE_LOG2_MAX));
    while (owner < 4 && strcmp(words[4], owners[owner]) != 0) {
        owner++;
    }
    if (log2 < 0 || owner == 4) {
        return refuse(ubgi, "bad_argument setcube", "bad_value setcube");
    }
    ubgi->position.cube_log2 = log2;
    ubgi->position.cube_owner = owner < 2 ? owner : BG_CENTRED;
    return reply(ubgi, "");
}

/* The position says whose turn it is. */
static enum ubgi_action do_setturn(struct ubgi *ubgi, char **words, int count)
{
    bool fits = count == 2 && (strcmp(words[1], "p0") == 0 || strcmp(words[1], "p1") == 0);

    return fits ? reply(ubgi, "") : refuse(ubgi, "bad_argument setturn", "bad_value setturn");
}

/* A refused command removes the position, so that `go` is not about an older one. */
static enum ubgi_action do_position(struct ubgi *ubgi, char **words, int count)
{
    ubgi->has_position = ubgi->has_dice = false;
    if (count < 3) {
        return refuse(ubgi, "bad_argument position", "bad_command position");
    }
    if (strcmp(words[1], "gnubgid") != 0) {
        return refuse(ubgi, "unsupported_feature position", "unsupported position");
    }
    words[2][strcspn(words[2], ":")] = '\0'; /* a Match ID may follow, and is not looked at */
    if (bg_position_id_read(&ubgi->position.board, words[2], 0, NULL) != BG_OK ||
        !ask_position_set_off(&ubgi->position)) {
        return refuse(ubgi, "bad_argument invalid_position", "bad_value position");
    }
    ubgi->has_position = true;
    return reply(ubgi, "");
}

static enum ubgi_action do_dice(struct ubgi *ubgi, char **words, int count)
{
    int64_t one = count == 3 ? number(words[1], 6) : -1;
    int64_t two = count == 3 ? number(words[2], 6) : -1;

    ubgi->has_dice = one >= 1 && two >= 1;
    if (!ubgi->has_dice) {
        return refuse(ubgi, "bad_argument dice", "bad_value dice");
    }
    ubgi->dice[0] = (int)(one > two ? one : two);
    ubgi->dice[1] = (int)(one > two ? two : one);
    return reply(ubgi, "");
}

/* ---- go ---- */

static enum ubgi_action go_chequer(struct ubgi *ubgi)
{
    if (!ubgi->has_dice) {
        return refuse(ubgi, "missing_context dice", "bad_state dice");
    }
    /* They belong to this question; the next one needs its own. */
    ubgi->has_dice = false;
    if (ask_position_match(&ubgi->match, &ubgi->position, 0, NULL) != BG_OK ||
        !ask_position_roll(&ubgi->match, ubgi->dice[0], ubgi->dice[1])) {
        return refuse(ubgi, "bad_argument position_or_score", "bad_state position_or_score");
    }
    return ubgi->match.need.kind == BG_NEED_PLAY ? UBGI_ASK : reply(ubgi, "bestmove pass");
}

static enum ubgi_action go_cube(struct ubgi *ubgi)
{
    if (ask_position_match(&ubgi->match, &ubgi->position, 0, NULL) != BG_OK) {
        return refuse(ubgi, "bad_argument position_or_score", "bad_state position_or_score");
    }
    return ubgi->match.need.kind == BG_NEED_DOUBLE ? UBGI_ASK : reply(ubgi, "bestcube nodouble");
}

static enum ubgi_action go_take(struct ubgi *ubgi)
{
    struct bg_step step = {.kind = BG_STEP_DOUBLE, .seat = 1};

    if (ask_position_match(&ubgi->match, &ubgi->position, 1, NULL) != BG_OK) {
        return refuse(ubgi, "bad_argument position_or_score", "bad_state position_or_score");
    }
    return bg_match_step(&ubgi->match, &step) == BG_RULE_NONE
               ? UBGI_ASK
               : refuse(ubgi, "bad_argument no_double_possible", "bad_state no_double_possible");
}

/* Asks for cube and play; without dice for the cube alone. */
static enum ubgi_action go_turn(struct ubgi *ubgi)
{
    if (ask_position_match(&ubgi->match, &ubgi->position, 0, NULL) != BG_OK) {
        return refuse(ubgi, "bad_argument position_or_score", "bad_state position_or_score");
    }
    ubgi->whole_turn = true;
    return ubgi->match.need.kind == BG_NEED_DOUBLE ? UBGI_ASK : ubgi_answer(ubgi, NULL, true);
}

static const struct {
    const char *name;
    enum ubgi_action (*run)(struct ubgi *ubgi);
} questions[] = {{"chequer", go_chequer}, {"cube", go_cube}, {"turn", go_turn}, {"take", go_take}};

/* `go`, `go WORD` (newer), `go role WORD` (older). Limits may follow; a bot thinks as its options
 * say. */
static enum ubgi_action do_go(struct ubgi *ubgi, char **words, int count)
{
    bool older = count >= 2 && strcmp(words[1], "role") == 0;
    const char *word = older ? (count >= 3 ? words[2] : "") : count >= 2 ? words[1] : "chequer";

    ubgi->whole_turn = false;
    if (count >= 2) {
        ubgi->is_newer = !older;
    }
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        if (strcmp(questions[i].name, word) == 0) {
            return ubgi->has_position
                       ? questions[i].run(ubgi)
                       : refuse(ubgi, "missing_context position", "bad_state position");
        }
    }
    return refuse(ubgi, "bad_argument go", "bad_command go");
}

/* ---- the table of commands ---- */

static const struct {
    const char *name;
    enum ubgi_action (*run)(struct ubgi *ubgi, char **words, int count);
} commands[] = {
    {"ubgi", do_ubgi},         {"isready", do_isready},
    {"keys", do_keys},         {"get", do_get},
    {"set", do_set},           {"setoption", do_setoption},
    {"newgame", do_newgame},   {"newsession", do_newsession},
    {"setscore", do_setscore}, {"setcube", do_setcube},
    {"setturn", do_setturn},   {"dice", do_dice},
    {"position", do_position}, {"go", do_go},
};

enum ubgi_action ubgi_obey(struct ubgi *ubgi, const char *line)
{
    char text[UBGI_LINE];
    char *words[WORDS], *rest = NULL;
    int count = 0;

    ubgi->text[0] = '\0';
    if (strlen(line) >= sizeof text) {
        return reply(ubgi, "error bad_argument line_too_long");
    }
    memcpy(text, line, strlen(line) + 1);
    for (char *word = strtok_r(text, " \t\r", &rest); word != NULL && count < WORDS;
         word = strtok_r(NULL, " \t\r", &rest)) {
        words[count++] = word;
    }
    if (count == 0) {
        return UBGI_SAY;
    }
    if (strcmp(words[0], "quit") == 0) {
        return UBGI_QUIT;
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(commands[i].name, words[0]) == 0) {
            return commands[i].run(ubgi, words, count);
        }
    }
    return refuse(ubgi, "unknown_command unknown", "bad_command unknown");
}

/* ---- answers ---- */

/* Single steps, the bar and off by name, hits not marked: what every reader of UBGI takes. */
static void put_play(struct ubgi *ubgi, const char *before, const struct bg_play *play)
{
    put(ubgi, before);
    for (int i = 0; i < play->moves; i++) {
        char from[8] = "bar", to[8] = "off", move[24];

        if (play->move[i].from != BG_BAR) {
            snprintf(from, sizeof from, "%d", play->move[i].from);
        }
        if (play->move[i].to != BG_OFF) {
            snprintf(to, sizeof to, "%d", play->move[i].to);
        }
        snprintf(move, sizeof move, "%s%s/%s", i == 0 ? "" : " ", from, to);
        put(ubgi, move);
    }
    put(ubgi, play->moves == 0 ? "pass\n" : "\n");
}

/* The cube is decided; what is left is the play, when there are dice. */
static enum ubgi_action answer_turn(struct ubgi *ubgi, const struct bg_step *step, bool rolls)
{
    static const struct bg_play none = {0};
    enum ubgi_action action;

    if (!rolls && step->kind == BG_STEP_PLAY) {
        ubgi->text[0] = '\0';
        put_play(ubgi, "bestturn cube=nodouble move=", &step->play);
        return UBGI_SAY;
    }
    if (!rolls) {
        return reply(ubgi, "bestturn cube=double");
    }
    if (!ubgi->has_dice) {
        return reply(ubgi, "bestturn cube=nodouble");
    }
    action = go_chequer(ubgi);
    if (action == UBGI_SAY && strncmp(ubgi->text, "bestmove", 8) == 0) {
        ubgi->text[0] = '\0';
        put_play(ubgi, "bestturn cube=nodouble move=", &none);
    }
    return action;
}

enum ubgi_action ubgi_answer(struct ubgi *ubgi, const struct bg_step *step, bool rolls)
{
    if (ubgi->whole_turn) {
        return answer_turn(ubgi, step, rolls);
    }
    if (rolls) {
        return reply(ubgi, "bestcube nodouble");
    }
    if (step->kind == BG_STEP_PLAY) {
        ubgi->text[0] = '\0';
        put_play(ubgi, "bestmove ", &step->play);
        return UBGI_SAY;
    }
    return reply(ubgi, step->kind == BG_STEP_DOUBLE ? "bestcube double"
                       : step->kind == BG_STEP_PASS ? "bestcube pass"
                                                    : "bestcube take");
}

void ubgi_fail(struct ubgi *ubgi, const char *code)
{
    snprintf(ubgi->text, sizeof ubgi->text, "error internal %s\n", code);
}
