/* cmd_replay.c - bgref replay: games that are written down, played again by the rules. */
#define _GNU_SOURCE
#include "cmd.h"

#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "transcript.h"

static const struct argp_option options[] = {
    {"transcript", 't', "FILE", 0, "complete games as rows of seven columns; - is standard input",
     0},
    {0},
};

static error_t parse(int key, char *value, struct argp_state *state)
{
    const char **transcript = state->input;

    switch (key) {
    case 't':
        if (*transcript != NULL) {
            argp_error(state, "--transcript %s: one file at a time", value);
            return EINVAL;
        }
        *transcript = value;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "'%s': name the file with --transcript", value);
        return EINVAL;
    case ARGP_KEY_END:
        if (*transcript == NULL) {
            argp_error(state, "--transcript FILE is needed");
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp description = {
    .options = options,
    .parser = parse,
    .args_doc = "--transcript FILE",
    .doc = "Plays complete games again and prints a line for each: variant, game, 'ok' and "
           "POINTS:HOW, or 'bad', the row and the rule that it breaks (docs/rules.md)."
           "\vExit status 1 when a game is bad, 2 when a row cannot be read.",
};

static int replay(const char *path)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "r");
    char *name = NULL;
    int status = EXIT_MISUSE;

    if (file == NULL) {
        fprintf(stderr, "bgref replay: %s: %s\n", path, strerror(errno));
        goto done;
    }
    if (asprintf(&name, "bgref replay: %s", standard ? "standard input" : path) < 0) {
        name = NULL;
        fprintf(stderr, "bgref replay: no memory\n");
        status = EXIT_SURROUNDINGS;
        goto done;
    }
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
    static char name[] = "bgref replay";
    const char *transcript = NULL;

    argv[0] = name;
    argp_err_exit_status = EXIT_MISUSE;
    if (argp_parse(&description, argc, argv, 0, NULL, &transcript) != 0) {
        return EXIT_MISUSE;
    }
    return replay(transcript);
}
