/* bgref-td-train - makes a net for bgref-td by self-play from random weights.
 *
 *     bgref-td-train GAME [FILE] [--games N] [--hidden N] [--seed N] ...
 *
 * With --race N it makes a second net, for positions without contact, in a file beside it. With
 * --start FILE it only polishes the nets of a file.
 *
 * Prints a learning curve: games, and points a game against random plays. The same recipe gives the
 * same file on the same kind of processor and build.
 */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "polish.h"
#include "selfplay.h"
#include "study.h"
#include "weights.h"

enum { CURVE = 12, CONTEST = 400, PATH = 1100 };

struct arguments {
    const char *game, *file, *start, *bearoff;
    long games, hidden, race, sieve, polish, rounds, workers, seed, contest;
    enum net_units units;
    bool names;
    struct recipe recipe;
};

static long whole_number(const char *value, long least, long most, const struct argp_state *state)
{
    char *end;
    long number = strtol(value, &end, 10);

    if (*value == '\0' || *end != '\0' || number < least || number > most) {
        argp_error(state, "'%s' is not a number from %ld to %ld", value, least, most);
    }
    return number;
}

static float part(const char *value, const struct argp_state *state)
{
    char *end;
    float number = strtof(value, &end);

    if (*value == '\0' || *end != '\0' || !(number >= 0.0F && number <= 1.0F)) {
        argp_error(state, "'%s' is not a number from 0 to 1", value);
    }
    return number;
}

static enum net_units units_of(const char *value, const struct argp_state *state)
{
    if (strcmp(value, "sigmoid") != 0 && strcmp(value, "softsign") != 0) {
        argp_error(state, "'%s' is neither sigmoid nor softsign", value);
    }
    return strcmp(value, "sigmoid") == 0 ? NET_SIGMOID : NET_SOFTSIGN;
}

/* The game, then the file. */
static void take_word(struct arguments *arguments, const char *value,
                      const struct argp_state *state)
{
    if (arguments->file != NULL) {
        argp_error(state, "'%s': one game and one file", value);
    }
    *(arguments->game == NULL ? &arguments->game : &arguments->file) = value;
}

static error_t parse_polish(int key, char *value, struct arguments *arguments,
                            const struct argp_state *state)
{
    switch (key) {
    case 'p':
        arguments->polish = whole_number(value, 0, 1000000, state);
        return 0;
    case 'o':
        arguments->rounds = whole_number(value, 1, 100, state);
        return 0;
    case 'w':
        arguments->workers = whole_number(value, 1, LESSON_WORKERS_MAX, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;

    switch (key) {
    case 'g':
        arguments->games = whole_number(value, 1, 100000000, state);
        return 0;
    case 'h':
        arguments->hidden = (whole_number(value, 1, NET_HIDDEN_MOST, state) + 15) / 16 * 16;
        return 0;
    case 'R':
        arguments->race = (whole_number(value, 0, NET_HIDDEN_MOST, state) + 15) / 16 * 16;
        return 0;
    case 'S':
        arguments->sieve = whole_number(value, 0, 100000000, state);
        return 0;
    case 'b':
        arguments->start = value;
        return 0;
    case 'B':
        arguments->bearoff = value;
        return 0;
    case 'u':
        arguments->units = units_of(value, state);
        return 0;
    case 'n':
        arguments->names = true;
        return 0;
    case 's':
        arguments->seed = whole_number(value, 0, 1000000000, state);
        return 0;
    case 'c':
        arguments->contest = whole_number(value, 1, 1000000, state);
        return 0;
    case 'r':
        arguments->recipe.rate_begin = part(value, state);
        return 0;
    case 'e':
        arguments->recipe.rate_end = part(value, state);
        return 0;
    case 'l':
        arguments->recipe.lambda_begin = part(value, state);
        return 0;
    case 'm':
        arguments->recipe.lambda_end = part(value, state);
        return 0;
    case ARGP_KEY_ARG:
        take_word(arguments, value, state);
        return 0;
    case ARGP_KEY_END:
        if (arguments->game == NULL && arguments->bearoff == NULL) {
            argp_error(state, "which game? For instance: bgref-td-train backgammon");
        }
        return 0;
    default:
        return parse_polish(key, value, arguments, state);
    }
}

static const struct argp_option options[] = {
    {"games", 'g', "N", 0, "Games of self-play (default 20000)", 0},
    {"hidden", 'h', "N", 0, "Hidden units (default 48; rounded up to a multiple of 16)", 0},
    {"race", 'R', "N", 0, "Hidden units of a second net for races, 0: none (default 0)", 0},
    {"sieve", 'S', "N", 0,
     "Games in which a third net, which finds the plays worth a full look, learns from the first; "
     "0: none (default 0)",
     0},
    {"polish", 'p', "N", 0,
     "Games of a round from which the first net learns at last, without the luck of their dice; 0: "
     "none (default 0)",
     0},
    {"rounds", 'o', "N", 0, "Such rounds, each with the net of the one before (default 1)", 0},
    {"workers", 'w', "N", 0,
     "Processes that play these games (default: as many as there are processors); the net is the "
     "same with any number",
     0},
    {"start", 'b', "FILE", 0,
     "Begin with the nets in this file and those beside it, and only polish the first", 0},
    {"bear-off", 'B', "FILE", 0,
     "Only compute the table of exact bear-offs that td reads (bear-off.values beside its nets), "
     "and "
     "write it to FILE",
     0},
    {"units", 'u', "KIND", 0, "Of hidden units: sigmoid, or softsign (default)", 0},
    {"names", 'n', NULL, 0, "The net also chooses the doubles that a side names (else random)", 0},
    {"seed", 's', "N", 0, "Of weights and dice (default 1)", 0},
    {"contest", 'c', "N", 0, "Games against random plays at each point of the curve (400)", 0},
    {"rate", 'r', "X", 0, "How far a position moves the weights, at the beginning (0.03)", 0},
    {"rate-end", 'e', "X", 0, "The same at the end (0.001)", 0},
    {"lambda", 'l', "X", 0, "Weight of what comes later, at the beginning (0.8)", 0},
    {"lambda-end", 'm', "X", 0, "The same at the end (0.3)", 0},
    {0}};

static const struct argp description = {
    options,
    parse_option,
    "GAME [FILE]\n--bear-off FILE",
    "Makes a net for the bot td by self-play from random weights, and writes it to FILE (default "
    "GAME.td; the nets for races and of a sieve beside it, with .race and .sieve before its .td).",
    NULL,
    NULL,
    NULL};

static void report(const struct player *player, const struct arguments *arguments, long games)
{
    printf("%9ld games  %+.3f points a game against random plays  %.0f s\n", games,
           selfplay_against_random(player, arguments->contest, (uint64_t)arguments->seed + 1000),
           (double)clock() / CLOCKS_PER_SEC);
    fflush(stdout);
}

static enum bg_status train(const struct arguments *arguments, struct player *player,
                            struct bg_error *err)
{
    struct selfplay *selfplay = NULL;
    enum bg_status status = selfplay_create(&selfplay, player, &arguments->recipe,
                                            (uint64_t)arguments->seed * 7919 + 1, err);

    for (long game = 0; game < arguments->games && status == BG_OK; game++) {
        if (game % (arguments->games / CURVE + 1) == 0) {
            report(player, arguments, game);
        }
        selfplay_game(selfplay, game);
    }
    selfplay_destroy(selfplay);
    return status;
}

static enum bg_status create(struct player *player, const struct arguments *arguments,
                             struct bg_error *err)
{
    const int inputs = player->encoding.size;
    enum bg_status status = net_create(&player->net, inputs, (int)arguments->hidden,
                                       arguments->units, (uint64_t)arguments->seed, err);

    if (status == BG_OK && arguments->race > 0) {
        status = player_has_races(player)
                     ? net_create(&player->race, inputs, (int)arguments->race, arguments->units,
                                  (uint64_t)arguments->seed + 1, err)
                     : bg_error_set(
                           err, BG_E_CONFIG,
                           "%s: --race is for games with 24 points and backgammon's bearing off",
                           arguments->game);
    }
    return status;
}

/* Writes the words that make the nets again. */
static void recipe_of(char out[WEIGHTS_RECIPE], const char *game, const struct arguments *arguments)
{
    const struct recipe *recipe = &arguments->recipe;
    int used = snprintf(out, WEIGHTS_RECIPE, "%s --games %ld --hidden %ld", game, arguments->games,
                        arguments->hidden);

    if (arguments->race > 0) {
        used += snprintf(out + used, WEIGHTS_RECIPE - (size_t)used, " --race %ld", arguments->race);
    }
    if (arguments->sieve > 0) {
        used +=
            snprintf(out + used, WEIGHTS_RECIPE - (size_t)used, " --sieve %ld", arguments->sieve);
    }
    if (arguments->polish > 0) {
        used += snprintf(out + used, WEIGHTS_RECIPE - (size_t)used, " --polish %ld --rounds %ld",
                         arguments->polish, arguments->rounds);
    }
    if (arguments->units == NET_SIGMOID) {
        used += snprintf(out + used, WEIGHTS_RECIPE - (size_t)used, " --units sigmoid");
    }
    if (arguments->names) {
        used += snprintf(out + used, WEIGHTS_RECIPE - (size_t)used, " --names");
    }
    snprintf(out + used, WEIGHTS_RECIPE - (size_t)used,
             " --seed %ld --rate %g --rate-end %g --lambda %g --lambda-end %g", arguments->seed,
             (double)recipe->rate_begin, (double)recipe->rate_end, (double)recipe->lambda_begin,
             (double)recipe->lambda_end);
}

/* Writes a net of this kind beside the file at path, if there is one. */
static enum bg_status write_beside(const struct net *net, const char *game, const char *recipe,
                                   const char *path, const char *kind, struct bg_error *err)
{
    char beside[PATH + 16], name[64];

    if (net->weights == NULL) {
        return BG_OK;
    }
    weights_path(beside, sizeof beside, path, kind);
    snprintf(name, sizeof name, "%.40s %.10s", game, kind);
    return weights_write(net, name, recipe, beside, err);
}

static enum bg_status write_nets(const struct player *player, const struct net *sieve,
                                 const struct arguments *arguments, struct bg_error *err)
{
    const char *game = bg_variant_id(player->variant);
    char recipe[WEIGHTS_RECIPE], path[PATH];
    enum bg_status status;

    recipe_of(recipe, game, arguments);
    snprintf(path, sizeof path, "%.250s.td", game);
    if (arguments->file != NULL) {
        snprintf(path, sizeof path, "%s", arguments->file);
    }
    status = weights_write(&player->net, game, recipe, path, err);
    if (status == BG_OK) {
        status = write_beside(&player->race, game, recipe, path, WEIGHTS_RACE, err);
    }
    if (status == BG_OK) {
        status = write_beside(sieve, game, recipe, path, WEIGHTS_SIEVE, err);
    }
    return status;
}

/* Makes the net of a sieve if one is wished for. */
static enum bg_status sift(struct net *out, const struct arguments *arguments,
                           const struct player *player, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    if (arguments->sieve > 0) {
        status = study_sieve(out, player, arguments->sieve, (uint64_t)arguments->seed + 2, err);
        weights_round(out);
    }
    return status;
}

/* Makes the nets by self-play. sieve: without weights if there is none. */
static enum bg_status make_nets(struct player *player, struct net *sieve,
                                const struct arguments *arguments, struct bg_error *err)
{
    enum bg_status status = create(player, arguments, err);

    if (status == BG_OK) {
        status = train(arguments, player, err);
    }
    if (status == BG_OK) {
        weights_round(&player->net);
        weights_round(&player->race);
        report(player, arguments, arguments->games);
        status = sift(sieve, arguments, player, err);
    }
    return status;
}

/* Reads a net of this kind beside the file at path. */
static enum bg_status read_beside(struct net *out, const struct player *player, const char *path,
                                  const char *kind, struct bg_error *err)
{
    char beside[PATH + 16], name[64];

    weights_path(beside, sizeof beside, path, kind);
    snprintf(name, sizeof name, "%.40s %.10s", bg_variant_id(player->variant), kind);
    return weights_read(out, name, player->encoding.size, beside, err);
}

/* Reads the nets that the words would make. */
static enum bg_status read_nets(struct player *player, struct net *sieve,
                                const struct arguments *arguments, struct bg_error *err)
{
    enum bg_status status = weights_read(&player->net, bg_variant_id(player->variant),
                                         player->encoding.size, arguments->start, err);

    if (status == BG_OK && arguments->race > 0) {
        status = read_beside(&player->race, player, arguments->start, WEIGHTS_RACE, err);
    }
    if (status == BG_OK && arguments->sieve > 0) {
        status = read_beside(sieve, player, arguments->start, WEIGHTS_SIEVE, err);
    }
    return status;
}

/* sieve: without weights if there is none. */
static enum bg_status polish(struct player *player, const struct net *sieve,
                             const struct arguments *arguments, struct bg_error *err)
{
    enum bg_status status = BG_OK;

    if (arguments->polish > 0 &&
        (!bg_variant_turn_is_roll(player->variant) || player->race.weights == NULL)) {
        return bg_error_set(err, BG_E_CONFIG,
                            "%s: --polish is for games whose turn is one roll and needs a "
                            "net for races (--race)",
                            arguments->game);
    }
    if (arguments->polish > 0 && sieve->weights != NULL) {
        status = sieve_create(&player->sieve, sieve, &player->encoding, err);
    }
    if (arguments->polish > 0 && status == BG_OK) {
        const struct lesson_plan plan = {.games = arguments->polish,
                                         .seed = (uint64_t)arguments->seed + 3,
                                         .workers = (int)arguments->workers};

        status = polish_net(player, &plan, (int)arguments->rounds, err);
        report(player, arguments, arguments->games);
    }
    return status;
}

static enum bg_status write_bearoff(const char *path, struct bg_error *err)
{
    struct bearoff *bearoff = NULL;
    enum bg_status status = bearoff_create(&bearoff, BEAROFF_POINTS, err);

    if (status == BG_OK) {
        status = bearoff_write(bearoff, path, err);
    }
    bearoff_destroy(bearoff);
    return status;
}

static long processors(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);

    return count < 1 ? 1 : count > LESSON_WORKERS_MAX ? LESSON_WORKERS_MAX : count;
}

static enum bg_status make_game(struct arguments *arguments, struct bg_error *err)
{
    const struct bg_variant *variant;
    static struct player player;
    struct bearoff *bearoff = NULL;
    struct net sieve = {.inputs = 0};
    enum bg_status status = bg_variant_read(&variant, arguments->game, err);

    if (status == BG_OK) {
        arguments->recipe.games = arguments->games;
        player_begin(&player, variant);
        player.names = arguments->names;
    }
    if (status == BG_OK && arguments->race > 0 && player_has_races(&player)) {
        status = bearoff_create(&bearoff, BEAROFF_POINTS, err);
        player.bearoff = bearoff;
    }
    if (status == BG_OK) {
        status = arguments->start == NULL ? make_nets(&player, &sieve, arguments, err)
                                          : read_nets(&player, &sieve, arguments, err);
    }
    if (status == BG_OK) {
        status = polish(&player, &sieve, arguments, err);
    }
    if (status == BG_OK) {
        status = write_nets(&player, &sieve, arguments, err);
    }
    net_destroy(&player.net);
    net_destroy(&player.race);
    sieve_destroy(player.sieve);
    net_destroy(&sieve);
    bearoff_destroy(bearoff);
    return status;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.games = 20000,
                                  .hidden = 48,
                                  .seed = 1,
                                  .rounds = 1,
                                  .workers = processors(),
                                  .contest = CONTEST,
                                  .recipe = {.rate_begin = 0.03F,
                                             .rate_end = 0.001F,
                                             .lambda_begin = 0.8F,
                                             .lambda_end = 0.3F,
                                             .random = 0.02F}};
    struct bg_error err = {.text = ""};
    enum bg_status status;

    argp_parse(&description, argc, argv, 0, NULL, &arguments);
    status = arguments.bearoff != NULL ? write_bearoff(arguments.bearoff, &err)
                                       : make_game(&arguments, &err);
    if (status != BG_OK) {
        fprintf(stderr, "bgref-td-train: %s\n", err.text);
        return 1;
    }
    return 0;
}
