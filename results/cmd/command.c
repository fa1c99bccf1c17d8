/* Rows of a table in front of argp. argp prints help and splits words, but its own messages name
 * neither the nearest flag nor what a group of options is, and it exits in places; so the words
 * are checked first, in the same way for every command. */
#define _GNU_SOURCE /* program_invocation_name */
#include "command.h"

#include <argp.h>
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rules/clean.h>

#include "base/memory.h"
#include "base/exit_status.h"
#include "base/units.h"
#include "tables/page.h"
#include "base/closest.h"
#include "base/docs.h"
#include "base/plain.h"

enum { NAMES_MAX = 64, WORD = 64, ROWS_MAX = 64, KEY_OF_ROW = 256 };

/* A command's flags, including argp's own. */
struct names {
    const char *text[NAMES_MAX];
    const struct argp_option *option[NAMES_MAX]; /* NULL: --help, --usage */
    int count;
};

static void refuse_use(const char *program, const char *text) __attribute__((noreturn));

static void refuse_use(const char *program, const char *text)
{
    char line[sizeof((struct bg_error *)NULL)->text + 100];

    snprintf(line, sizeof line, "%s; see '%.60s --help'", text, program);
    page_line(stderr, 2, "%s: %s", program, line);
    exit(EXIT_MISUSE);
}

void command_misuse(const char *format, ...)
{
    struct bg_error err;
    va_list values;

    va_start(values, format);
    vsnprintf(err.text, sizeof err.text, format, values);
    va_end(values);
    refuse_use(program_invocation_name, err.text);
}

void command_say(const char *text)
{
    page_line(stderr, 2, "%s: %s", program_invocation_name, text);
}

enum bg_status command_no_flag(const char *word, const char *const *names, int count,
                               const char *program, struct bg_error *err)
{
    const char *near = closest_name(word, names, count);

    return bg_error_set(err, BG_E_ARGUMENT, "there is no flag --%s%s%s%s; '%s --help' lists them",
                        word, near == NULL ? "" : " (perhaps --", near == NULL ? "" : near,
                        near == NULL ? "" : "?)", program);
}

static void names_of(struct names *names, const struct argp *argp)
{
    *names = (struct names){.text = {"help", "usage"}, .count = 2};
    for (const struct argp_option *option = argp->options;
         option != NULL && (option->name != NULL || option->key != 0 || option->doc != NULL);
         option++) {
        if (option->name != NULL && (option->flags & OPTION_DOC) == 0 && names->count < NAMES_MAX) {
            names->option[names->count] = option;
            names->text[names->count++] = option->name;
        }
    }
}

/* Returns the index of the flag with this name, or with this unambiguous prefix; -1: none. */
static int find_flag(const struct names *names, const char *word, size_t length)
{
    int found = -1, begin = 0;

    for (int i = 0; i < names->count; i++) {
        if (strncmp(names->text[i], word, length) == 0) {
            if (names->text[i][length] == '\0') {
                return i;
            }
            found = i;
            begin++;
        }
    }
    return begin == 1 ? found : -1;
}

/* Checks --word or --word=value. *skip: the next word is its value. */
static enum bg_status check_long(const struct names *names, char **argv, int at, int argc,
                                 bool *skip, struct bg_error *err)
{
    const char *word = argv[at] + 2;
    size_t length = strcspn(word, "=");
    int i = find_flag(names, word, length);
    bool takes = i >= 0 && names->option[i] != NULL && names->option[i]->arg != NULL;
    char text[WORD];

    snprintf(text, sizeof text, "%.*s", (int)(length < WORD ? length : WORD - 1), word);
    if (i < 0) {
        return command_no_flag(text, names->text, names->count, program_invocation_name, err);
    }
    if (!takes && word[length] == '=') {
        return bg_error_set(err, BG_E_ARGUMENT, "--%s takes no value; see '%s --help'",
                            names->text[i], program_invocation_name);
    }
    *skip = takes && word[length] != '=' && (names->option[i]->flags & OPTION_ARG_OPTIONAL) == 0;
    if (*skip && at + 1 >= argc) {
        return bg_error_set(err, BG_E_ARGUMENT, "--%s needs a value: --%s=%s", names->text[i],
                            names->text[i], names->option[i]->arg);
    }
    return BG_OK;
}

/* Checks -abc: flags of one letter; the last may have a value. */
static enum bg_status check_short(const struct names *names, char **argv, int at, int argc,
                                  bool *skip, struct bg_error *err)
{
    for (const char *letter = argv[at] + 1; *letter != '\0'; letter++) {
        const struct argp_option *option = NULL;

        for (int i = 0; i < names->count; i++) {
            if (names->option[i] != NULL && names->option[i]->key == *letter) {
                option = names->option[i];
            }
        }
        if (option == NULL && strchr("h?", *letter) == NULL) {
            return bg_error_set(err, BG_E_ARGUMENT, "there is no flag -%c; '%s --help' lists them",
                                isprint((unsigned char)*letter) ? *letter : '?',
                                program_invocation_name);
        }
        if (option != NULL && option->arg != NULL) {
            *skip = letter[1] == '\0';
            if (*skip && at + 1 >= argc) {
                return bg_error_set(err, BG_E_ARGUMENT, "-%c needs a value: -%c %s", *letter,
                                    *letter, option->arg);
            }
            return BG_OK;
        }
    }
    return BG_OK;
}

/* Stops at "--" as argp does: what follows are words, also with a dash before them. */
static enum bg_status check_given(const struct argp *argp, int argc, char **argv, unsigned words,
                                  struct bg_error *err)
{
    struct names names;
    enum bg_status status = BG_OK;

    names_of(&names, argp);
    for (int i = 1; i < argc && status == BG_OK && strcmp(argv[i], "--") != 0; i++) {
        bool skip = false;

        if (argv[i][0] != '-' || argv[i][1] == '\0') { /* "-" is standard input */
            if ((words & ARGP_IN_ORDER) != 0) {
                break;
            }
            continue;
        }
        if (argv[i][1] == '-') {
            status = check_long(&names, argv, i, argc, &skip, err);
        } else {
            status = check_short(&names, argv, i, argc, &skip, err);
        }
        i += skip;
    }
    return status;
}

/* argp_parse, after the flags were checked: argp names no near one. */
static void parse_flags(const struct argp *argp, int argc, char **argv, unsigned words)
{
    struct bg_error err;

    argv[0] = program_invocation_name; /* argp prints this as the program's name in its help */
    argp_err_exit_status = EXIT_MISUSE;
    if (check_given(argp, argc, argv, words, &err) != BG_OK) {
        fprintf(stderr, "%s: %s\n", program_invocation_name, err.text);
        exit(EXIT_MISUSE);
    }
    if (argp_parse(argp, argc, argv, words, NULL, NULL) != 0) {
        refuse_use(program_invocation_name, "the command line cannot be read");
    }
}

/* --------------------------------------------------------------------- the table of a command */

/* A command line while it is read. */
struct command_reading {
    const struct command *command;
    char *arguments;
    struct argp_state *state; /* of argp, while it parses */
    bool is_given[ROWS_MAX];  /* by option */
    int words;
    const char **list; /* the words of command_list */
};

/* One command line a process, and argp's hooks for values have no argument of ours. */
static struct command_reading reading;

static bool is_row(const struct command_row *row)
{
    return row != NULL && row->name != NULL;
}

/* An option's other name stands for the row before it. */
static int row_of_key(const struct command *command, int key)
{
    for (int i = 0; is_row(command->options) && is_row(&command->options[i]); i++) {
        if (key ==
            (command->options[i].letter != 0 ? command->options[i].letter : KEY_OF_ROW + i)) {
            return i;
        }
    }
    return -1;
}

/* Writes "--text, --html and --json", the options of a group. */
static void write_group(char *out, size_t room, const struct command_row *rows, const char *group)
{
    const char *names[ROWS_MAX];
    size_t used = 0;
    int count = 0;

    for (int i = 0; is_row(&rows[i]); i++) {
        if (rows[i].group != NULL && strcmp(rows[i].group, group) == 0) {
            names[count++] = rows[i].name;
        }
    }
    for (int i = 0; i < count && used < room; i++) {
        used += (size_t)snprintf(out + used, room - used, "%s--%s",
                                 i == 0           ? ""
                                 : i == count - 1 ? " and "
                                                  : ", ",
                                 names[i]);
    }
}

static void take_option(int i, const char *text)
{
    const struct command_row *rows = reading.command->options;
    const struct command_row *row = &rows[i];
    char all[200] = "";

    for (int k = 0; row->group != NULL && is_row(&rows[k]); k++) {
        if (k != i && reading.is_given[k] && rows[k].group != NULL &&
            strcmp(rows[k].group, row->group) == 0) {
            write_group(all, sizeof all, rows, row->group);
            command_misuse("choose one of %s", all);
        }
    }
    reading.is_given[i] = true;
    row->take(reading.arguments, text, row);
}

static void take_word(const char *text)
{
    const struct command_row *words = reading.command->words;
    const struct command_row *last = words;

    if (!is_row(words)) {
        command_misuse("'%s': not expected here", text);
    }
    for (int i = 0; is_row(&words[i]); i++) {
        last = &words[i];
        if (i == reading.words || last->is_many) {
            if (text[0] == '\0') {
                command_misuse("the %s is an empty word", last->name);
            }
            reading.words++;
            last->take(reading.arguments, text, last);
            return;
        }
    }
    command_misuse("'%s': one %s is enough", text, last->name);
}

static bool is_given(const struct command_row *rows, const char *name)
{
    int i = 0;

    while (strcmp(rows[i].name, name) != 0) {
        i++;
        assert(rows[i].name != NULL); /* a table that names an option which it has not */
    }
    return reading.is_given[i];
}

static void take_end(void)
{
    const struct command *command = reading.command;

    for (int i = 0; is_row(command->options) && is_row(&command->options[i]); i++) {
        const struct command_row *row = &command->options[i];

        if (row->is_needed && !reading.is_given[i]) {
            command_misuse("%s", command->missing);
        }
        if (row->needs != NULL && reading.is_given[i] && !is_given(command->options, row->needs)) {
            command_misuse("--%s needs --%s", row->name, row->needs);
        }
    }
    for (int i = 0; is_row(command->words) && is_row(&command->words[i]); i++) {
        if (command->words[i].is_needed && reading.words <= i) {
            command_misuse("%s", command->missing);
        }
    }
    if (command->check != NULL) {
        command->check(reading.arguments);
    }
}

static error_t take_key(int key, char *text, struct argp_state *state)
{
    int row = row_of_key(reading.command, key);

    reading.state = state;
    if (key == ARGP_KEY_ARG) {
        take_word(text);
    } else if (key == ARGP_KEY_END) {
        take_end();
    } else if (row >= 0) {
        take_option(row, text);
    } else {
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

void command_read(const struct command *command, int argc, char **argv, void *arguments)
{
    struct argp_option options[ROWS_MAX + 1] = {{0}};
    struct argp argp = {.options = is_row(command->options) ? options
                                                            : NULL, /* argp leaks an empty list */
                        .parser = take_key,
                        .args_doc = command->usage,
                        .doc = command->help,
                        .help_filter = docs_in_help};

    for (int i = 0; is_row(command->options) && is_row(&command->options[i]); i++) {
        const struct command_row *row = &command->options[i];

        options[i] = (struct argp_option){.name = row->name,
                                          .key = row->is_alias      ? 0
                                                 : row->letter != 0 ? row->letter
                                                                    : KEY_OF_ROW + i,
                                          .arg = row->value,
                                          .flags = (row->is_hidden ? OPTION_HIDDEN : 0) |
                                                   (row->is_alias ? OPTION_ALIAS : 0),
                                          .doc = row->help};
    }
    reading = (struct command_reading){.command = command, .arguments = arguments};
    /* Never freed: the words are used until the process ends. */
    reading.list = memory_zeroed((size_t)argc + 1, sizeof reading.list[0]);
    parse_flags(&argp, argc, argv, command->in_order ? ARGP_IN_ORDER : 0);
}

const char *command_next_word(void)
{
    struct argp_state *state = reading.state;

    return state->next < state->argc ? state->argv[state->next++] : NULL;
}

/* ------------------------------------------------------------------- what a row may be read into
 */

static void *row_value(void *arguments, const struct command_row *row)
{
    return (char *)arguments + row->at;
}

void command_text(void *arguments, const char *text, const struct command_row *row)
{
    *(const char **)row_value(arguments, row) = text;
}

void command_flag(void *arguments, const char *text, const struct command_row *row)
{
    (void)text;
    *(bool *)row_value(arguments, row) = true;
}

void command_switch(void *arguments, const char *text, const struct command_row *row)
{
    struct bg_error err;

    if (flag_read(row_value(arguments, row), text, &err) != BG_OK) {
        command_misuse("--%s: %s", row->name, err.text);
    }
}

void command_count(void *arguments, const char *text, const struct command_row *row)
{
    struct bg_error err;

    if (count_read(row_value(arguments, row), text, row->least, row->most, &err) != BG_OK) {
        command_misuse("--%s: %s", row->name, err.text);
    }
}

void command_int(void *arguments, const char *text, const struct command_row *row)
{
    struct bg_error err;

    if (int_read(row_value(arguments, row), text, row->least, row->most, &err) != BG_OK) {
        command_misuse("--%s: %s", row->name, err.text);
    }
}

void command_real(void *arguments, const char *text, const struct command_row *row)
{
    char *end = NULL;
    double value = strtod(text, &end);

    /* Written so that NaN, which strtod reads, is refused too. */
    if (end == text || *end != '\0' || !(value >= row->low) || !(value <= row->high)) {
        command_misuse("--%s '%.80s': needs a number between %g and %g", row->name, text, row->low,
                       row->high);
    }
    *(double *)row_value(arguments, row) = value;
}

void command_choice(void *arguments, const char *text, const struct command_row *row)
{
    struct bg_error err;

    if (word_read(row_value(arguments, row), text, row->words, &err) != BG_OK) {
        command_misuse("--%s: %s", row->name, err.text);
    }
}

void command_constant(void *arguments, const char *text, const struct command_row *row)
{
    (void)text;
    *(int *)row_value(arguments, row) = (int)row->least;
}

void command_list(void *arguments, const char *text, const struct command_row *row)
{
    struct command_words *words = row_value(arguments, row);

    if (words->count == 0) {
        words->word = reading.list;
        words->is_quoted = reading.state->quoted != 0;
    }
    words->word[words->count++] = text;
}

void command_time(void *arguments, const char *text, const struct command_row *row)
{
    struct bg_error err;

    if (duration_read(row_value(arguments, row), text, &err) != BG_OK) {
        command_misuse("--%s %s: %s", row->name, text, err.text);
    }
}

void command_reason(void *arguments, const char *text, const struct command_row *row)
{
    size_t size = strlen(text);

    if (size > row->most || strspn(text, " ") == size ||
        clean_find(text, size, CLEAN_LINE) != size) {
        command_misuse("--%s: a line of 1 to %d bytes, without control and invisible characters",
                       row->name, (int)row->most);
    }
    command_text(arguments, text, row);
}
