#include "ubgi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bgref/notation.h>

enum { WORDS = 24, NUMBER_MAX = 10000 };

void ubgi_init(struct ubgi *ubgi, const char *name)
{
    memset(ubgi, 0, sizeof *ubgi);
    ubgi->name = name;
    ubgi->scene.cube_owner = BG_CENTRED;
    ubgi->scene.jacoby = ubgi->scene.crawford = true;
}

/* ---- small parts ---- */

static enum ubgi_action say(struct ubgi *ubgi, const char *text)
{
    snprintf(ubgi->text, sizeof ubgi->text, "%s%s", text, text[0] == '\0' ? "" : "\n");
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

static enum ubgi_action do_ubgi(struct ubgi *ubgi, char **words, int count)
{
    (void)words, (void)count;
    snprintf(ubgi->text, sizeof ubgi->text,
             "id name %s\nid author bgref\nid version %s\nproto 0.2\n"
             "key game.variant enum backgammon backgammon\nubgiok\n",
             ubgi->name, BG_VERSION);
    return UBGI_SAY;
}

static enum ubgi_action do_isready(struct ubgi *ubgi, char **words, int count)
{
    (void)words, (void)count;
    return say(ubgi, "readyok");
}

static enum ubgi_action do_keys(struct ubgi *ubgi, char **words, int count)
{
    (void)words, (void)count;
    return say(ubgi, "key game.variant enum backgammon backgammon");
}

static enum ubgi_action do_get(struct ubgi *ubgi, char **words, int count)
{
    return say(ubgi, count == 2 && strcmp(words[1], "game.variant") == 0
                         ? "value game.variant backgammon"
                         : "error unsupported key");
}

static enum ubgi_action do_set(struct ubgi *ubgi, char **words, int count)
{
    if (count != 3) {
        return say(ubgi, "error bad_command set");
    }
    if (strcmp(words[1], "game.variant") != 0) {
        return say(ubgi, "error unsupported key");
    }
    return say(ubgi, strcmp(words[2], "backgammon") == 0 ? "" : "error bad_value game.variant");
}

/* 0.1: setoption name N value V. Options of the bot belong on the command line. */
static enum ubgi_action do_setoption(struct ubgi *ubgi, char **words, int count)
{
    if (count < 5 || strcmp(words[1], "name") != 0 || strcmp(words[3], "value") != 0) {
        return say(ubgi, "error bad_argument setoption");
    }
    return say(ubgi, strcmp(words[2], "Variant") == 0 && strcmp(words[4], "backgammon") == 0
                         ? ""
                         : "error unsupported_feature option");
}

static enum ubgi_action do_newgame(struct ubgi *ubgi, char **words, int count)
{
    const char *name = ubgi->name;

    (void)words, (void)count;
    ubgi_init(ubgi, name);
    return UBGI_NEW_GAME;
}

static bool session_word(struct scene *scene, int *length, const char *key, const char *value)
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
        scene->jacoby = on;
        return true;
    }
    if (on >= 0 && strcmp(key, "crawford") == 0) {
        scene->crawford = on;
        return true;
    }
    return false;
}

static enum ubgi_action do_newsession(struct ubgi *ubgi, char **words, int count)
{
    struct scene scene = ubgi->scene;
    bool fits = count % 2 == 1;

    for (int i = 1; i + 1 < count && fits; i += 2) {
        fits = session_word(&scene, &scene.length_points, words[i], words[i + 1]);
    }
    if (!fits) {
        return say(ubgi, "error bad_argument newsession");
    }
    ubgi->scene = scene;
    return say(ubgi, "");
}

static enum ubgi_action do_setscore(struct ubgi *ubgi, char **words, int count)
{
    int64_t own = count == 3 ? number(words[1], NUMBER_MAX) : -1;
    int64_t foe = count == 3 ? number(words[2], NUMBER_MAX) : -1;

    if (own < 0 || foe < 0) {
        return say(ubgi, "error bad_argument setscore");
    }
    ubgi->scene.score[0] = own;
    ubgi->scene.score[1] = foe;
    return say(ubgi, "");
}

static enum ubgi_action do_setcube(struct ubgi *ubgi, char **words, int count)
{
    static const char *const owners[] = {"p0", "p1", "center", "centre"};
    int owner = 0, log2;

    if (count != 5 || strcmp(words[1], "value") != 0 || strcmp(words[3], "owner") != 0) {
        return say(ubgi, "error bad_argument setcube");
    }
    log2 = scene_cube_log2(number(words[2], INT64_C(1) << BG_CUBE_LOG2_MAX));
    while (owner < 4 && strcmp(words[4], owners[owner]) != 0) {
        owner++;
    }
    if (log2 < 0 || owner == 4) {
        return say(ubgi, "error bad_argument setcube");
    }
    ubgi->scene.cube_log2 = log2;
    ubgi->scene.cube_owner = owner < 2 ? owner : BG_CENTRED;
    return say(ubgi, "");
}

/* The position says whose turn it is. */
static enum ubgi_action do_setturn(struct ubgi *ubgi, char **words, int count)
{
    bool fits = count == 2 && (strcmp(words[1], "p0") == 0 || strcmp(words[1], "p1") == 0);

    return say(ubgi, fits ? "" : "error bad_argument setturn");
}

/* What is refused leaves no position: a `go` must not be about another one. */
static enum ubgi_action do_position(struct ubgi *ubgi, char **words, int count)
{
    ubgi->has_position = ubgi->has_dice = false;
    if (count < 3) {
        return say(ubgi, "error bad_argument position");
    }
    if (strcmp(words[1], "gnubgid") != 0) {
        return say(ubgi, "error unsupported_feature position");
    }
    words[2][strcspn(words[2], ":")] = '\0'; /* a Match ID may follow, and is not looked at */
    if (bg_position_id_read(&ubgi->scene.board, words[2], 0, NULL) != BG_OK) {
        return say(ubgi, "error bad_argument invalid_position");
    }
    ubgi->has_position = true;
    return say(ubgi, "");
}

static enum ubgi_action do_dice(struct ubgi *ubgi, char **words, int count)
{
    int64_t one = count == 3 ? number(words[1], 6) : -1;
    int64_t two = count == 3 ? number(words[2], 6) : -1;

    ubgi->has_dice = one >= 1 && two >= 1;
    if (!ubgi->has_dice) {
        return say(ubgi, "error bad_argument dice");
    }
    ubgi->dice[0] = (int)(one > two ? one : two);
    ubgi->dice[1] = (int)(one > two ? two : one);
    return say(ubgi, "");
}

/* ---- go ---- */

static enum ubgi_action go_chequer(struct ubgi *ubgi)
{
    if (!ubgi->has_dice) {
        return say(ubgi, "error missing_context dice");
    }
    ubgi->has_dice = false;
    if (scene_match(&ubgi->match, &ubgi->scene, 0, NULL) != BG_OK ||
        !scene_roll(&ubgi->match, ubgi->dice[0], ubgi->dice[1])) {
        return say(ubgi, "error bad_argument position_or_score");
    }
    return ubgi->match.need.kind == BG_NEED_PLAY ? UBGI_ASK : say(ubgi, "bestmove pass");
}

static enum ubgi_action go_cube(struct ubgi *ubgi)
{
    if (scene_match(&ubgi->match, &ubgi->scene, 0, NULL) != BG_OK) {
        return say(ubgi, "error bad_argument position_or_score");
    }
    return ubgi->match.need.kind == BG_NEED_DOUBLE ? UBGI_ASK : say(ubgi, "bestcube nodouble");
}

static enum ubgi_action go_take(struct ubgi *ubgi)
{
    struct bg_step step = {.kind = BG_STEP_DOUBLE, .seat = 1};

    if (scene_match(&ubgi->match, &ubgi->scene, 1, NULL) != BG_OK) {
        return say(ubgi, "error bad_argument position_or_score");
    }
    return bg_match_step(&ubgi->match, &step) == BG_RULE_NONE
               ? UBGI_ASK
               : say(ubgi, "error bad_argument no_double_possible");
}

/* Limits may follow the role; a bot thinks as its options say. */
static enum ubgi_action do_go(struct ubgi *ubgi, char **words, int count)
{
    const char *role = count >= 3 && strcmp(words[1], "role") == 0 ? words[2] : "chequer";

    if (count == 2) {
        return say(ubgi, "error bad_argument go");
    }
    if (strcmp(role, "turn") == 0) {
        return say(ubgi, "error unsupported_feature go_role_turn");
    }
    if (strcmp(role, "chequer") != 0 && strcmp(role, "cube") != 0 && strcmp(role, "take") != 0) {
        return say(ubgi, "error bad_argument go");
    }
    if (!ubgi->has_position) {
        return say(ubgi, "error missing_context position");
    }
    return role[0] == 't' ? go_take(ubgi) : role[1] == 'u' ? go_cube(ubgi) : go_chequer(ubgi);
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
        return say(ubgi, "error bad_argument line_too_long");
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
    return say(ubgi, "error unknown_command unknown");
}

/* ---- answers ---- */

/* Single steps, the bar and off by name, hits not marked: what every reader of UBGI takes. */
static void write_play(char *out, size_t size, const struct bg_play *play)
{
    int used = snprintf(out, size, "bestmove");

    for (int i = 0; i < play->moves; i++) {
        char from[8] = "bar", to[8] = "off";

        if (play->move[i].from != BG_BAR) {
            snprintf(from, sizeof from, "%d", play->move[i].from);
        }
        if (play->move[i].to != BG_OFF) {
            snprintf(to, sizeof to, "%d", play->move[i].to);
        }
        used += snprintf(out + used, size - (size_t)used, " %s/%s", from, to);
    }
    snprintf(out + used, size - (size_t)used, "\n");
}

void ubgi_answer(struct ubgi *ubgi, const struct bg_step *step, bool rolls)
{
    if (rolls) {
        say(ubgi, "bestcube nodouble");
    } else if (step->kind == BG_STEP_PLAY) {
        write_play(ubgi->text, sizeof ubgi->text, &step->play);
    } else {
        say(ubgi, step->kind == BG_STEP_DOUBLE ? "bestcube double"
                  : step->kind == BG_STEP_PASS ? "bestcube pass"
                                               : "bestcube take");
    }
}

void ubgi_fail(struct ubgi *ubgi, const char *code)
{
    snprintf(ubgi->text, sizeof ubgi->text, "error internal %s\n", code);
}
