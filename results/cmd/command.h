/* command.h - the command line of a subcommand, with the same messages for all.
 *
 * A refused word prints one line on standard error, "bgref NAME: what, and where; see 'bgref NAME
 * --help'", and ends the program with EXIT_MISUSE before the command has done anything.
 */
#ifndef RESULTS_CMD_COMMAND_H
#define RESULTS_CMD_COMMAND_H

#include <argp.h>

#include <bgref/api.h>
#include <bgref/error.h>

/* argp_parse with argv[0] set to program_invocation_name ("bgref show"). Checks the flags first:
 * refuses an unknown flag with the nearest known one. words: ARGP_IN_ORDER or 0. Does not return
 * for --help, --usage and refused words. */
void command_parse(const struct argp *argp, int argc, char **argv, unsigned words, void *input);

/* For parsers, instead of argp_error: does not return. */
void command_misuse(const char *format, ...) BG_PRINTF(1, 2) __attribute__((noreturn));

/* Refuses the value of --reason if it is not one line of visible text with at most `bytes` bytes.
 */
void command_check_reason(const char *value, int bytes);

/* Sets the message for an unknown flag --word (not in names[0..count-1]) and returns BG_E_ARGUMENT.
 * program: as in "bgref show". */
enum bg_status command_no_flag(const char *word, const char *const *names, int count,
                               const char *program, struct bg_error *err);

/* Prints "bgref NAME: TEXT" on standard error, for later errors; NAME comes from
 * program_invocation_name. */
void command_say(const char *text);

#endif
