#include "certificate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <sodium.h>

#include <bgref/api.h>
#include <rules/clean.h>

#include "document/markup.h"

void certificate_deinit(struct certificate *certificate)
{
    free(certificate->list);
    certificate->list = NULL;
    certificate->count = certificate->room = 0;
}

struct finding *certificate_add(struct certificate *certificate, int level, const char *name)
{
    struct finding *finding;

    if (certificate->count == certificate->room) {
        size_t room = certificate->room == 0 ? 64 : certificate->room * 2;
        struct finding *grown = realloc(certificate->list, room * sizeof *grown);

        if (grown == NULL) {
            return NULL;
        }
        certificate->list = grown;
        certificate->room = room;
    }
    finding = &certificate->list[certificate->count++];
    *finding = (struct finding){.level = level};
    snprintf(finding->name, sizeof finding->name, "%s", name);
    return finding;
}

void finding_pass(struct finding *finding)
{
    finding->tried++;
}

/* Copies a bot's text as one line without control characters. */
static void copy_clean(char *out, size_t size, const char *text)
{
    clean_write(out, size, text == NULL ? "" : text, text == NULL ? 0 : strlen(text), CLEAN_LINE);
}

void finding_fail(struct finding *finding, const char *rule, const char *message,
                  const struct again *again)
{
    finding->tried++;
    if (finding->failed++ == 0) {
        copy_clean(finding->rule, sizeof finding->rule, rule);
        copy_clean(finding->message, sizeof finding->message, message);
        copy_clean(finding->rules_say, sizeof finding->rules_say,
                   again == NULL ? NULL : again->rules);
        copy_clean(finding->again, sizeof finding->again, again == NULL ? NULL : again->bot);
    }
}

void finding_said(struct finding *finding, const struct said *said)
{
    if (finding->failed == 1) {
        finding->said = *said;
    }
}

int certificate_level(const struct certificate *certificate)
{
    int reached = certificate->asked;

    for (size_t i = 0; i < certificate->count; i++) {
        const struct finding *finding = &certificate->list[i];

        if (finding->failed > 0 && finding->level <= reached) {
            reached = finding->level - 1;
        }
    }
    return reached;
}

void certificate_hash(char out[CERTIFICATE_HASH], const struct certificate *certificate)
{
    crypto_generichash_state state;
    unsigned char digest[(CERTIFICATE_HASH - 1) / 2];
    char line[256];

    crypto_generichash_init(&state, NULL, 0, sizeof digest);
    snprintf(line, sizeof line, "bgref-certificate 1\nprogram %s\nlevel %d of %d\n",
             certificate->program, certificate_level(certificate), certificate->asked);
    crypto_generichash_update(&state, (const unsigned char *)line, strlen(line));
    crypto_generichash_update(&state, (const unsigned char *)certificate->options,
                              strlen(certificate->options) + 1);
    for (size_t i = 0; i < certificate->count; i++) {
        const struct finding *finding = &certificate->list[i];

        snprintf(line, sizeof line, "%d %s: %s\n", finding->level, finding->name,
                 finding->failed > 0 ? "failed" : "passed");
        crypto_generichash_update(&state, (const unsigned char *)line, strlen(line));
    }
    crypto_generichash_final(&state, digest, sizeof digest);
    sodium_bin2hex(out, CERTIFICATE_HASH, digest, sizeof digest);
}

/* ------------------------------------------------------------------------- text */

static void write_said(FILE *out, const struct said *said)
{
    const char *remedy = said_remedy(said);

    if (said->text[0] != '\0') {
        fprintf(out, "        it wrote last to standard error (stderr=FILE keeps all of it):\n");
        said_print(out, "          ", said);
    }
    if (remedy != NULL) {
        fprintf(out, "        what to do: %s\n", remedy);
    }
}

static void write_level(FILE *out, const struct certificate *certificate, int level)
{
    static const char *const names[CERTIFICATE_LEVELS] = {"plays", "knows the rules",
                                                          "keeps the protocol"};
    uint64_t tried = 0, passed = 0;

    for (size_t i = 0; i < certificate->count; i++) {
        if (certificate->list[i].level == level) {
            tried++;
            passed += certificate->list[i].failed == 0;
        }
    }
    if (tried == 0) {
        fprintf(out, "level %d, %s: not examined\n", level, names[level]);
    } else {
        fprintf(out, "level %d, %s: %" PRIu64 " of %" PRIu64 " passed\n", level, names[level],
                passed, tried);
    }
    for (size_t i = 0; i < certificate->count; i++) {
        const struct finding *finding = &certificate->list[i];

        if (finding->level != level || (finding->failed == 0 && finding->message[0] == '\0')) {
            continue;
        }
        fprintf(out, "  %s  %s", finding->failed > 0 ? "FAIL" : "ok  ", finding->name);
        if (finding->failed > 0 && finding->tried > 1) {
            fprintf(out, " (%" PRIu64 " of %" PRIu64 ")", finding->failed, finding->tried);
        }
        fprintf(out, ": %s%s%s\n", finding->rule, finding->rule[0] == '\0' ? "" : ", ",
                finding->message);
        if (finding->rules_say[0] != '\0') {
            fprintf(out, "        rules say: %s\n", finding->rules_say);
        }
        if (finding->again[0] != '\0') {
            fprintf(out, "        again: %s\n", finding->again);
        }
        write_said(out, &finding->said);
    }
}

void certificate_write_text(FILE *out, const struct certificate *certificate)
{
    int level = certificate_level(certificate);
    char hash[CERTIFICATE_HASH];

    for (int i = 0; i <= certificate->asked; i++) {
        write_level(out, certificate, i);
    }
    certificate_hash(hash, certificate);
    fprintf(out, "%s%s%s%s: ", certificate->bot, certificate->version[0] == '\0' ? "" : " (",
            certificate->version, certificate->version[0] == '\0' ? "" : ")");
    if (level < 0) {
        fprintf(out, "no level reached");
    } else {
        fprintf(out, "level %d of %d", level, certificate->asked);
    }
    fprintf(out, ", %.1f s\ncertificate: %s\n", certificate->seconds, hash);
}

/* ------------------------------------------------------------------------- JSON */

static json_t *finding_json(const struct finding *finding)
{
    return json_pack("{s:i, s:s, s:b, s:I, s:I, s:s, s:s, s:s, s:s, s:s}", "level", finding->level,
                     "check", finding->name, "passed", finding->failed == 0, "tried",
                     (json_int_t)finding->tried, "failed", (json_int_t)finding->failed, "rule",
                     finding->rule, "story", finding->message, "rules_say", finding->rules_say,
                     "again", finding->again, "stderr", finding->said.text);
}

enum bg_status certificate_write_json(FILE *out, const struct certificate *certificate,
                                      struct bg_error *err)
{
    char hash[CERTIFICATE_HASH];
    json_t *findings = json_array(), *object;
    enum bg_status status = BG_OK;

    for (size_t i = 0; i < certificate->count; i++) {
        json_array_append_new(findings, finding_json(&certificate->list[i]));
    }
    certificate_hash(hash, certificate);
    object = json_pack("{s:s, s:i, s:s, s:s, s:s, s:s, s:s, s:i, s:i, s:f, s:s, s:o}", "schema",
                       "bgref-certificate", "version", 2, "bgref", BG_VERSION, "bot",
                       certificate->bot, "bot_version", certificate->version, "options",
                       certificate->options, "program", certificate->program, "level",
                       certificate_level(certificate), "examined", certificate->asked, "seconds",
                       certificate->seconds, "certificate", hash, "findings", findings);
    if (object == NULL || json_dumpf(object, out, JSON_INDENT(1) | JSON_PRESERVE_ORDER) != 0) {
        status = bg_error_set(err, BG_E_SYSTEM, "certificate as JSON");
    }
    fputc('\n', out);
    json_decref(object);
    return status;
}

/* ------------------------------------------------------------------------ JUnit */

void certificate_write_junit(FILE *out, const struct certificate *certificate)
{
    size_t failures = 0;

    for (size_t i = 0; i < certificate->count; i++) {
        failures += certificate->list[i].failed > 0;
    }
    fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"bgref check ");
    markup_text(out, certificate->bot);
    fprintf(out, "\" tests=\"%zu\" failures=\"%zu\" time=\"%.3f\">\n", certificate->count, failures,
            certificate->seconds);
    for (size_t i = 0; i < certificate->count; i++) {
        const struct finding *finding = &certificate->list[i];

        fprintf(out, "  <testcase classname=\"level%d\" name=\"", finding->level);
        markup_text(out, finding->name);
        if (finding->failed == 0) {
            fputs("\"/>\n", out);
            continue;
        }
        fputs("\">\n    <failure type=\"", out);
        markup_text(out, finding->rule[0] == '\0' ? "protocol" : finding->rule);
        fputs("\" message=\"", out);
        markup_text(out, finding->message);
        fputs("\">", out);
        markup_text(out, finding->again);
        if (finding->said.text[0] != '\0') {
            fputs("\n", out);
            markup_text(out, finding->said.text);
        }
        fputs("</failure>\n  </testcase>\n", out);
    }
    fputs("</testsuite>\n", out);
}
