/* One line with tabs, since both ends are the same program; a text that has a tab itself
 * makes too many fields, and the reader refuses the line. The first field is a version, so
 * that an older referee refuses what it would misread. */
#define _GNU_SOURCE
#include "desk_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/line_ask.h"

static const char magic[] = "bgref-desk-1";
enum { FIELDS = 5, SILENT = 400 };

/* ------------------------------------------------------------------ the line */

/* size: of the line with its LF. */
static size_t desk_line_write(char out[DESK_LINE], const struct desk_wish *wish)
{
    const char *dry = wish->dry_run ? "d" : "", *json = wish->json ? "j" : "";

    char asker[16] = "";

    if (wish->has_asker) {
        snprintf(asker, sizeof asker, "%u", wish->asker);
    }
    return (size_t)snprintf(out, DESK_LINE, "%s\t%s%s-%s\t%s\t%s\t%s\n", magic, dry, json, asker,
                            wish->act.kind, wish->act.subject, wish->act.reason);
}

static bool copy_word(char *out, size_t room, const char *text)
{
    return text != NULL && snprintf(out, room, "%s", text) < (int)room;
}

bool desk_line_read(struct desk_wish *out, char *line)
{
    char *field[FIELDS], *rest = line;

    *out = (struct desk_wish){.dry_run = false};
    line[strcspn(line, "\n")] = '\0';
    for (int i = 0; i < FIELDS; i++) {
        field[i] = strsep(&rest, "\t");
    }
    /* Neither more nor fewer fields. */
    if (rest != NULL || field[FIELDS - 1] == NULL || strcmp(field[0], magic) != 0) {
        return false;
    }
    out->dry_run = strchr(field[1], 'd') != NULL;
    out->json = strchr(field[1], 'j') != NULL;
    field[1] += strcspn(field[1], "0123456789");
    out->has_asker = field[1][0] != '\0';
    out->asker = (unsigned)strtoul(field[1], NULL, 10);
    return copy_word(out->act.kind, sizeof out->act.kind, field[2]) &&
           copy_word(out->act.subject, sizeof out->act.subject, field[3]) &&
           copy_word(out->act.reason, sizeof out->act.reason, field[4]);
}

/* ------------------------------------------------------------------ asking */

enum bg_status desk_ask(char **answer, const char *results, const struct desk_wish *wish,
                        int patience_s, struct bg_error *err)
{
    char line[DESK_LINE], silent[SILENT], *path = memory_print("%s.desk", results);
    enum bg_status status;

    snprintf(silent, sizeof silent,
             "the referee gave no answer: it has ended, or is stopped; before you repeat an act, "
             "look at 'bgref report %.200s --sheet --section decisions'",
             results);
    desk_line_write(line, wish);
    status = line_ask(answer, path, line, silent, patience_s, err);
    free(path);
    return status;
}

/* lstat and not stat: a link that somebody has put there must not lead the unlink elsewhere. */
void desk_clear(const char *results)
{
    char *path = memory_print("%s.desk", results);
    struct stat info;

    if (lstat(path, &info) == 0 && S_ISSOCK(info.st_mode)) {
        unlink(path);
    }
    free(path);
}
