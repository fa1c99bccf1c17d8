/* cmd_rules.c - bgref rules: prints the list of variants, or one variant's rules. The words come
 * from docs/rules.md, which the program contains; starting position and options come from the
 * variant's description.
 */
#include "results_commands.h"
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bgref/notation.h>

#include "base/closest.h"
#include "base/docs.h"
#include "format/rules_text.h"

enum { DRAWING = 4096, COLUMNS = 10, CELL = 160, OPTION = 128, NAMES = 96, WHITE = 0 };

struct arguments {
    const char *game;
};

static const struct command_row words[] = {{"game", COMMAND_TEXT(game)}, {0}};

static const struct command command = {
    .usage = "[GAME]",
    .help = "Print the rules of GAME, or list all games.\vGAME is an id like plakoto, with options "
            "like "
            "long-nardi:head=any, or a rotation like tavli. The general rules of docs/rules.md "
            "apply too.",
    .words = words,
};

/* ---- reading the page ---- */

struct span {
    const char *at, *end;
};

static struct span page(void)
{
    const char *text = (const char *)rules_text;

    return (struct span){text, text + strlen(text)};
}

static struct span next_rule_line(struct span *rest)
{
    const char *end = memchr(rest->at, '\n', (size_t)(rest->end - rest->at));
    struct span line = {rest->at, end == NULL ? rest->end : end};

    rest->at = end == NULL ? rest->end : end + 1;
    return line;
}

static bool line_begins(struct span line, const char *text)
{
    size_t size = strlen(text);

    return (size_t)(line.end - line.at) >= size && memcmp(line.at, text, size) == 0;
}

/* Returns the text under the heading "### V4 long-nardi"; empty if there is none. By the id at
 * the end of the heading, since the numbers before it (V4) may be given anew. */
static struct span section_of(const char *id)
{
    struct span rest = page(), section = {rest.end, rest.end};
    size_t size = strlen(id);

    while (rest.at < rest.end) {
        struct span line = next_rule_line(&rest);

        if (section.at < section.end && line_begins(line, "##")) {
            section.end = line.at;
            return section;
        }
        if (line_begins(line, "### V") && (size_t)(line.end - line.at) > size + 1 &&
            line.end[-(ptrdiff_t)size - 1] == ' ' && memcmp(line.end - size, id, size) == 0) {
            section = (struct span){rest.at, rest.end};
        }
    }
    return section;
}

/* Splits "| a | b |" into cells, without the marks and blanks around them. The table of
 * docs/rules.md is read as it stands: a copy of it in C would be a second list of games to keep. */
static int cells_of(char cells[COLUMNS][CELL], struct span line)
{
    int count = 0;

    for (const char *at = line.at + 1; at < line.end && count < COLUMNS; count++) {
        const char *end = memchr(at, '|', (size_t)(line.end - at));
        size_t used = 0;

        for (end = end == NULL ? line.end : end; at < end; at++) {
            if (*at != '`' && (used > 0 || *at != ' ') && used < CELL - 1) {
                cells[count][used++] = *at;
            }
        }
        while (used > 0 && cells[count][used - 1] == ' ') {
            used--;
        }
        cells[count][used] = '\0';
        at = end + 1;
    }
    return count;
}

/* Finds the table row whose second cell is id, and the column heads. Returns the number of cells, 0
 * if there is no such row. */
static int row_of(char heads[COLUMNS][CELL], char cells[COLUMNS][CELL], const char *id)
{
    struct span rest = page();

    while (rest.at < rest.end) {
        struct span line = next_rule_line(&rest);

        if (line_begins(line, "| rule |")) {
            cells_of(heads, line);
        } else if (line_begins(line, "| V") || line_begins(line, "| T")) {
            int count = cells_of(cells, line);

            if (count > 2 && strcmp(cells[1], id) == 0) {
                return count;
            }
        }
    }
    return 0;
}

/* ---- printing ---- */

/* Prints text without Markdown's marks; keeps a star at the beginning of a line, which marks an
 * entry. */
static void print_plain(struct span text)
{
    for (const char *at = text.at; at < text.end; at++) {
        bool entry = *at == '*' && (at == text.at || at[-1] == '\n') && at[1] == ' ';

        if (entry || (*at != '*' && *at != '`')) {
            putchar(*at);
        }
    }
}

/* The drawing shows the opponent's points: Black's numbering differs from the one shown. */
static void print_setup(const struct bg_variant *variant)
{
    char drawing[DRAWING];
    struct bg_board board;

    bg_variant_setup(&board, variant);
    bg_board_draw(drawing, sizeof drawing, variant, &board, NULL, WHITE);
    printf("%s\n", drawing);
}

static void print_row(const char *id)
{
    char heads[COLUMNS][CELL], cells[COLUMNS][CELL];
    int count = row_of(heads, cells, id);

    for (int i = 2; i < count; i++) {
        printf("  %-18s %s\n", heads[i], cells[i]);
    }
}

static void print_options(const struct bg_variant *variant)
{
    char option[OPTION];

    for (int i = 0; bg_variant_option(option, sizeof option, variant, i); i++) {
        printf("  %-18s %s%s\n", i == 0 ? "options" : "", option,
               i == 0 ? "   (default first)" : "");
    }
}

static void print_game(const struct bg_variant *variant)
{
    const char *id = bg_variant_id(variant);
    char plain[64], heads[COLUMNS][CELL], cells[COLUMNS][CELL] = {""};

    snprintf(plain, sizeof plain, "%.*s", (int)strcspn(id, ":"), id);
    row_of(heads, cells, plain);
    printf("%s, rule %s of %s/rules.md\n\n", id, cells[0], docs_folder());
    print_setup(variant);
    print_row(plain);
    print_options(variant);
    print_plain(section_of(plain));
}

static void print_rotation(const struct bg_rotation *rotation)
{
    const char *id = bg_rotation_id(rotation);
    char heads[COLUMNS][CELL], cells[COLUMNS][CELL] = {""};

    row_of(heads, cells, id);
    printf("%s, rule %s of %s/rules.md: a match whose game changes\n\n", id, cells[0],
           docs_folder());
    print_row(id);
    printf(
        "\nPlayed without cube; the winner of a game begins the next, after a draw the same side\n"
        "begins again. The match ends as soon as its length is reached. Rules of a game:\n");
    for (int i = 0; i < bg_rotation_count(rotation); i++) {
        printf("  bgref rules %s\n", bg_variant_id(bg_rotation_game(rotation, i)));
    }
}

static void print_list(void)
{
    char heads[COLUMNS][CELL], cells[COLUMNS][CELL];
    const struct bg_variant *variant;
    const struct bg_rotation *rotation;
    const char *alias, *id;

    puts("Games                                                        opening   score");
    for (int i = 0; (variant = bg_variant_at(i)) != NULL; i++) {
        id = bg_variant_id(variant);
        if (row_of(heads, cells, id) == COLUMNS) {
            printf("  %-4s %-14s %-24s %-9s %-6s %-9s %s\n", cells[0], id, cells[2], cells[3],
                   cells[4], cells[6], cells[9]);
        }
    }
    puts("\nRotations");
    for (int i = 0; (rotation = bg_rotation_at(i)) != NULL; i++) {
        id = bg_rotation_id(rotation);
        if (row_of(heads, cells, id) > 2) {
            printf("  %-4s %-14s %s\n", cells[0], id, cells[2]);
        }
    }
    puts("\nOther names");
    for (int i = 0; (alias = bg_variant_alias(&id, i)) != NULL; i++) {
        printf("  %-19s %s\n", alias, id);
    }
    printf("\n'bgref rules GAME' prints one of them; %s/rules.md has them all.\n", docs_folder());
}

/* The nearest name of a game, rotation or alias; NULL: none is near. */
static const char *nearest(const char *wanted)
{
    const char *names[NAMES], *id;
    char plain[64];
    int count = 0;

    for (int i = 0; count < NAMES && bg_variant_at(i) != NULL; i++) {
        names[count++] = bg_variant_id(bg_variant_at(i));
    }
    for (int i = 0; count < NAMES && bg_rotation_at(i) != NULL; i++) {
        names[count++] = bg_rotation_id(bg_rotation_at(i));
    }
    for (int i = 0; count < NAMES && (names[count] = bg_variant_alias(&id, i)) != NULL; i++) {
        count++;
    }
    snprintf(plain, sizeof plain, "%.*s", (int)strcspn(wanted, ":"), wanted);
    return bg_variant_find(plain) != NULL ? NULL : closest_name(plain, names, count);
}

int cmd_rules(int argc, char **argv)
{
    struct arguments arguments = {.game = NULL};
    const char *wanted;
    const struct bg_variant *variant;
    struct bg_error err;

    command_read(&command, argc, argv, &arguments);
    wanted = arguments.game;
    if (wanted == NULL) {
        print_list();
    } else if (bg_rotation_find(wanted) != NULL) {
        print_rotation(bg_rotation_find(wanted));
    } else if (bg_variant_read(&variant, wanted, &err) == BG_OK) {
        print_game(variant);
    } else if (nearest(wanted) != NULL) {
        snprintf(err.text, sizeof err.text,
                 "there is no game '%.60s' (perhaps %s?); 'bgref rules' lists all", wanted,
                 nearest(wanted));
        command_say(err.text);
        return EXIT_MISUSE;
    } else {
        command_say(err.text);
        return EXIT_MISUSE;
    }
    return EXIT_DONE;
}
