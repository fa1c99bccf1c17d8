/* command.h - the command line of a subcommand: one voice for all of them.
 *
 * A word that is refused gives one line on standard error, "bgref NAME: what, and where; see 'bgref
 * NAME
 * --help'", and ends the program with EXIT_MISUSE. Nothing has been done by then.
 */
#ifndef RESULTS_CMD_COMMAND_H
#define RESULTS_CMD_COMMAND_H

#include <argp.h>

#include <bgref/api.h>
#include <bgref/error.h>

/* argp_parse; the command is called program_invocation_name ("bgref show"), argv[0] too. A flag
 * An unknown flag is refused with the nearest known one, before the parser sees any word. words:
 * ARGP_IN_ORDER or 0. Does not return for --help, --usage and words that are refused. */
void command_parse(const struct argp *argp, int argc, char **argv, unsigned words, void *input);

/* For parsers, in the place of argp_error: does not return. */
void command_misuse(const char *format, ...) BG_PRINTF(1, 2) __attribute__((noreturn));

/* The message for an unknown flag --word (not in names[0..count-1]): BG_E_ARGUMENT. program: as in
 * "bgref show". */
enum bg_status command_no_flag(const char *word, const char *const *names, int count,
                               const char *program, struct bg_error *err);

/* "bgref NAME: TEXT" on standard error, for what fails later; program_invocation_name is the name.
 */
void command_say(const char *text);

#endif
