/* One function takes a word, for the text of a flag and for the map of an event file
 * (event_file.c), so both have the same words and the same messages. Defaults are not set while
 * words are read but by door_value_complete(): the default of `file` is made from `key`, and a
 * door that nobody asked for has to stay empty. */
#include "door_value.h"

#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "base/closest.h"
#include "base/plain.h"

#define APPEAR_NS INT64_C(300000000000)
#define GRACE_NS  INT64_C(120000000000)
#define BACK_NS   INT64_C(60000000000)

enum { WORD_ROOM = 1100, PER_ADDRESS = 8, CONNECTIONS = 256, CONNECTIONS_MOST = 4096 };

static const char SCHEME[] = "tcp://";

/* Takes an address with a scheme and a port; the gateway finds other mistakes. Of a larger port the
 * system would take the remainder. */
static enum bg_status address_take(char *out, size_t size, const char *value, struct bg_error *err)
{
    const char *colon = strrchr(value, ':');
    int port;

    if (strncmp(value, SCHEME, strlen(SCHEME)) != 0 || colon < value + strlen(SCHEME) ||
        int_read(&port, colon + 1, 0, 65535, NULL) != BG_OK || strpbrk(value, " \t'\"#") != NULL) {
        return bg_error_set(err, BG_E_ARGUMENT,
                            "'%.60s' is not an address like tcp://0.0.0.0:5555, with a port up to "
                            "65535",
                            value);
    }
    return copy_read(out, size, value, err);
}

enum bg_status door_value_take(struct config_door *door, const char *word, const char *value,
                               struct bg_error *err)
{
    static const char *const words[] = {"listen", "key",   "allow",       "address",     "file",
                                        "appear", "grace", "per_address", "connections", "back"};

    if (strcmp(word, "listen") == 0) {
        return address_take(door->listen, sizeof door->listen, value, err);
    }
    if (strcmp(word, "address") == 0) {
        return address_take(door->address, sizeof door->address, value, err);
    }
    if (strcmp(word, "key") == 0) {
        return copy_read(door->key, sizeof door->key, value, err);
    }
    if (strcmp(word, "allow") == 0) {
        return copy_read(door->allow, sizeof door->allow, value, err);
    }
    if (strcmp(word, "file") == 0) {
        return copy_read(door->file, sizeof door->file, value, err);
    }
    if (strcmp(word, "appear") == 0) {
        return time_read(&door->appear_ns, value, 1, err);
    }
    if (strcmp(word, "grace") == 0) {
        return time_read(&door->grace_ns, value, 1, err);
    }
    if (strcmp(word, "back") == 0) {
        return time_read(&door->back_ns, value, 1, err);
    }
    if (strcmp(word, "per_address") == 0) {
        return int_read(&door->per_address, value, 1, CONNECTIONS_MOST, err);
    }
    if (strcmp(word, "connections") == 0) {
        return int_read(&door->connections, value, 1, CONNECTIONS_MOST, err);
    }
    return bg_error_set(err, BG_E_ARGUMENT,
                        "unknown word %.40s%s; known are listen, key, allow, address, file, "
                        "appear, grace, per_address, connections and back",
                        word, closest_perhaps(word, words, sizeof words / sizeof words[0]).text);
}

enum bg_status door_value_read(struct config_door *out, const char *text, struct bg_error *err)
{
    /* Read into a copy: after a mistake the event's door is as it was. */
    struct config_door door = {.listen = ""};
    const char *at = text + strspn(text, " ");

    while (strcmp(text, "off") != 0 && *at != '\0') {
        size_t length = strcspn(at, " ");
        struct bg_error why = {.text = ""};
        char word[WORD_ROOM];
        char *equal;

        if (length >= sizeof word) {
            return bg_error_set(err, BG_E_ARGUMENT, "'%.40s...' is too long", at);
        }
        memcpy(word, at, length);
        word[length] = '\0';
        equal = strchr(word, '=');
        if (equal == NULL) {
            return bg_error_set(err, BG_E_ARGUMENT,
                                "'%.40s' is not key=value, like listen=tcp://0.0.0.0:5555", word);
        }
        *equal = '\0';
        if (door_value_take(&door, word, equal + 1, &why) != BG_OK) {
            return bg_error_set(err, BG_E_ARGUMENT, "%.40s: %.300s", word, why.text);
        }
        at += length;
        at += strspn(at, " ");
    }
    *out = door;
    return BG_OK;
}

static void append_pair(char *out, size_t size, const char *word, const char *value)
{
    size_t used = strlen(out);

    if (value[0] != '\0') {
        snprintf(out + used, size - used, "%s%s=%s", used == 0 ? "" : " ", word, value);
    }
}

static void append_count(char *out, size_t size, const char *word, int value)
{
    char text[16];

    snprintf(text, sizeof text, "%d", value);
    append_pair(out, size, word, value > 0 ? text : "");
}

void door_value_write(char *out, size_t size, const struct config_door *door)
{
    char appear[64] = "", grace[64] = "", back[64] = "";

    out[0] = '\0';
    if (door->appear_ns > 0) {
        duration_write(appear, sizeof appear, door->appear_ns);
    }
    if (door->grace_ns > 0) {
        duration_write(grace, sizeof grace, door->grace_ns);
    }
    if (door->back_ns > 0) {
        duration_write(back, sizeof back, door->back_ns);
    }
    append_pair(out, size, "listen", door->listen);
    append_pair(out, size, "key", door->key);
    append_pair(out, size, "allow", door->allow);
    append_pair(out, size, "address", door->address);
    append_pair(out, size, "file", door->file);
    append_pair(out, size, "appear", appear);
    append_pair(out, size, "grace", grace);
    append_count(out, size, "per_address", door->per_address);
    append_count(out, size, "connections", door->connections);
    append_pair(out, size, "back", back);
    if (out[0] == '\0') {
        snprintf(out, size, "off");
    }
}

enum bg_status door_value_complete(struct config_door *door, struct bg_error *err)
{
    static const char ending[] = ".key";
    const char *missing = door->listen[0] == '\0'  ? "listen, the address, like tcp://0.0.0.0:5555"
                          : door->key[0] == '\0'   ? "key, the file that 'bgref keygen --join' made"
                          : door->allow[0] == '\0' ? "allow, the file with the bots' public keys"
                                                   : NULL;
    size_t length = strlen(door->key);

    if (missing != NULL) {
        return bg_error_set(err, BG_E_ARGUMENT, "missing is %s", missing);
    }
    if (length > strlen(ending) && strcmp(door->key + length - strlen(ending), ending) == 0) {
        length -= strlen(ending);
    }
    if (door->file[0] == '\0') {
        snprintf(door->file, sizeof door->file, "%.*s.bgref", (int)length, door->key);
    }
    door->appear_ns = door->appear_ns == 0 ? APPEAR_NS : door->appear_ns;
    door->grace_ns = door->grace_ns == 0 ? GRACE_NS : door->grace_ns;
    door->back_ns = door->back_ns == 0 ? BACK_NS : door->back_ns;
    door->per_address = door->per_address == 0 ? PER_ADDRESS : door->per_address;
    door->connections = door->connections == 0 ? CONNECTIONS : door->connections;
    return BG_OK;
}
