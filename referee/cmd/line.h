/* line.h - the words of a command line, sorted before argp sees them.
 *
 * argp does not know -engine, whose words continue up to the next dash. Nor does it know words of
 * chess harnesses for what bgref always does, or does not do yet.
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
    struct group *engines; /* at most argc entries */
    int engine_count;
    char **each; /* all words after every -each */
    int each_count;
    char **rest; /* the words for argp */
    int rest_count;
    struct setting *settings;
    int setting_count;
    const char *positional[3];
    int positional_count;
    const char *games;
    bool quiet, fresh, accept_changed, browser;
    const char *log, *gate, *lender, *gallery;
    struct outputs outputs;     /* lent from rest */
    struct config_event *event; /* defaults, for help */
};

/* Sorts the words of argv. argv and event (defaults, for help) are lent. BG_E_ARGUMENT names the
 * word. Call line_deinit in every case. */
enum bg_status line_init(struct line *line, enum options_command command, int argc, char **argv,
                         struct config_event *event, struct bg_error *err);
void line_deinit(struct line *line);

/* Returns the switch (a flag of on or off) directly before this word, without its dashes; NULL:
 * none. Lent. */
const char *line_switch_before(const struct line *line, const char *word);

/* Returns the text after the one or two dashes of a flag; NULL for another word. */
const char *without_dashes(const char *word);

#endif
