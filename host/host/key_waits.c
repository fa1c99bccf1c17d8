/* Times of day in the file, as the host's monotonic clock begins anew with the machine; on
 * reading a wait is cut to a whole one, so a clock that was set back cannot lock a key out for
 * years. */
#include "key_waits.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "door/remote_bots.h"
#include "base/durable.h"
#include "base/memory.h"

static const char MAGIC[] = "bgref-waits 1";

enum { WAIT_S = REPLACEMENTS_WAIT_NS / INT64_C(1000000000) };

void key_waits_deinit(struct key_waits *waits)
{
    free(waits->list);
    *waits = (struct key_waits){.count = 0};
}

static struct key_wait *find_wait(const struct key_waits *waits, const char *name)
{
    for (int i = 0; i < waits->count; i++) {
        if (strcmp(waits->list[i].name, name) == 0) {
            return &waits->list[i];
        }
    }
    return NULL;
}

void key_waits_set(struct key_waits *waits, const char *name, int64_t until_s)
{
    struct key_wait *one = find_wait(waits, name);

    if (one == NULL) {
        waits->list =
            memory_list(waits->list, &waits->room, (size_t)waits->count + 1, sizeof *waits->list);
        one = &waits->list[waits->count++];
        snprintf(one->name, sizeof one->name, "%s", name);
    }
    one->until_s = until_s;
}

int key_waits_left_s(const struct key_waits *waits, const char *name, int64_t now_s)
{
    const struct key_wait *one = find_wait(waits, name);

    if (one == NULL || one->until_s <= now_s) {
        return 0;
    }
    return one->until_s - now_s > WAIT_S ? WAIT_S : (int)(one->until_s - now_s);
}

/* ------------------------------------------------------------------------ the file */

static enum bg_status take_wait(void *user, char *line, bool *is_known, struct bg_error *err)
{
    char name[NAME_SIZE];
    int64_t until_s;
    int used = 0;

    (void)err;
    /* %64s is NAME_SIZE without the terminator; what stands behind the number fails the line. */
    *is_known = sscanf(line, "%64s %" SCNd64 "%n", name, &until_s, &used) == 2 &&
                line[used] == '\0' && name_is_valid(name);
    if (*is_known) {
        key_waits_set(user, name, until_s);
    }
    return BG_OK;
}

enum bg_status key_waits_load(struct key_waits *out, const char *path, struct bg_error *err)
{
    const struct durable_reader reader = {MAGIC, "a host's keys that wait", take_wait, out};
    enum bg_status status;

    *out = (struct key_waits){.count = 0};
    status = durable_load(&reader, path, err);
    if (status != BG_OK) {
        key_waits_deinit(out);
    }
    return status;
}

static void write_waits(FILE *out, const void *user)
{
    const struct key_waits *waits = user;

    fprintf(out, "%s\n", MAGIC);
    for (int i = 0; i < waits->count; i++) {
        fprintf(out, "%s %" PRId64 "\n", waits->list[i].name, waits->list[i].until_s);
    }
}

enum bg_status key_waits_save(struct key_waits *waits, const char *path, int64_t now_s,
                              struct bg_error *err)
{
    int kept = 0;

    for (int i = 0; i < waits->count; i++) {
        if (key_waits_left_s(waits, waits->list[i].name, now_s) > 0) {
            /* The file shrinks when it is written: what is over is left out. */
            waits->list[kept++] = waits->list[i];
        }
    }
    waits->count = kept;
    return durable_write(path, write_waits, waits, err);
}
