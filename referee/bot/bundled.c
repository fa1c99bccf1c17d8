/* The table holds bots, not programs: one program with other options is another bot (td-noise,
 * gnubg-2ply), so that an opponent of known strength needs no event file. The folder comes from
 * /proc/self/exe and not from argv[0], which has no folder when a shell found the program by
 * PATH, and which is another name in the processes of a door (doorman, gateway). */
#include "bundled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "base/plain_file.h"

static const struct {
    const char *name, *program;
    struct competitor_option options[2];
    int option_count;
    bool only_plays; /* it does not value positions, so that it cannot judge */
} bots[] = {
    {"first", "bgref-first", {{"", ""}}, 0, true},
    {"random", "bgref-random", {{"", ""}}, 0, true},
    {"greedy", "bgref-greedy", {{"", ""}}, 0, false},
    {"bkg", "bgref-bkg", {{"", ""}}, 0, false},
    {"exact", "bgref-exact", {{"", ""}}, 0, false},
    {"td", "bgref-td", {{"", ""}}, 0, false},
    {"td-noise", "bgref-td", {{"Noise", "0.1"}}, 1, false},
    {"td-1ply", "bgref-td", {{"Plies", "1"}}, 1, false},
    {"human", "bgref-human", {{"", ""}}, 0, true},
    {"person", "bgref-person", {{"", ""}}, 0, true},
    {"python", "bgref-python", {{"", ""}}, 0, false},
    {"gnubg", "bgref-gnubg", {{"Plies", "0"}}, 1, false},
    {"gnubg-1ply", "bgref-gnubg", {{"Plies", "1"}}, 1, false},
    {"gnubg-2ply", "bgref-gnubg", {{"Plies", "2"}}, 1, false},
    {"ubgi", "bgref-ubgi", {{"", ""}}, 0, true},
    {"gnubg-noise", "bgref-gnubg", {{"Plies", "0"}, {"Noise", "0.05"}}, 2, false},
};

int bundled_count(void)
{
    return (int)(sizeof bots / sizeof bots[0]);
}

bool bundled_only_plays(const char *name)
{
    for (int i = 0; i < bundled_count(); i++) {
        if (strcmp(bots[i].name, name) == 0) {
            return bots[i].only_plays;
        }
    }
    return false;
}

enum bg_status bundled_bot(struct competitor *out, int i, const char *folder, struct bg_error *err)
{
    struct competitor bot = {.option_count = bots[i].option_count};
    char path[1100];

    snprintf(path, sizeof path, "%s/%s", folder, bots[i].program);
    if (!command_append(bot.cmd, sizeof bot.cmd, path)) {
        return bg_error_set(err, BG_E_ARGUMENT, "BGREF_BOTS_DIR: path is too long");
    }
    snprintf(bot.name, sizeof bot.name, "%s", bots[i].name);
    memcpy(bot.options, bots[i].options, sizeof bots[i].options);
    *out = bot;
    return BG_OK;
}

/* In a build tree the folder is bin/bots, beside the program; after installation it is in
 * libexec. */
void bundled_find_folder(char *out, size_t size)
{
    const char *variable = getenv("BGREF_BOTS_DIR");
    const char *own = plain_own_folder();
    char above[PLAIN_PATH];

    if (variable != NULL && variable[0] != '\0') {
        snprintf(out, size, "%s", variable);
        return;
    }
    if (own[0] == '\0') {
        snprintf(out, size, "/usr/libexec/bgref");
        return;
    }
    snprintf(out, size, "%s/bots", own);
    if (access(out, X_OK) != 0) {
        plain_folder_of(above, own);
        snprintf(out, size, "%s/libexec/bgref", above);
    }
}

void bundled_find_user_file(char *out, size_t size)
{
    const char *config = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");

    out[0] = '\0';
    if (config != NULL && config[0] == '/') { /* XDG requires that relative paths are ignored */
        snprintf(out, size, "%s/bgref/bots.yaml", config);
    } else if (home != NULL && home[0] == '/') {
        snprintf(out, size, "%s/.config/bgref/bots.yaml", home);
    }
}
