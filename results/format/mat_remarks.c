/* Comments in which programs say what a .mat cannot: only those that change how the match is
 * read. An unknown variation is kept until the match begins, since its comment alone is no
 * error. */
#define _GNU_SOURCE
#include "mat_remarks.h"

#include <stdio.h>
#include <string.h>

#include "foreign_names.h"

static bool begins_with(const char *text, const char *word)
{
    return strncasecmp(text, word, strlen(word)) == 0;
}

static void read_variation(struct mat_remarks *remarks, const char *value)
{
    static const struct {
        const char *word, *id;
    } games[] = {{"backgammon", "backgammon"},
                 {"nackgammon", "nackgammon"},
                 {"hypergammon (3)", "hypergammon"},
                 {"hypergammon", "hypergammon"}};
    size_t length = strcspn(value, "\"");

    remarks->strange_variant[0] = '\0';
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        if (strlen(games[i].word) == length && begins_with(value, games[i].word)) {
            remarks->variant = bg_variant_find(games[i].id);
            return;
        }
    }
    snprintf(remarks->strange_variant, sizeof remarks->strange_variant, "%.*s",
             (int)(length < 60 ? length : 60), value);
}

static bool is_on(const char *value)
{
    return begins_with(value, "on") || begins_with(value, "true") || begins_with(value, "yes");
}

void mat_remark_read(struct mat_remarks *remarks, char event[FOREIGN_EVENT], const char *line)
{
    const char *text = line + 1 + strspn(line + 1, " \t");

    if (begins_with(text, "[Event \"")) {
        bool latin1 = false;
        char name[FOREIGN_NAME];

        foreign_display_name(name, &latin1, text + 8, strcspn(text + 8, "\""));
        snprintf(event, FOREIGN_EVENT, "%s", name);
    } else if (begins_with(text, "[Jacoby \"")) {
        remarks->has_jacoby = true;
        remarks->jacoby = is_on(text + 9);
    } else if (begins_with(text, "[Crawford \"")) {
        remarks->has_crawford = true;
        remarks->crawford = is_on(text + 11);
    } else if (begins_with(text, "[CubeLimit \"1\"")) {
        remarks->no_cube = true;
    } else if (begins_with(text, "[Variation \"")) {
        read_variation(remarks, text + 12);
    }
}
