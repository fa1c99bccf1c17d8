/* These texts are stored with the results and compared by name when a run goes on, so equal
 * settings must have equal texts: bots are sorted by name, since their order in the file means
 * nothing here, and programs are written without their folders. A key without `results` is left
 * out, and may change from run to run. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "bot/command.h"
#include "store/entry.h"
#include "keys.h"
#include "openings.h"
#include "openings_value.h"
#include "values.h"

static int by_name(const void *a, const void *b)
{
    const struct competitor *const *left = a, *const *right = b;

    return strcmp((*left)->name, (*right)->name);
}

/* Returns true if the command's word names a file: then only its content counts (digest), not its
 * folder. */
static bool is_file(const struct competitor *bot, const char *word)
{
    char path[2200];
    struct stat about;

    snprintf(path, sizeof path, "%s%s%s", word[0] == '/' ? "" : bot->dir,
             word[0] == '/' || bot->dir[0] == '\0' ? "" : "/", word);
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

/* Writes program and files without their folders, arguments, options and clock: a bot that was
 * moved to another folder is the same bot. */
static void bot_write(char *out, size_t size, const struct competitor *bot)
{
    char **words = NULL;
    char clock[128];

    out[0] = '\0';
    if (bot->remote) {
        command_append(out, size, "remote");
    } else if (command_split(&words, bot->cmd, NULL) == BG_OK) {
        for (int i = 0; words[i] != NULL; i++) {
            const char *slash = i == 0 || is_file(bot, words[i]) ? strrchr(words[i], '/') : NULL;

            command_append(out, size, slash == NULL ? words[i] : slash + 1);
        }
    }
    free(words);
    for (int i = 0; i < bot->option_count; i++) {
        char option[400];

        snprintf(option, sizeof option, "option.%s=%s", bot->options[i].name,
                 bot->options[i].value);
        command_append(out, size, option);
    }
    if (bot->has_clock) {
        char text[140];

        clock_control_write(clock, sizeof clock, &bot->clock);
        snprintf(text, sizeof text, "clock=%s", clock);
        command_append(out, size, text);
    }
}

/* What the entry list has of a bot; what is not declared is left out. */
static void declared_each(const struct competitor *bot,
                          void (*fn)(void *user, const char *key, const char *value), void *user)
{
    const char *const declared[] = {
        [ENTRY_AUTHOR] = bot->author,
        [ENTRY_OPERATOR] = bot->operator,
        [ENTRY_ORIGINS] = bot->origins,
    };
    char key[ENTRY_KEY];

    for (int i = 0; i < (int)(sizeof declared / sizeof declared[0]); i++) {
        if (declared[i][0] != '\0') {
            entry_key(key, (enum entry_word)i, bot->name);
            fn(user, key + strlen("event."), declared[i]);
        }
    }
}

static void bots_each(const struct config_event *event,
                      void (*fn)(void *user, const char *key, const char *value), void *user)
{
    enum { ROOM = 16 * 1024 };
    const struct competitor **sorted = memory_zeroed((size_t)event->bot_count, sizeof(void *));
    char *list = memory_zeroed((size_t)event->bot_count, NAME_SIZE + 1);
    char *text = memory_zeroed(1, ROOM);
    size_t at = 0;

    for (int i = 0; i < event->bot_count; i++) {
        sorted[i] = &event->bots[i];
    }
    qsort(sorted, (size_t)event->bot_count, sizeof(void *), by_name);
    for (int i = 0; i < event->bot_count; i++) {
        at += (size_t)snprintf(list + at, NAME_SIZE + 1, "%s%s", i > 0 ? "," : "", sorted[i]->name);
    }
    fn(user, "bots", list);
    for (int i = 0; i < event->bot_count; i++) {
        char key[NAME_SIZE + 4];

        snprintf(key, sizeof key, "bot.%s", sorted[i]->name);
        bot_write(text, ROOM, sorted[i]);
        fn(user, key, text);
        declared_each(sorted[i], fn, user);
    }
    free(text);
    free(list);
    free(sorted);
}

/* Writes a setting. A file of positions counts by its content, which has its own setting. */
static void setting_write(char *out, size_t size, const struct config_event *event,
                          const struct key *key)
{
    if (key->kind == KEY_OPENINGS) {
        openings_value_order(out, size, &event->openings);
    } else {
        value_write(out, size, event, key);
    }
}

void config_event_each(const struct config_event *event,
                       void (*fn)(void *user, const char *key, const char *value), void *user)
{
    char value[CONFIG_VALUE];

    fn(user, "event", event->name);
    for (int i = 0; key_at(i) != NULL; i++) {
        if (key_at(i)->results && !key_at(i)->alias) {
            setting_write(value, sizeof value, event, key_at(i));
            fn(user, key_at(i)->name, value);
        }
    }
    fn(user, "openings.digest", event->positions == NULL ? "-" : event->positions->digest);
    snprintf(value, sizeof value, "%" PRIu64, event->pairs);
    fn(user, "pairs", value);
    /* Only where they mean something: an event that began without such a row would seem to have
     * another setting now, and be refused. */
    if (config_event_has_form(event)) {
        fn(user, "schedule", event->schedule);
        fn(user, "seeds", event->seeds);
    }
    if (event->conditions[0] != '\0') {
        fn(user, "conditions", event->conditions);
    }
    if (event->manual_dice) {
        fn(user, "dice", "manual");
    }
    bots_each(event, fn, user);
}
