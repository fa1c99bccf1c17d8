/* docs/rules.md agrees with the description of every game. */
#include <stdio.h>
#include <string.h>

#include <bgref/variant.h>

#include "../../sdk/rules/games.h"

#include "support/suite.h"

enum { CELLS = 10, CELL = 128, PAGE = 1 << 17 };

static char page[PAGE];

static void read_page(void)
{
    FILE *in = fopen(RULES_PAGE, "r");

    ck_assert_ptr_nonnull(in);
    page[fread(page, 1, sizeof page - 1, in)] = '\0';
    fclose(in);
}

/* The cells of the table row whose second cell is `id`; false: there is no such row. */
static bool find_row(char cells[CELLS][CELL], const char *id)
{
    char mark[CELL];
    const char *at = page;

    snprintf(mark, sizeof mark, " | `%s` | ", id);
    at = strstr(page, mark);
    if (at == NULL) {
        return false;
    }
    while (at > page && at[-1] != '\n') {
        at--;
    }
    for (int i = 0; i < CELLS && *at == '|'; i++) {
        size_t size = strcspn(at + 2, "|\n");

        if (at[1] == '\n') {
            cells[i][0] = '\0';
            break;
        }
        snprintf(cells[i], CELL, "%.*s", (int)(size - 1), at + 2);
        at += 2 + size;
    }
    return true;
}

/* ---- the description, in the words of the table ---- */

static void say_setup(char out[CELL], const struct bg_variant *variant)
{
    size_t used = 0;

    for (int i = 0; i < GAME_PILES && variant->setup[i].checkers > 0; i++) {
        if (variant->setup[i].slot == BG_HAND) {
            snprintf(out, CELL, "hand:%d", variant->setup[i].checkers);
            return;
        }
        used += (size_t)snprintf(out + used, CELL - used, "%s%d:%d", i > 0 ? " " : "",
                                 variant->setup[i].slot, variant->setup[i].checkers);
    }
}

static const char *say_doubles(const struct bg_variant *variant)
{
    switch (variant->turns) {
    case TURNS_ESCALATE:
        return "escalate";
    case TURNS_ACEY:
        return "4, again";
    case TURNS_ASODIO:
    case TURNS_RUSSIAN:
        return "4, complement, again";
    case TURNS_PLAIN:
        break;
    }
    return variant->dice == 3 ? "three dice" : variant->double_times == 2 ? "2" : "4";
}

static const char *say_score(const struct bg_variant *variant)
{
    static const char *const levels[] = {"", "1", "1/2", "1/2/3"};

    return variant->score == SCORE_CHECKERS ? "per checker" : levels[variant->level_max];
}

static const char *const ways[] = {"contrary", "parallel", "common", "scripta"};
static const char *const contacts[] = {"hit", "pin", "block", "none"};
static const char *const openings[] = {"play",       "reroll",   "choice",
                                       "sum-reroll", "sum-play", "winner"};
static const char *const nexts[] = {"same", "winner", "hoyle", "alternate"};

static int games(void)
{
    int count = 0;

    while (bg_variant_at(count) != NULL) {
        count++;
    }
    return count;
}

TEST_LOOP(the_table_agrees_with_the_game_descriptions, 0, games())
{
    const struct bg_variant *variant = bg_variant_at(_i);
    const char *id = bg_variant_id(variant);
    char cells[CELLS][CELL], number[CELL], setup[CELL] = "";

    read_page();
    ck_assert_msg(find_row(cells, id), "%s has no row in the table of docs/rules.md", id);
    snprintf(number, sizeof number, "V%d", _i + 1);
    say_setup(setup, variant);
    ck_assert_str_eq(cells[0], number);
    ck_assert_msg(strcmp(cells[2], setup) == 0, "%s: %s", id, cells[2]);
    ck_assert_msg(strcmp(cells[3], ways[variant->way]) == 0, "%s: %s", id, cells[3]);
    ck_assert_msg(strcmp(cells[4], contacts[variant->contact]) == 0, "%s: %s", id, cells[4]);
    ck_assert_msg(strcmp(cells[5], say_doubles(variant)) == 0, "%s: %s", id, cells[5]);
    ck_assert_msg(strcmp(cells[6], openings[variant->opening]) == 0, "%s: %s", id, cells[6]);
    ck_assert_msg(strcmp(cells[7], nexts[variant->next]) == 0, "%s: %s", id, cells[7]);
    ck_assert_msg(strcmp(cells[8], variant->cube ? "yes" : "no") == 0, "%s: %s", id, cells[8]);
    ck_assert_msg(strcmp(cells[9], say_score(variant)) == 0, "%s: %s", id, cells[9]);
}

/* ---- options ---- */

/* The section of a game, cut out of the page. */
static char *section_of(int i, const char *id)
{
    char mark[CELL], *begin, *end;

    snprintf(mark, sizeof mark, "\n### V%d %s\n", i + 1, id);
    begin = strstr(page, mark);
    ck_assert_msg(begin != NULL, "docs/rules.md has no section '### V%d %s'", i + 1, id);
    begin += strlen(mark);
    end = strstr(begin, "\n##");
    ck_assert_ptr_nonnull(end);
    *end = '\0';
    return begin;
}

static int count_of(const char *text, const char *word)
{
    int count = 0;

    for (const char *at = text; (at = strstr(at, word)) != NULL; at++) {
        count++;
    }
    return count;
}

/* "head=doubles|any|need" against "Option `head`: `doubles` (default) ...; `any` ...". */
static void option_is_told(const char *id, const char *section, char *option)
{
    char *values = strchr(option, '='), mark[CELL];
    const char *at, *end;

    *values++ = '\0';
    snprintf(mark, sizeof mark, "Option `%s`: ", option);
    at = strstr(section, mark);
    ck_assert_msg(at != NULL, "%s: section has no 'Option `%s`:'", id, option);
    end = strstr(at + 1, "\nOption ");
    for (char *value = strtok(values, "|"), *first = value; value != NULL;
         value = strtok(NULL, "|")) {
        const char *found;

        snprintf(mark, sizeof mark, "`%s`%s", value, value == first ? " (default)" : "");
        found = strstr(at, mark);
        ck_assert_msg(found != NULL && (end == NULL || found < end), "%s: option %s has no %s", id,
                      option, mark);
    }
}

TEST_LOOP(every_option_is_documented_with_its_default, 0, games())
{
    const struct bg_variant *variant = bg_variant_at(_i);
    const char *id = bg_variant_id(variant);
    char option[CELL];
    const char *section;
    int options = 0;

    read_page();
    section = section_of(_i, id);
    while (bg_variant_option(option, sizeof option, variant, options)) {
        option_is_told(id, section, option);
        options++;
    }
    ck_assert_msg(count_of(section, "Option `") == options, "%s: %d options are told, %d exist", id,
                  count_of(section, "Option `"), options);
    ck_assert_msg(strstr(section, "Sources: ") != NULL, "%s: no sources", id);
}

TEST(rotations_are_documented)
{
    const struct bg_rotation *rotation;

    read_page();
    for (int i = 0; (rotation = bg_rotation_at(i)) != NULL; i++) {
        char cells[CELLS][CELL];

        ck_assert_msg(find_row(cells, bg_rotation_id(rotation)), "%s", bg_rotation_id(rotation));
        for (int game = 0; game < bg_rotation_count(rotation); game++) {
            ck_assert_msg(strstr(cells[2], bg_variant_id(bg_rotation_game(rotation, game))) != NULL,
                          "%s", bg_rotation_id(rotation));
        }
    }
}

/* Every rule number that a verdict can name is on the page. */
TEST(every_rule_of_a_verdict_is_on_the_page)
{
    read_page();
    for (int rule = 1; rule < BG_RULE_COUNT; rule++) {
        char mark[CELL];
        const char *number = bg_rule_number((enum bg_rule)rule);

        snprintf(mark, sizeof mark, "**%s ", number);
        if (strstr(page, mark) == NULL) {
            snprintf(mark, sizeof mark, "**%s**", number);
        }
        ck_assert_msg(strstr(page, mark) != NULL, "rule %s is not in docs/rules.md", number);
    }
}
