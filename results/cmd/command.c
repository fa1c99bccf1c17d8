#define _GNU_SOURCE /* program_invocation_name */
#include "command.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include <rules/clean.h>
#include "tables/page.h"
#include "words/closest.h"

enum { NAMES_MAX = 64, WORD = 64 };

/* A command's flags, including argp's own. */
struct names {
    const char *text[NAMES_MAX];
    const struct argp_option *option[NAMES_MAX]; /* NULL: --help, --usage */
    int count;
};

static void refuse(const char *program, const char *text) __attribute__((noreturn));

static void refuse(const char *program, const char *text)
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
    refuse(program_invocation_name, err.text);
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
static int find(const struct names *names, const char *word, size_t length)
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
    int i = find(names, word, length);
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

static enum bg_status check_words(const struct argp *argp, int argc, char **argv, unsigned words,
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

void command_parse(const struct argp *argp, int argc, char **argv, unsigned words, void *input)
{
    struct bg_error err;

    argv[0] = program_invocation_name; /* argp prints this as the program's name in its help */
    argp_err_exit_status = EXIT_MISUSE;
    if (check_words(argp, argc, argv, words, &err) != BG_OK) {
        fprintf(stderr, "%s: %s\n", program_invocation_name, err.text);
        exit(EXIT_MISUSE);
    }
    if (argp_parse(argp, argc, argv, words, NULL, input) != 0) {
        refuse(program_invocation_name, "the command line cannot be read");
    }
}

void command_check_reason(const char *value, int bytes)
{
    size_t size = strlen(value);

    if (size > (size_t)bytes || strspn(value, " ") == size ||
        clean_find(value, size, CLEAN_LINE) != size) {
        command_misuse("--reason: a line of 1 to %d bytes, without control and invisible "
                       "characters",
                       bytes);
    }
}
