/* The digest covers what was examined and what came of it, not messages and times: a second
 * examination of the same program has the same digest, and a host can ask for one. */
#include "certificate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <sodium.h>

#include <base/memory.h>
#include <bgref/api.h>
#include <rules/clean.h>

#include "document/markup.h"

static const struct failure no_failure = {
    .rule = "", .kind = "", .message = "", .rules_say = "", .again = ""};

static void failure_deinit(struct failure *failure)
{
    free(failure->message);
    free(failure->rules_say);
    free(failure->again);
}

void finding_deinit(struct finding *finding)
{
    for (size_t i = 0; i < finding->failures; i++) {
        failure_deinit(&finding->failure[i]);
    }
    free(finding->failure);
    finding->failure = NULL;
    finding->failures = finding->failure_room = 0;
}

void certificate_deinit(struct certificate *certificate)
{
    for (size_t i = 0; i < certificate->count; i++) {
        finding_deinit(&certificate->list[i]);
    }
    free(certificate->list);
    certificate->list = NULL;
    certificate->count = certificate->room = 0;
}

struct finding *certificate_add(struct certificate *certificate, int level, const char *name)
{
    struct finding *finding;

    certificate->list = memory_list(certificate->list, &certificate->room, certificate->count + 1,
                                    sizeof *certificate->list);
    finding = &certificate->list[certificate->count++];
    *finding = (struct finding){.level = level};
    snprintf(finding->name, sizeof finding->name, "%s", name);
    return finding;
}

void finding_pass(struct finding *finding)
{
    finding->tried++;
}

/* Whether the same question has failed already in this way; a check may ask it several times. */
static bool has_failure(const struct finding *finding, const struct failure *failure)
{
    for (size_t i = 0; i < finding->failures; i++) {
        if (strcmp(finding->failure[i].rule, failure->rule) == 0 &&
            strcmp(finding->failure[i].again, failure->again) == 0 &&
            strcmp(finding->failure[i].kind, failure->kind) == 0 &&
            (failure->again[0] != '\0' ||
             strcmp(finding->failure[i].message, failure->message) == 0)) {
            return true;
        }
    }
    return false;
}

/* Keeps it, or frees it. */
static void keep_failure(struct finding *finding, struct failure *failure)
{
    if (finding->failures == FAILURES_KEPT || has_failure(finding, failure)) {
        failure_deinit(failure);
        return;
    }
    finding->failure = memory_list(finding->failure, &finding->failure_room, finding->failures + 1,
                                   sizeof *finding->failure);
    finding->failure[finding->failures++] = *failure;
}

static char *clean(const char *text)
{
    char *copy = clean_copy(text == NULL ? "" : text, CLEAN_LINE);

    if (copy == NULL) {
        memory_none(strlen(text));
    }
    return copy;
}

void finding_fail(struct finding *finding, const char *rule, const char *kind, const char *message,
                  const struct again *again)
{
    struct failure failure = {.kind = kind,
                              .message = clean(message),
                              .rules_say = clean(again == NULL ? NULL : again->rules),
                              .again = clean(again == NULL ? NULL : again->bot)};

    finding->tried++;
    finding->failed++;
    snprintf(failure.rule, sizeof failure.rule, "%s", rule);
    keep_failure(finding, &failure);
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

/* ------------------------------------------------------------------------- JSON */

static json_t *finding_json(const struct finding *finding)
{
    const struct failure *first = finding->failures > 0 ? &finding->failure[0] : &no_failure;

    return json_pack("{s:i, s:s, s:b, s:I, s:I, s:s, s:s, s:s, s:s, s:s}", "level", finding->level,
                     "check", finding->name, "passed", finding->failed == 0, "tried",
                     (json_int_t)finding->tried, "failed", (json_int_t)finding->failed, "rule",
                     first->rule, "story", finding->failed > 0 ? first->message : finding->note,
                     "rules_say", first->rules_say, "again", first->again, "stderr",
                     finding->said.text);
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
        const struct failure *first = finding->failures > 0 ? &finding->failure[0] : &no_failure;

        fprintf(out, "  <testcase classname=\"level%d\" name=\"", finding->level);
        markup_text(out, finding->name);
        if (finding->failed == 0) {
            fputs("\"/>\n", out);
            continue;
        }
        fputs("\">\n    <failure type=\"", out);
        markup_text(out, first->rule[0] == '\0' ? "protocol" : first->rule);
        fputs("\" message=\"", out);
        markup_text(out, first->message);
        fputs("\">", out);
        markup_text(out, first->again);
        if (finding->said.text[0] != '\0') {
            fputs("\n", out);
            markup_text(out, finding->said.text);
        }
        fputs("</failure>\n  </testcase>\n", out);
    }
    fputs("</testsuite>\n", out);
}
