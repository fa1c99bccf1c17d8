#include "join_site.h"

#include <jansson.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/plain_file.h"
#include "base/utc.h"
#include "base/yaml.h"
#include "config/allow_text.h"
#include "document/markup.h"
#include "door/host_file.h"
#include "site/site_files.h"

#define MINUTE_NS INT64_C(60000000000)

enum {
    OK = 200,
    BAD = 400,
    FORBIDDEN = 403,
    METHOD = 405,
    CONFLICT = 409,
    OFTEN = 429,
    FAILED = 500,
    FULL = 503,
    FILE_BYTES = 4096,
    WAITING = 100, /* registrations at most */
    ASKED = 256    /* addresses that are remembered for a minute */
};

struct join_site {
    struct join_settings settings;
    struct host_file host;
    char *text; /* of the host's file; owned */
    struct {
        char from[WEB_FROM];
        int64_t at_ns; /* 0: free */
    } asked[ASKED];
    int next;
};

struct registration {
    char name[65], key[200], token[65], contact[200];
    bool is_secret; /* the line was that of NAME.key */
};

/* ------------------------------------------------------------------ files */

/* A file that is not there is empty. */
static char *file_text(const char *path, size_t most)
{
    char *text = memory_zeroed(most + 1, 1);
    FILE *in;

    if (plain_file_open(&in, path, most) == NULL) {
        text[fread(text, 1, most, in)] = '\0';
        fclose(in);
    }
    return text;
}

enum bg_status join_open(struct join_site **out, const struct join_settings *settings,
                         struct bg_error *err)
{
    struct host_file host;
    enum bg_status status = host_file_read(&host, settings->host, err);

    if (status == BG_OK) {
        *out = memory_zeroed(1, sizeof **out);
        (*out)->settings = *settings;
        (*out)->host = host;
        (*out)->text = file_text(settings->host, FILE_BYTES);
    }
    return status;
}

void join_close(struct join_site *site)
{
    if (site != NULL) {
        free(site->text);
        free(site);
    }
}

/* ------------------------------------------------------------------ the page */

static void put_form(FILE *out, bool needs_token)
{
    fprintf(
        out,
        "<form method=\"post\" action=\"/join/register\">\n"
        "<p><label>Name of the bot<br><input name=\"name\" required maxlength=\"64\"></label></p>\n"
        "<p><label>Its public key: the line of NAME.pub<br><input name=\"key\" required "
        "size=\"60\"></label></p>\n%s"
        "<p><label>Contact, for the operator alone<br><input name=\"contact\" "
        "maxlength=\"199\"></label></p>\n<p><button>Register</button></p>\n</form>\n",
        needs_token
            ? "<p><label>Invitation<br><input name=\"token\" required size=\"34\"></label></p>\n"
            : "");
}

static int write_page(const struct join_site *site, FILE *out, struct web_answer *answer)
{
    char print[KEY_FILE_PRINT];

    key_fingerprint(print, site->host.key);
    answer->type = "text/html; charset=utf-8";
    answer->takes_forms = site->settings.registrations != NULL;
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Join ",
          out);
    markup_text(out, site->host.name);
    fprintf(out, "</title>\n<link rel=\"icon\" href=\"/%sicon.svg\">\n", site_assets());
    fprintf(out,
            "<link rel=\"stylesheet\" href=\"/%sstyle.css\">\n</head>\n<body>\n<main>\n<h1>Join ",
            site_assets());
    markup_text(out, site->host.name);
    fputs("</h1>\n<dl class=\"top\">\n<div><dt>Address</dt><dd><code>", out);
    markup_text(out, site->host.endpoint);
    fprintf(
        out,
        "</code></dd></div>\n<div><dt>Fingerprint of its key</dt><dd><code>%s</code></dd></div>\n"
        "</dl>\n<ol>\n<li><code>bgref keygen --join NAME</code> makes the key of your bot.</li>\n"
        "<li>%s</li>\n<li>Download <a href=\"/join.bgref\" download>join.bgref</a>, and when the "
        "operator has approved: <code>bgref join join.bgref ./mybot --key NAME.key</code>. It "
        "prints the fingerprint above. You yourself play with <code>--seat</code> in a terminal, "
        "with <code>--seat --page</code> in a browser.</li>\n</ol>\n",
        print,
        site->settings.registrations == NULL ? "Send NAME.pub to the operator."
                                             : "Register here, with NAME.pub.");
    if (site->settings.registrations != NULL) {
        put_form(out, site->settings.invitations != NULL);
    }
    fputs("<p><a href=\"/\">What is played here</a></p>\n</main>\n</body>\n</html>\n", out);
    return OK;
}

/* ------------------------------------------------------------------ a registration */

static int tell_why(FILE *out, int status, const char *why)
{
    fprintf(out, "%s\n", why);
    return status;
}

static bool is_too_often(struct join_site *site, const char *from, int64_t now_ns)
{
    for (int i = 0; i < ASKED; i++) {
        if (site->asked[i].at_ns != 0 && now_ns - site->asked[i].at_ns < MINUTE_NS &&
            strcmp(site->asked[i].from, from) == 0) {
            return true;
        }
    }
    snprintf(site->asked[site->next].from, WEB_FROM, "%s", from);
    site->asked[site->next].at_ns = now_ns;
    site->next = (site->next + 1) % ASKED;
    return false;
}

static bool take_field(char *out, size_t size, const struct web_request *request,
                       const json_t *json, const char *name)
{
    const char *text = json_string_value(json_object_get(json, name));

    if (!request->body_is_json) {
        return web_value(out, size, request->body, name);
    }
    return text != NULL && (size_t)snprintf(out, size, "%s", text) < size;
}

static bool take_fields(struct registration *out, const struct web_request *request)
{
    json_t *json = request->body_is_json
                       ? json_loadb(request->body, request->body_size, JSON_REJECT_DUPLICATES, NULL)
                       : NULL;
    const bool is_whole = take_field(out->name, sizeof out->name, request, json, "name") &&
                          take_field(out->key, sizeof out->key, request, json, "key");
    char *digits = strrchr(out->key, ' ');

    out->is_secret = strstr(out->key, "join-secret ") != NULL;
    if (is_whole && digits != NULL) { /* the line of NAME.pub: its last word */
        memmove(out->key, digits + 1, strlen(digits));
    }
    (void)take_field(out->token, sizeof out->token, request, json, "token");
    (void)take_field(out->contact, sizeof out->contact, request, json, "contact");
    json_decref(json);
    return is_whole;
}

/* Whether an entry of the list of invitations is for this name and token, and not over. */
static bool fits(const struct yaml *yaml, int entry, const char *name, const char *digest)
{
    static const char *const words[] = {"name", "token", "until"};
    char today[UTC_TEXT];
    const char *found[3] = {"", "", "9999"};

    for (int i = 0; i < 3; i++) {
        int twice = 0, node = yaml_find(yaml, entry, words[i], &twice);

        if (node != 0 && yaml_text(&found[i], yaml, node, words[i], 200, NULL) != BG_OK) {
            return false;
        }
    }
    utc_write(today, loop_calendar());
    return strcmp(found[0], name) == 0 && strcmp(found[1], digest) == 0 &&
           strncmp(today, found[2], strlen("2000-01-01")) <= 0;
}

static bool is_invited(const struct join_site *site, const struct registration *registration)
{
    unsigned char hash[32];
    char digest[2 * sizeof hash + 1];
    struct yaml *yaml = NULL;
    struct bg_error err;
    bool is_found = false;

    crypto_generichash(hash, sizeof hash, (const unsigned char *)registration->token,
                       strlen(registration->token), NULL, 0);
    sodium_bin2hex(digest, sizeof digest, hash, sizeof hash);
    if (yaml_open(&yaml, site->settings.invitations, &err) != BG_OK) {
        fprintf(stderr, "invitations: %s\n", err.text); /* the director's to mend */
    } else {
        for (int i = 0; i < yaml_count(yaml, yaml_root(yaml)); i++) {
            is_found = is_found ||
                       fits(yaml, yaml_item(yaml, yaml_root(yaml), i), registration->name, digest);
        }
    }
    yaml_close(yaml);
    return is_found;
}

/* The new entry; NULL: a text is not UTF-8. */
static char *entry_of(const struct registration *registration)
{
    char now[UTC_TEXT], note[300], *words;
    json_t *line;

    utc_write(now, loop_calendar());
    snprintf(note, sizeof note, "%s; %s", now, registration->contact);
    line = json_pack("{s:s, s:s, s:s}", "name", registration->name, "key", registration->key,
                     "note", note);
    words = line == NULL ? NULL : json_dumps(line, 0); /* a flow map of YAML, too */
    json_decref(line);
    return words;
}

/* What is wrong with the file is the director's to mend, and nobody else's to read. */
static int tell_trouble(FILE *out, const struct bg_error *err)
{
    fprintf(stderr, "registration: %s\n", err->text);
    return tell_why(out, err->status == BG_E_BUSY ? FULL : FAILED,
                    "the registration cannot be stored; tell the operator");
}

/* Adds the entry, if a host could read the list with it. */
static int add_entry(struct allow_text *list, const struct registration *registration, FILE *out)
{
    char *entry = entry_of(registration);
    struct bg_error err = {.text = ""};
    int status = OK;

    list->name = "registration"; /* not the operator's path */
    if (entry == NULL) {
        status = tell_why(out, BAD, "name, key and contact are UTF-8");
    } else if (list->known.count >= WAITING) {
        status =
            tell_why(out, FULL, "too many registrations wait for the operator; come again later");
    } else if (allow_find(&list->known, registration->name) != NULL) {
        status = tell_why(out, CONFLICT, "this name waits for the operator already");
    } else if (allow_text_add(list, entry, &err) != BG_OK) {
        status = tell_why(out, BAD, err.text);
    }
    free(entry);
    return status;
}

static int store_entry(const struct join_site *site, const struct registration *registration,
                       FILE *out)
{
    struct allow_text list;
    struct bg_error err = {.text = ""};
    int status = allow_text_open(&list, site->settings.registrations, &err) == BG_OK
                     ? add_entry(&list, registration, out)
                     : tell_trouble(out, &err);

    if (status == OK && allow_text_store(&list, &err) != BG_OK) {
        status = tell_trouble(out, &err);
    }
    if (status == OK) {
        fprintf(out, "%s is registered and waits for the operator\n", registration->name);
    }
    allow_text_close(&list);
    return status;
}

static int register_bot(struct join_site *site, int64_t now_ns, const struct web_request *request,
                        FILE *out)
{
    struct registration registration = {.name = ""};

    if (site->settings.registrations == NULL) {
        return tell_why(out, FORBIDDEN,
                        "registration is closed here; send NAME.pub to the operator");
    }
    if (strcmp(request->method, "POST") != 0) {
        return tell_why(out, METHOD, "registrations come by POST; /join has the form");
    }
    if (is_too_often(site, request->from, now_ns)) {
        return tell_why(out, OFTEN, "one registration a minute; come again in a minute");
    }
    if (!take_fields(&registration, request)) {
        return tell_why(
            out, BAD,
            "expected name and key, as a form or as a JSON object of texts: the bot's name "
            "of at most 64 characters, and the line or the digits of NAME.pub");
    }
    if (registration.is_secret) {
        return tell_why(out, BAD,
                        "this is the secret key, which nobody else may have: make another with "
                        "'bgref keygen --join NAME', and send NAME.pub");
    }
    if (strlen(registration.contact) + 1 == sizeof registration.contact) {
        return tell_why(out, BAD, "the contact is too long: at most 198 bytes");
    }
    if (site->settings.invitations != NULL && !is_invited(site, &registration)) {
        return tell_why(out, FORBIDDEN,
                        "the invitation is not one for this name, or it is over; ask the operator");
    }
    return store_entry(site, &registration, out);
}

int join_answer(struct join_site *site, int64_t now_ns, const struct web_request *request,
                FILE *out, struct web_answer *answer)
{
    if (strcmp(request->path, "/join") == 0) {
        return write_page(site, out, answer);
    }
    if (strcmp(request->path, "/join.bgref") == 0) {
        fputs(site->text, out);
        snprintf(answer->file_name, sizeof answer->file_name, "join.bgref");
        return OK;
    }
    return strcmp(request->path, "/join/register") == 0 ? register_bot(site, now_ns, request, out)
                                                        : 0;
}
