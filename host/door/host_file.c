/* The file is YAML like the event's, so an author can read it and the host's name may have any
 * characters: a name that YAML could read as something else has quotes, and so has the key, which
 * another reader of YAML might take for a number. */
#include "host_file.h"

#include <stdio.h>
#include <string.h>

#include <sodium.h>

#include "base/output.h"
#include "base/yaml.h"
#include "tcp_listen.h"

bool host_endpoint_is_any(const char *endpoint)
{
    /* Good to listen at, useless to connect to: an author would reach the own machine. */
    return strstr(endpoint, "//0.0.0.0:") != NULL || strstr(endpoint, "//*:") != NULL ||
           strstr(endpoint, "//[::]:") != NULL;
}

enum bg_status host_file_write(const struct host_file *host, const char *path, struct bg_error *err)
{
    char hex[KEY_FILE_DIGITS], fingerprint[KEY_FILE_PRINT];
    const char *quote = key_name_is_valid(host->name) && host->name[0] != '-' ? "" : "'";
    struct output output;
    struct bg_error why = {.text = ""};
    enum bg_status status = output_open(&output, path, &why);

    if (status != BG_OK) {
        return bg_error_set(err, status,
                            "%.400s; choose a place for this file where the referee's user may "
                            "write (door: file, of a host bots: file)",
                            why.text);
    }
    sodium_bin2hex(hex, sizeof hex, host->key, sizeof host->key);
    key_fingerprint(fingerprint, host->key);
    fprintf(output.file,
            "# For authors: bgref join FILE BOT --key NAME.key\n# fingerprint %s\nhost: %s",
            fingerprint, quote);
    for (const char *at = host->name; *at != '\0'; at++) {
        fputs(*at == '\'' ? "''" : (const char[]){*at, '\0'}, output.file); /* as YAML wants it */
    }
    fprintf(output.file, "%s\nendpoint: %s\nkey: '%s'\n", quote, host->endpoint, hex);
    return output_close(&output, err);
}

static enum bg_status text_of(const char **out, const struct yaml *yaml, const char *name,
                              size_t most, struct bg_error *err)
{
    int twice;
    int node = yaml_find(yaml, yaml_root(yaml), name, &twice);

    /* Twice is refused, not decided: which of two keys is meant is what a forger would like to
     * choose. */
    if (node == 0 || twice != 0) {
        return yaml_error(err, yaml, yaml_root(yaml), name,
                          "%s; the host's referee writes this file",
                          twice ? "given twice" : "is missing");
    }
    return yaml_text(out, yaml, node, name, most, err);
}

enum bg_status host_file_read(struct host_file *out, const char *path, struct bg_error *err)
{
    struct yaml *yaml = NULL;
    const char *name = "", *endpoint = "", *key = "", *port = "";
    char host[TCP_ADDRESS_HOST];
    enum bg_status status = yaml_open(&yaml, path, err);

    if (status == BG_OK && !yaml_is_map(yaml, yaml_root(yaml))) {
        status = yaml_error(err, yaml, yaml_root(yaml), NULL,
                            "not a host file; the host's referee writes it: HOST.bgref");
    }
    if (status == BG_OK) {
        status = text_of(&name, yaml, "host", KEY_FILE_NAME - 1, err);
    }
    if (status == BG_OK) {
        status = text_of(&endpoint, yaml, "endpoint", HOST_ENDPOINT - 1, err);
    }
    if (status == BG_OK) {
        status = text_of(&key, yaml, "key", KEY_FILE_DIGITS - 1, err);
    }
    if (status == BG_OK && !tcp_address_cut(host, &port, endpoint)) {
        status = yaml_error(err, yaml, yaml_root(yaml), "endpoint",
                            "'%.60s' is not an address like tcp://bg.example.org:5555, with a port "
                            "up to 65535",
                            endpoint);
    }
    if (status == BG_OK && !key_read_hex(out->key, key)) {
        status = yaml_error(err, yaml, yaml_root(yaml), "key", "64 hexadecimal digits are needed");
    }
    if (status == BG_OK) {
        snprintf(out->name, sizeof out->name, "%s", name);
        snprintf(out->endpoint, sizeof out->endpoint, "%s", endpoint);
    }
    yaml_close(yaml);
    return status;
}
