/* What `bgref check` prints. One mistake of a bot shows in many positions, so failures of one
 * rule or fault are a group, over all checks and levels: three of them tell as much as hundreds. */
#include "certificate.h"

#include <inttypes.h>
#include <string.h>

#include "tables/page.h"
#include "base/plural.h"

/* The failures that are shown together: of one rule, else of one fault, else of one check of all
 * games. */
static const char *group_of(const struct finding *finding, const struct failure *failure)
{
    const char *behind_game = strstr(finding->name, ": ");

    if (failure->rule[0] != '\0') {
        return failure->rule;
    }
    if (failure->kind[0] != '\0') {
        return failure->kind;
    }
    return behind_game == NULL ? finding->name : behind_game + 2;
}

static void write_said(FILE *out, const struct said *said)
{
    const char *remedy = said_remedy(said);

    if (said->text[0] != '\0') {
        fprintf(out, "        it wrote last (stderr=FILE keeps all of it):\n");
        said_print(out, "          ", said);
    }
    if (remedy != NULL) {
        fprintf(out, "        what to do: %s\n", remedy);
    }
}

static void write_failure(FILE *out, const struct finding *finding, size_t number)
{
    const struct failure *failure = &finding->failure[number];

    char share[64] = "";

    if (number == 0 && finding->tried > 1) {
        snprintf(share, sizeof share, " (%" PRIu64 " of %" PRIu64 ")", finding->failed,
                 finding->tried);
    }
    page_line(out, 8, "  FAIL  %s%s: %s%s%s", finding->name, share, failure->rule,
              failure->rule[0] == '\0' ? "" : ", ", failure->message);
    if (failure->rules_say[0] != '\0') {
        page_line(out, 8, "        rules say: %s", failure->rules_say);
    }
    if (failure->again[0] != '\0') {
        fprintf(out, "        again: %s\n", failure->again);
    }
    if (number == 0) {
        write_said(out, &finding->said);
    }
}

/* Groups whose failures were written. Rules, faults, and the checks without either are fewer. */
enum { GROUPS_MAX = 256 };

struct groups {
    struct group {
        const char *name;
        uint64_t shown;
        int level; /* of the last level that was written */
    } list[GROUPS_MAX];
    size_t count;
};

/* Returns NULL if there are too many. */
static struct group *find_group(struct groups *groups, const char *name)
{
    for (size_t i = 0; i < groups->count; i++) {
        if (strcmp(groups->list[i].name, name) == 0) {
            return &groups->list[i];
        }
    }
    if (groups->count == GROUPS_MAX) {
        return NULL;
    }
    groups->list[groups->count] = (struct group){.name = name, .level = -1};
    return &groups->list[groups->count++];
}

/* Writes the failures of a group in this level, at most as many as all levels together may show:
 * each check's first one, then the second ones, and so on, so that they come from several checks.
 */
static void write_group(FILE *out, const struct certificate *certificate, struct group *group,
                        int level, bool all)
{
    uint64_t more = 0;

    for (size_t number = 0; number < FAILURES_KEPT; number++) {
        for (size_t i = 0; i < certificate->count; i++) {
            const struct finding *finding = &certificate->list[i];

            if (finding->level != level || number >= finding->failures ||
                strcmp(group_of(finding, &finding->failure[number]), group->name) != 0) {
                continue;
            }
            if (all || group->shown < FAILURES_SHOWN) {
                write_failure(out, finding, number);
                group->shown++;
            } else {
                more++;
            }
        }
    }
    if (more > 0) {
        fprintf(out, "        and %" PRIu64 " more (%s): --all\n", more, group->name);
    }
}

static void write_findings(FILE *out, const struct certificate *certificate, int level,
                           struct groups *groups, bool all)
{
    for (size_t i = 0; i < certificate->count; i++) {
        const struct finding *finding = &certificate->list[i];

        if (finding->level != level) {
            continue;
        }
        if (finding->failed == 0 && finding->note[0] != '\0') {
            page_line(out, 8, "  ok    %s: %s", finding->name, finding->note);
        }
        for (size_t j = 0; j < finding->failures; j++) {
            struct group *group = find_group(groups, group_of(finding, &finding->failure[j]));

            if (group != NULL && group->level < level) {
                group->level = level;
                write_group(out, certificate, group, level, all);
            }
        }
    }
}

static void write_level(FILE *out, const struct certificate *certificate, int level,
                        struct groups *groups, bool all)
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
    write_findings(out, certificate, level, groups, all);
}

void certificate_write_text(FILE *out, const struct certificate *certificate, bool all)
{
    struct groups groups = {.count = 0};
    int level = certificate_level(certificate);
    char hash[CERTIFICATE_HASH];

    for (int i = 0; i <= certificate->asked; i++) {
        write_level(out, certificate, i, &groups, all);
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
