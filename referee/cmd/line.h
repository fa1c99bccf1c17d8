/* line.h - the words of a command line, sorted before argp sees them.
 *
 * argp knows neither -engine, whose words go on to the next dash, nor words of chess harnesses that
 * ask for what is always so or not there yet.
 */
#ifndef REFEREE_CMD_LINE_H
#define REFEREE_CMD_LINE_H

#include "options.h"

/* The words of one -engine or -each: argv[first..first+count-1]. */
struct group {
    int first, count;
};

/* A flag that sets a key; both lent (text from argv). */
struct setting {
    const char *key, *text;
};

struct line {
    enum options_command command;
    int argc;
    char **argv;
    struct group *engines; /* at most argc */
    int engine_count;
    char **each; /* words of every -each */
    int each_count;
    char **rest; /* what argp gets */
    int rest_count;
    struct setting *settings;
    int setting_count;
    const char *positional[3];
    int positional_count;
    const char *games;
    bool quiet, fresh, accept_changed;
    const char *log;
    struct outputs outputs;     /* lent from rest */
    struct config_event *event; /* defaults, for help */
};

/* Sorts the words of argv, which is lent as event is (defaults, for help). BG_E_ARGUMENT names the
 * word. Call line_deinit whatever the outcome. */
enum bg_status line_init(struct line *line, enum options_command command, int argc, char **argv,
                         struct config_event *event, struct bg_error *err);
void line_deinit(struct line *line);

/* Returns the text after the one or two dashes of a flag; NULL for another word. */
const char *without_dashes(const char *word);

#endif
