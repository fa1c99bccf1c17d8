/* command.h - the command line of a subcommand, with the same messages for all.
 *
 * A refused word prints one line on standard error, "bgref NAME: what, and where; see 'bgref NAME
 * --help'", and ends the program with EXIT_MISUSE before the command has done anything.
 */
#ifndef RESULTS_CMD_COMMAND_H
#define RESULTS_CMD_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <bgref/api.h>
#include <bgref/error.h>

struct command_row;

/* Puts the text of an option (NULL if it takes none) or of a word into the arguments of the
 * command; refuses it with command_misuse. */
typedef void command_take(void *arguments, const char *text, const struct command_row *row);

/* One option or one word of a command line. All texts are lent. A list ends with a row without
 * name. */
struct command_row {
    const char *name;  /* an option's, without dashes; what a word is: "results database" */
    int letter;        /* the option as one letter; 0: none */
    const char *value; /* how the help calls the option's value; NULL: it takes none */
    const char *help;
    command_take *take;
    size_t at;                /* where in the arguments; see the macros below */
    uint64_t least, most;     /* command_count, command_int; command_constant takes least */
    double low, high;         /* command_real */
    const char *const *words; /* command_choice: ends with NULL */
    const char *group;        /* options of one group exclude each other */
    const char *needs;        /* the name of an option without which this one means nothing */
    bool is_needed;           /* without it command.missing is said */
    bool is_hidden;           /* the help does not list it */
    bool is_alias;            /* another name for the row before it */
    bool is_many;             /* the last word: takes all that follow too */
};

struct command {
    const char *usage; /* the words, as in "RESULTS.db [BOT]"; a line for each form */
    const char *help;  /* above the options; what follows \v stands below them */
    const struct command_row *options; /* NULL: none */
    const struct command_row *words;   /* one after the other; NULL: none */
    const char *missing;            /* said if an option or a word that is needed does not stand */
    void (*check)(void *arguments); /* looks at all of them at the end; may be NULL */
    bool in_order;                  /* what follows the first word belongs to another program */
};

/* All words from one row on, if it is the last one (command_list). Lent until the program ends. */
struct command_words {
    const char **word;
    int count;
    bool is_quoted; /* the first one stands behind -- */
};

/* Reads a command line into arguments, which have their defaults. Does not return for --help,
 * --usage and refused words. */
void command_read(const struct command *command, int argc, char **argv, void *arguments);

command_take command_text;     /* const char * */
command_take command_flag;     /* bool: set */
command_take command_switch;   /* bool: on or off */
command_take command_count;    /* uint64_t, least to most */
command_take command_int;      /* int, least to most */
command_take command_real;     /* double, low to high */
command_take command_choice;   /* int: the index in words */
command_take command_constant; /* int: least */
command_take command_list;     /* struct command_words */
command_take command_time;     /* int64_t: nanoseconds */
command_take command_reason;   /* const char *: one line of visible text, at most `most` bytes */

/* The initializer of a row's take and at, for a member of `struct arguments`. A member of another
 * type than the function's does not compile. */
#define COMMAND_PLACE(type, member)                                                                \
    (offsetof(struct arguments, member) +                                                          \
     0 * sizeof(1 ? (type *)NULL : &((struct arguments *)NULL)->member))
#define COMMAND_TEXT(member)     .take = command_text, .at = COMMAND_PLACE(const char *, member)
#define COMMAND_FLAG(member)     .take = command_flag, .at = COMMAND_PLACE(bool, member)
#define COMMAND_SWITCH(member)   .take = command_switch, .at = COMMAND_PLACE(bool, member)
#define COMMAND_COUNT(member)    .take = command_count, .at = COMMAND_PLACE(uint64_t, member)
#define COMMAND_INT(member)      .take = command_int, .at = COMMAND_PLACE(int, member)
#define COMMAND_REAL(member)     .take = command_real, .at = COMMAND_PLACE(double, member)
#define COMMAND_CHOICE(member)   .take = command_choice, .at = COMMAND_PLACE(int, member)
#define COMMAND_CONSTANT(member) .take = command_constant, .at = COMMAND_PLACE(int, member)
#define COMMAND_TIME(member)     .take = command_time, .at = COMMAND_PLACE(int64_t, member)
#define COMMAND_REASON(member)   .take = command_reason, .at = COMMAND_PLACE(const char *, member)
#define COMMAND_LIST(member)                                                                       \
    .take = command_list, .at = COMMAND_PLACE(struct command_words, member), .is_many = true

/* Within a take function: the next word of the command line, for an option with two; NULL: none. */
const char *command_next_word(void);

/* Refuses what was typed; does not return. */
void command_misuse(const char *format, ...) BG_PRINTF(1, 2) __attribute__((noreturn));

/* Sets the message for an unknown flag --word (not in names[0..count-1]) and returns BG_E_ARGUMENT.
 * program: as in "bgref show". */
enum bg_status command_no_flag(const char *word, const char *const *names, int count,
                               const char *program, struct bg_error *err);

/* Prints "bgref NAME: TEXT" on standard error, for later errors; NAME comes from
 * program_invocation_name. */
void command_say(const char *text);

#endif
