/* cmd_replay.c - bgref replay: replays written games by the rules. A match is read as for
 * import, so both commands find the same fault in a file; --draw plays the record that the
 * reader made and not the file again. */
#define _GNU_SOURCE
#include "results_commands.h"
#include "command.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain_file.h"
#include <base/memory.h>
#include <format/foreign.h>
#include <tables/replay.h>
#include <rules/clean.h>

#include "base/docs.h"
#include "format/transcript.h"
#include "base/plural.h"

struct arguments {
    const char *transcript, *match;
    bool draws;
};

static const struct command_row options[] = {
    {"transcript", 't', .value = "FILE",
     .help = "complete games as rows of seven columns; - is standard input",
     COMMAND_TEXT(transcript)},
    {"draw", .help = "draw the games of FILE turn by turn", COMMAND_FLAG(draws)},
    {0}};

static const struct command_row words[] = {{"file", COMMAND_TEXT(match)}, {0}};

static void check_replay(void *all)
{
    const struct arguments *arguments = all;

    if ((arguments->transcript == NULL) == (arguments->match == NULL)) {
        command_misuse("needs a match, FILE.mat or FILE.sgf, or games, --transcript FILE");
    }
    if (arguments->draws && arguments->match == NULL) {
        command_misuse("--draw needs a match");
    }
}

static const struct command command = {
    .usage = "FILE\n--transcript FILE",
    .help = "Replays written games by the rules. For a match, .mat or .sgf (- is standard input; "
            "docs/formats.md), prints a line for each game, or its drawings; prints the first step "
            "that breaks a rule, and continues with the file's other matches. --transcript checks "
            "games of any variant and prints a line for each: variant, game, 'ok' and POINTS:HOW, "
            "or 'bad', the row and the broken rule (docs/rules.md).\vExit status 1 if a game is "
            "bad, 2 if the file cannot be read.",
    .options = options,
    .words = words,
    .check = check_replay,
};

static void print_note(void *user, enum foreign_note note, const char *sentence)
{
    (void)user, (void)note;
    fputs("bgref replay: ", stderr);
    clean_print(stderr, sentence, CLEAN_LINE);
    fputc('\n', stderr);
}

static void print_left_out(void *user, enum bg_status status, const char *why)
{
    (void)user, (void)status;
    fprintf(stderr, "bgref replay: %s\n", why);
}

static enum bg_status draw_game(const struct foreign_game *game, struct bg_error *err)
{
    struct record_view *view = NULL;
    enum bg_status status = record_read(&view, game->record.text, game->record.size, err);

    if (status == BG_OK) {
        status = replay_write(stdout, view, err);
    }
    record_view_destroy(view);
    return status;
}

static void print_game(const struct foreign_match *match, int i)
{
    const struct bg_match *end = &match->game[i].end;
    const struct bg_result *result = &end->result;

    printf("game %d  %s +%" PRId64 " (%s, %s), %d %s", i + 1,
           result->winner < 0 ? "-" : foreign_match_name(match, result->winner), result->points,
           bg_end_name(result->end), bg_result_how(end->rules.variant, result), end->turn,
           plural((uint64_t)end->turn, "turn", "turns"));
    if (match->length_points > 0) {
        printf(", score %" PRId64 "-%" PRId64, end->score[0], end->score[1]);
    }
    printf("%s\n", end->crawford_game ? ", Crawford" : "");
}

static enum bg_status show_match(const struct foreign_match *match, bool draws, bool several,
                                 struct bg_error *err)
{
    enum bg_status status = BG_OK;

    if (several) {
        printf("%s - %s, ", foreign_match_name(match, 0), foreign_match_name(match, 1));
        printf(match->length_points == 0 ? "money\n" : "to %d\n", match->length_points);
    }
    for (int i = 0; status == BG_OK && i < match->games; i++) {
        if (draws) {
            status = draw_game(&match->game[i], err);
        } else {
            print_game(match, i);
        }
    }
    return status;
}

static int replay_match(const struct arguments *arguments)
{
    const struct foreign_user user = {.noted = print_note, .left_out = print_left_out};
    struct foreign_file file = {0};
    struct bg_error err = {0};
    enum bg_status status = foreign_read_file(&file, arguments->match, &user, &err);

    for (int i = 0; status == BG_OK && i < file.matches; i++) {
        status = show_match(&file.match[i], arguments->draws, file.matches > 1, &err);
    }
    if (status == BG_OK && file.matches == 0 && file.left_out == 0) {
        status = bg_error_set(&err, BG_E_FORMAT, "%.200s: no finished game", arguments->match);
    }
    if (status != BG_OK) {
        command_say(err.text);
    } else if (file.left_out > 0) {
        status = BG_E_MISMATCH; /* the message was printed while reading */
    }
    foreign_file_deinit(&file);
    return status == BG_E_MISMATCH ? EXIT_CHECK : exit_status_of(status);
}

static int replay(const char *path)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *file = stdin;
    const char *why = standard ? NULL : plain_file_open(&file, path, PLAIN_FILE_ANY);
    char *name = NULL;
    int status = EXIT_MISUSE;

    if (why != NULL) {
        fprintf(stderr, "bgref replay: %s: %s\n", path, why);
        goto done;
    }
    name = memory_print("bgref replay: %s", standard ? "standard input" : path);
    status = transcript_judge(file, name, stdout, stderr);
done:
    free(name);
    if (file != NULL && !standard) {
        fclose(file);
    }
    return status;
}

int cmd_replay(int argc, char **argv)
{
    struct arguments arguments = {0};

    command_read(&command, argc, argv, &arguments);
    return arguments.match != NULL ? replay_match(&arguments) : replay(arguments.transcript);
}
