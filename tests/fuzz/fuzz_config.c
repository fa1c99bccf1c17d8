/* fuzz_config - foreign bytes as an event file, as a bots file, as a list of keys, as a file of
 * positions, as a command line and as a clock.
 *
 * Refused input has a message that names the file. Accepted input is checked, listed and written,
 * and every written value reads back as the same value. */
#include "config/allow.h"
#include "config/config.h"
#include "config/openings.h"
#include "bot/command.h"
#include "bot/registry.h"
#include "judge/judge.h"

#include "fuzz.h"

#include <string.h>

static struct registry *registry_new(void)
{
    struct registry *registry = NULL;

    setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
    require(registry_open(&registry, NULL) == BG_OK);
    return registry;
}

static void look(void *user, const char *key, const char *value)
{
    require(key[0] != '\0' && strlen(value) < 200000);
}

/* Every written value, given again as a flag, results in the same value. */
static void write_and_read(const struct config_event *event)
{
    struct config_event again;
    struct config_key key, other;

    config_event_init(&again);
    again.judge_check = judge_check;
    for (int i = 0; config_key(&key, event, i); i++) {
        if (key.value[0] != '\0') {
            require(config_event_set(&again, key.name, key.value, NULL) == BG_OK);
            require(config_key(&other, &again, i) && strcmp(key.value, other.value) == 0);
        }
    }
    config_event_deinit(&again);
}

static void as_event(const uint8_t *data, size_t size, const struct registry *registry)
{
    struct config_event event;
    struct bg_error err = {.text = ""};

    config_event_init(&event);
    event.judge_check = judge_check;
    if (config_event_parse(&event, "fuzz.yaml", data, size, registry, &err) == BG_OK) {
        write_and_read(&event);
        config_event_settle(&event);
        write_and_read(&event);
        if (config_event_check(&event, &err) == BG_OK) {
            config_event_each(&event, look, NULL);
        }
    } else {
        require(strncmp(err.text, "fuzz.yaml:", 10) == 0);
    }
    config_event_deinit(&event);
}

static void as_bots(const uint8_t *data, size_t size)
{
    struct registry *registry = registry_new();
    struct bg_error err = {.text = ""};

    if (registry_parse(registry, "fuzz.yaml", data, size, &err) != BG_OK) {
        require(strncmp(err.text, "fuzz.yaml:", 10) == 0);
    }
    for (int i = 0; i < registry_count(registry); i++) {
        require(name_is_valid(registry_at(registry, i)->name));
    }
    registry_close(registry);
}

/* An accepted list has whole keys, and each name and each key once. */
static void as_allow(const uint8_t *data, size_t size)
{
    struct allow_list list;
    struct bg_error err = {.text = ""};

    if (allow_parse(&list, "fuzz.yaml", data, size, &err) != BG_OK) {
        require(strncmp(err.text, "fuzz.yaml:", 10) == 0 && list.entries == NULL);
        return;
    }
    for (int i = 0; i < list.count; i++) {
        const struct allow_entry *entry = &list.entries[i];

        require(name_is_valid(entry->name) && allow_find(&list, entry->name) == entry);
        require(strspn(entry->key, "0123456789abcdef") == sizeof entry->key - 1);
        for (int k = 0; k < i && list.count < 100; k++) {
            require(strcmp(list.entries[k].key, entry->key) != 0);
        }
        require(entry->limits.tables >= 0);
    }
    allow_deinit(&list);
}

/* An accepted line is a position from which a match can begin. */
static void as_openings(const uint8_t *data, size_t size)
{
    const struct bg_rules rules = bg_rules_default(bg_variant_find("backgammon"), 0);
    const struct config_openings config = {.file = "fuzz.xgid"};
    struct openings *openings = NULL;
    struct bg_error err = {.text = ""};
    struct bg_match match;

    if (openings_parse(&openings, &config, (const char *)data, size, &rules, &err) != BG_OK) {
        require(strncmp(err.text, "fuzz.xgid:", 10) == 0);
        return;
    }
    require(openings->count > 0);
    for (size_t i = 0; i < openings->count; i++) {
        require(openings->start[i].on_roll >= 0);
        require(bg_match_begin_at(&match, &rules, &openings->start[i], NULL) == BG_OK);
    }
    openings_close(openings);
}

static void as_text(const uint8_t *data, size_t size)
{
    char *text = calloc(1, size + 1);
    struct clock_control control, again;
    char **words = NULL;

    require(text != NULL);
    memcpy(text, data, size);
    if (command_split(&words, text, NULL) == BG_OK) {
        size_t room = 8 * size + 64, used = 0;
        char *joined = calloc(1, room);
        char **back = NULL;

        require(joined != NULL);
        for (int i = 0; words[i] != NULL; i++) {
            /* Behind the end: command_append itself looks for it, which is for short texts. */
            used += used > 0;
            joined[used > 0 ? used - 1 : 0] = used > 0 ? ' ' : '\0';
            require(command_append(joined + used, room - used, words[i]));
            used += strlen(joined + used);
        }
        require(command_split(&back, joined, NULL) == BG_OK);
        for (int i = 0; words[i] != NULL || back[i] != NULL; i++) {
            require(words[i] != NULL && back[i] != NULL && strcmp(words[i], back[i]) == 0);
        }
        free(back);
        free(joined);
        free(words);
    }
    if (clock_control_read(&control, text, NULL) == BG_OK) {
        char written[128];

        clock_control_write(written, sizeof written, &control);
        require(clock_control_read(&again, written, NULL) == BG_OK);
        require(again.kind == control.kind && again.bank_ns == control.bank_ns &&
                again.move_ns == control.move_ns && again.inc_ns == control.inc_ns &&
                again.delay_ns == control.delay_ns);
    }
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct registry *registry;

    if (registry == NULL) {
        registry = registry_new();
    }
    as_event(data, size, registry);
    as_bots(data, size);
    as_allow(data, size);
    as_openings(data, size);
    as_text(data, size);
    return 0;
}
