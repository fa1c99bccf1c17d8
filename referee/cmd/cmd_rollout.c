/* cmd_rollout.c - bgref rollout: plays a position on many times with one bot. Without --cube the
 * cube leaves the match before anything is valued: the bot's own values, by which the plays are
 * chosen, and the trials are then about the same game. */
#include "referee_commands.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/memory.h>
#include <bgref/cube.h>
#include <bgref/notation.h>

#include <base/exit_status.h>
#include <format/positions.h>
#include <base/docs.h>
#include <base/plural.h>
#include <tables/page.h>

#include "config/config.h"
#include "process/descriptors.h"
#include "check/player.h"
#include "check/posed.h"
#include "base/units.h"
#include "judge/candidates.h"
#include "judge/value_ask.h"
#include "judge/valuer.h"
#include "cmd/command.h"
#include "rollout_table.h"

enum { WORDS_MAX = 64, LINES_MAX = 64, OPEN_EACH = 64 }; /* questions at once for each process */
struct arguments {
    const char *words[WORDS_MAX]; /* the bot's words */
    int count;
    struct posed posed;
    bool cube, reduces;
    uint64_t trials, plies, plays, seed, jobs;
    double until;
};

/* --- the command line ------------------------------------------------------------------------ */

static void take_word(void *all, const char *word, const struct command_row *row)
{
    struct arguments *arguments = all;
    bool is_option = strncmp(word, "option.", 7) == 0 && strchr(word, '=') != NULL;

    (void)row;
    if (is_option && arguments->count < WORDS_MAX) {
        arguments->words[arguments->count++] = word;
    } else if (is_option) {
        command_misuse("'%s': more than %d words", word, WORDS_MAX);
    } else if (arguments->posed.position != NULL) {
        command_misuse("'%s': one position is enough", word);
    } else {
        arguments->posed.position = word;
    }
}

static void take_error(void *arguments, const char *value, const struct command_row *row)
{
    double *out = &((struct arguments *)arguments)->until;
    char *end;

    *out = strtod(value, &end);
    if (end == value || *end != '\0' || !(*out > 0.0) || !isfinite(*out)) {
        command_misuse("--%s: '%s': expected a standard error above 0, like 0.005", row->name,
                       value);
    }
}

static const struct command_row options[] = {
    {"bot", .value = "BOT", .help = "Who plays: a bot that values positions (needed)",
     COMMAND_TEXT(words[0]), .is_needed = true},
    {"dice", .value = "DICE",
     .help = "The roll to play, like 31 (default: that of the XGID or Match ID; without one the "
             "position "
             "before the roll)",
     COMMAND_TEXT(posed.dice)},
    {"cube", .value = "on|off",
     .help = "Whether both sides use the cube, by the bot's values (default off: cubeless, gammons "
             "count)",
     COMMAND_SWITCH(cube)},
    {"trials", .value = "N", .help = "Games for each play (default 1296)", COMMAND_COUNT(trials),
     .least = 2, .most = ROLLOUT_TRIALS_MAX},
    {"truncate", .value = "PLIES",
     .help = "Cut a game off after so many rolls, and take the bot's value (default 0: play to the "
             "end)",
     COMMAND_COUNT(plies), .most = 1000},
    {"until", .value = "SE",
     .help = "Stop earlier: when the standard error of the best play's difference to each other is "
             "at most "
             "this, after 144 trials or more",
     .take = take_error},
    {"plays", .value = "K", .help = "The K best plays by the bot's own values (default 5)",
     COMMAND_COUNT(plays), .least = 1, .most = LINES_MAX},
    {"seed", .value = "N", .help = "The dice: the same seed, the same result (default 1)",
     COMMAND_COUNT(seed), .most = UINT64_MAX},
    {"variance-reduction", .value = "on|off",
     .help = "Take off the luck of each roll, by the bot's values (default on)",
     COMMAND_SWITCH(reduces)},
    {"jobs", .value = "N", .help = "Processes of the bot (default: the cores of this machine)",
     COMMAND_COUNT(jobs), .least = 1, .most = 256},
    {"rules", .value = "WORDS", .help = "As of bgref ask: 'jacoby=off'", COMMAND_TEXT(posed.rules)},
    {"state", .value = "WORDS", .help = "As of bgref ask: 'length=5 score=2-1'",
     COMMAND_TEXT(posed.state)},
    {"variant", .value = "GAME",
     .help = "The game, such as plakoto; POSITION is then in the notation of every game "
             "(docs/rules.md N3)",
     COMMAND_TEXT(posed.variant)},
    {0}};

static const struct command_row words[] = {{"position", .take = take_word, .is_many = true}, {0}};

static void check_rollout(void *all)
{
    const struct arguments *arguments = all;

    if (arguments->posed.position == NULL) {
        command_misuse("a position and a bot are needed: 'bgref rollout 4HPwATDgc/ABMA --dice 31 "
                       "--bot greedy'");
    }
}

static const struct command command = {
    .usage = "POSITION [option.NAME=VALUE...]",
    .help =
        "Plays a position on many times with one bot on both sides, and prints what each play, or "
        "each "
        "cube action, is worth, with its standard error.\v"
        "POSITION is a Position ID, PositionID:MatchID, or an XGID. All plays get the same dice; "
        "of "
        "each "
        "36 trials every first throw comes once. Equities are points for each point of the cube; "
        "in a "
        "match the chance to win it (MWC), with the match equities of 'bgref met'. Exit status: 0 "
        "done, 2 misuse, 3 the bot does not start or does not value positions.",
    .options = options,
    .words = words,
    .missing =
        "a position and a bot are needed: 'bgref rollout 4HPwATDgc/ABMA --dice 31 --bot greedy'",
    .check = check_rollout,
};

/* --- what is rolled out ---------------------------------------------------------------------- */

struct rollout_run {
    const struct arguments *arguments;
    struct bg_match match;
    struct valuer *valuer;
    struct candidates candidates;
    struct trial_start line[LINES_MAX];
    struct rollout_row row[LINES_MAX];
    int lines;
    bool is_cube;              /* the lines are the actions of the cube */
    struct bg_cube_values own; /* if is_cube: the bot's own values */
    uint64_t told;             /* trials, as printed last */
};

/* Takes the cube out of the game: what is at stake stays, in a match, or is the unit. */
static void without_cube(struct bg_match *match)
{
    match->rules.cube = false;
    match->rules.beavers = false;
    match->rules.raises = 0;
    match->rules.auto_doubles = 0;
    match->cube_owner = BG_CENTRED;
    match->cube_log2 = match->rules.length_points == 0 ? 0 : match->cube_log2;
    /* Without a cube nothing is decided before the roll. */
    match->need.kind = match->need.kind == BG_NEED_DOUBLE ? BG_NEED_ROLL : match->need.kind;
}

/* Every legal play with the bot's value of it, then the best of them. */
static enum bg_status lines_of_plays(struct rollout_run *run, struct bg_error *err)
{
    struct candidates *candidates = &run->candidates;
    struct bg_value *values;
    const struct bg_ask **asks;
    enum bg_status status;

    candidates_list(candidates, &run->match);
    values = memory_zeroed(candidates->count, sizeof *values);
    asks = memory_zeroed(candidates->count, sizeof *asks);
    for (size_t i = 0; i < candidates->count; i++) {
        asks[i] = &candidates->list[i].ask;
    }
    status = valuer_ask(values, run->valuer, asks, candidates->count, err);
    for (size_t i = 0; status == BG_OK && i < candidates->count; i++) {
        candidates->list[i].value = values[i].of.rolls.played;
        if (values[i].cannot) {
            status = bg_error_set(err, BG_E_ARGUMENT, "the bot cannot value this position: %s",
                                  values[i].why);
        }
    }
    free(values);
    free(asks);
    if (status != BG_OK) {
        return status;
    }
    candidates_keep(candidates, run->arguments->plays);
    run->lines = (int)candidates->count;
    for (int i = 0; i < run->lines; i++) {
        const struct candidate *candidate = &candidates->list[i];

        run->line[i] = (struct trial_start){.match = candidate->after};
        run->row[i].own = candidate->value;
        bg_play_write(run->row[i].label, run->match.rules.variant, &run->match.board,
                      run->match.need.seat, &candidate->play);
    }
    return BG_OK;
}

/* Adds the line "double, take" beside "no double". */
static enum bg_status add_double(struct rollout_run *run, struct bg_error *err)
{
    struct bg_match doubled = run->match;
    int seat = doubled.need.seat;
    const struct bg_step twice = {.kind = BG_STEP_DOUBLE, .seat = seat};
    const struct bg_step take = {.kind = BG_STEP_TAKE, .seat = 1 - seat};
    struct bg_value value = BG_VALUE_INIT;
    struct bg_ask ask;
    const struct bg_ask *asked = &ask;
    enum bg_status status;

    (void)bg_match_step(&doubled, &twice); /* the need is to double or roll: both are legal */
    (void)bg_match_step(&doubled, &take);
    value_ask_fill(&ask, &run->match, seat, BG_VALUE_CUBE);
    status = valuer_ask(&value, run->valuer, &asked, 1, err);
    if (status == BG_OK && value.cannot) {
        status = bg_error_set(err, BG_E_ARGUMENT, "the bot does not value the cube: %s; --cube off",
                              value.why);
    }
    if (status == BG_OK) {
        run->is_cube = true;
        run->own = value.of.cube;
        run->line[1] = (struct trial_start){.match = doubled, .decided = true};
        run->row[0].own = value.of.cube.no_double;
        run->row[1].own = value.of.cube.double_take;
        strcpy(run->row[0].label, "no double");
        strcpy(run->row[1].label, "double, take");
        run->lines = 2;
    }
    return status;
}

static enum bg_status lines_of_position(struct rollout_run *run, struct bg_error *err)
{
    run->line[0] = (struct trial_start){.match = run->match, .decided = true};
    run->row[0].own = NAN;
    strcpy(run->row[0].label, "before the roll");
    run->lines = 1;
    return run->match.need.kind == BG_NEED_DOUBLE ? add_double(run, err) : BG_OK;
}

/* --- the run --------------------------------------------------------------------------------- */

static void on_progress(void *user, uint64_t trials)
{
    struct rollout_run *run = user;

    if (isatty(STDERR_FILENO) == 1 && trials >= run->told + ROLLOUT_BLOCK) {
        run->told = trials;
        fprintf(stderr, "\r%llu of %llu trials\033[K", (unsigned long long)trials,
                (unsigned long long)run->arguments->trials);
    }
}

static void print_head(const struct rollout_run *run)
{
    const struct bg_match *match = &run->match;
    char drawing[4096], position[BG_POSITION_TEXT], stage[BG_STAGE_TEXT];
    struct bg_match_id id;
    bool has_id = bg_match_id_of(&id, match, NULL) == BG_OK;

    bg_board_draw(drawing, sizeof drawing, match->rules.variant, &match->board, has_id ? &id : NULL,
                  match->need.seat);
    fputs(drawing, stdout);
    bg_position_order_text(position, match->rules.variant, &match->board, match->need.seat);
    printf("position  %s\n", position);
    if (match->need.kind == BG_NEED_PLAY) {
        bg_stage_write(stage, &match->stage);
        printf("asked     play %s\n", stage);
    }
    printf("bot       %s %s\n", valuer_version(run->valuer), valuer_options(run->valuer));
}

static void print_settings(const struct rollout_run *run, const struct rollout *rollout)
{
    const struct arguments *arguments = run->arguments;
    uint64_t trials = rollout_sums(rollout)->trials;

    printf("rollout   %llu trials, ", (unsigned long long)trials);
    if (arguments->plies > 0) {
        printf("cut off after %llu %s, ", (unsigned long long)arguments->plies,
               plural(arguments->plies, "roll", "rolls"));
    } else {
        printf("to the end, ");
    }
    printf("%s, variance reduction %s, seed %llu\n",
           !arguments->cube                                ? "cubeless"
           : bg_variant_has_cube(run->match.rules.variant) ? "with cube"
                                                           : "no cube in this game",
           arguments->reduces ? "on" : "off", (unsigned long long)arguments->seed);
}

/* Prints what passing is worth, and which actions are right. */
static void print_cube(const struct rollout_run *run, const struct rollout *rollout)
{
    const struct rollout_sums *sums = rollout_sums(rollout);
    double none = rollout_sums_mean(sums, 0), take = rollout_sums_mean(sums, 1);
    double pass = run->own.double_pass;

    page_wrap(stdout, 2, "   double, pass: %+.4f. Right by these values: %s.", pass,
              fmin(take, pass) > none ? (take < pass ? "double, take" : "double, pass")
              : none > pass           ? "too good to double, play on"
              : take < pass           ? "no double, take"
                                      : "no double, pass");
}

static enum bg_status roll_out(struct rollout_run *run, struct bg_error *err)
{
    const struct arguments *arguments = run->arguments;
    const struct rollout_setup setup = {
        .line = run->line,
        .lines = run->lines,
        .cube_log2 = run->match.cube_log2,
        .own = run->match.need.seat,
        .trials = arguments->trials,
        .plies = (int)arguments->plies,
        .reduces = arguments->reduces,
        .chances = true,
        .until = arguments->until,
        .seed = arguments->seed,
        .text = "position",
        .open_max = OPEN_EACH * (int)arguments->jobs,
    };
    struct rollout *rollout = NULL;
    enum bg_status status = rollout_create(&rollout, &setup, err);

    if (status == BG_OK) {
        status = valuer_roll_out(run->valuer, rollout, on_progress, run, err);
    }
    if (run->told > 0) {
        /* Ends the line of progress, which was written over itself. */
        fputc('\n', stderr);
    }
    if (status == BG_OK) {
        const struct rollout_table table = {
            .rollout = rollout,
            .row = run->row,
            .what = run->match.need.kind == BG_NEED_PLAY ? "PLAY" : "ACTION",
            .is_match = run->match.rules.length_points > 0,
        };

        print_settings(run, rollout);
        rollout_table_print(stdout, &table);
        if (run->is_cube) {
            print_cube(run, rollout);
        }
    }
    rollout_destroy(rollout);
    return status;
}

static enum bg_status check(const struct rollout_run *run, struct bg_error *err)
{
    const struct bg_variant *variant = run->match.rules.variant;
    enum bg_need_kind need = run->match.need.kind;

    if (!bg_variant_turn_is_roll(variant)) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "%s: a turn is more than one roll of two dice; a rollout plays by "
                            "values of 21 rolls",
                            bg_variant_id(variant));
    }
    if (need != BG_NEED_PLAY && need != BG_NEED_DOUBLE && need != BG_NEED_ROLL) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "a rollout begins with a roll or before one: pose the position before "
                            "the double");
    }
    return BG_OK;
}

static enum bg_status rollout_position(struct rollout_run *run, const struct competitor *bot,
                                       struct bg_error *err)
{
    const struct bg_variant *variant = run->match.rules.variant;
    enum bg_status status = valuer_open(&run->valuer, bot, (int)run->arguments->jobs, err);

    if (status == BG_OK && !valuer_plays(run->valuer, variant)) {
        status = bg_error_set(err, BG_E_ARGUMENT, "%s does not play %s", bot->name,
                              bg_variant_id(variant));
    }
    if (status == BG_OK) {
        status = run->match.need.kind == BG_NEED_PLAY ? lines_of_plays(run, err)
                                                      : lines_of_position(run, err);
    }
    if (status == BG_OK) {
        print_head(run);
        status = roll_out(run, err);
    }
    candidates_deinit(&run->candidates);
    valuer_close(run->valuer);
    return status;
}

int cmd_rollout(int argc, char **argv)
{
    static struct competitor bot; /* large, like the run */
    static struct rollout_run run;
    char space[POSITION_SPACE];
    struct arguments arguments = {.count = 1,
                                  .posed = {.may_roll = true},
                                  .reduces = true,
                                  .trials = 1296,
                                  .plays = 5,
                                  .seed = 1};
    struct bg_error err = {.text = ""};
    enum bg_status status;

    position_arguments(argc, argv, space);
    command_read(&command, argc, argv, &arguments);
    descriptors_raise();
    arguments.posed.position = position_word(arguments.posed.position);
    arguments.jobs = arguments.jobs > 0 ? arguments.jobs : (uint64_t)config_cores();
    run.arguments = &arguments;
    status = player_find(&bot, arguments.words, arguments.count, false, &err);
    if (status == BG_OK) {
        status = posed_match(&run.match, &arguments.posed, &err);
    }
    if (status == BG_OK) {
        status = check(&run, &err);
    }
    if (status == BG_OK && arguments.cube && !run.match.rules.cube) {
        status = bg_error_set(&err, BG_E_ARGUMENT,
                              "--cube on: the rules say cube=off; leave one of the two out");
    }
    if (status == BG_OK && !arguments.cube) {
        without_cube(&run.match);
    }
    if (status == BG_OK) {
        status = rollout_position(&run, &bot, &err);
    }
    if (status != BG_OK) {
        fflush(stdout);
        command_say(err.text);
    }
    return exit_status_of(status);
}
