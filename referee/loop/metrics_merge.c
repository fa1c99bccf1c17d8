/* A reader wants all samples of a family in one block, and the text of each event has every
 * family: so lines are gathered by family, in the order in which families are first seen. What
 * is too much (FAMILIES_MOST) is left out, not refused: the other numbers are still right. */
#include "metrics_merge.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { NAME = 100, FAMILIES_MOST = 100 };

struct family {
    char name[NAME];
    char *text; /* owned: its lines */
    size_t size, room;
    bool is_known; /* HELP and TYPE are there */
};

struct metrics_merge {
    struct family families[FAMILIES_MOST];
    int count;
};

struct metrics_merge *metrics_merge_create(void)
{
    return memory_zeroed(1, sizeof(struct metrics_merge));
}

void metrics_merge_destroy(struct metrics_merge *merge)
{
    for (int i = 0; merge != NULL && i < merge->count; i++) {
        free(merge->families[i].text);
    }
    free(merge);
}

static struct family *find(struct metrics_merge *merge, const char *name, size_t size)
{
    for (int i = 0; i < merge->count; i++) {
        if (strlen(merge->families[i].name) == size &&
            memcmp(merge->families[i].name, name, size) == 0) {
            return &merge->families[i];
        }
    }
    if (merge->count == FAMILIES_MOST || size >= NAME) {
        return NULL;
    }
    memcpy(merge->families[merge->count].name, name, size);
    return &merge->families[merge->count++];
}

static void append(struct family *family, const char *line, size_t size)
{
    family->text = memory_list(family->text, &family->room, family->size + size + 1, 1);
    memcpy(family->text + family->size, line, size);
    family->size += size;
    family->text[family->size] = '\0';
}

/* "# HELP NAME ..." begins a family, "# TYPE NAME ..." goes on; all other lines are its samples. */
void metrics_merge_add(struct metrics_merge *merge, const char *text)
{
    static const char help[] = "# HELP ", type[] = "# TYPE ";
    struct family *family = NULL;
    bool is_new = false;

    while (*text != '\0') {
        size_t size = strcspn(text, "\n");
        bool is_help = strncmp(text, help, strlen(help)) == 0;
        bool is_type = strncmp(text, type, strlen(type)) == 0;

        size += text[size] == '\n';
        if (is_help) {
            family = find(merge, text + strlen(help), strcspn(text + strlen(help), " \n"));
            is_new = family != NULL && !family->is_known;
        }
        if (family != NULL && (!(is_help || is_type) || is_new)) {
            append(family, text, size);
        }
        if (family != NULL && is_type) {
            family->is_known = true;
        }
        text += size;
    }
}

double metrics_merge_sum(const struct metrics_merge *merge, const char *name)
{
    double sum = 0;

    for (int i = 0; i < merge->count; i++) {
        const char *line =
            strcmp(merge->families[i].name, name) == 0 ? merge->families[i].text : "";

        while (line != NULL && *line != '\0') {
            size_t size = strcspn(line, "\n");
            const char *value = line + size;

            while (value > line && value[-1] != ' ') {
                value--;
            }
            sum += line[0] == '#' ? 0 : strtod(value, NULL);
            line += size + (line[size] == '\n');
        }
    }
    return sum;
}

void metrics_merge_write(FILE *out, const struct metrics_merge *merge)
{
    for (int i = 0; i < merge->count; i++) {
        fputs(merge->families[i].text, out);
    }
}
