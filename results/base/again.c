/* One text has both commands because it is stored so: "bgref ask" starts the bot again, any
 * other line asks the rules alone. A record of an older version has only one of them. */
#include "again.h"

#include <stdlib.h>
#include <string.h>

#include <base/memory.h>

void again_init(struct again *out, const char *reproduce)
{
    *out = (struct again){NULL, NULL};
    for (const char *line = reproduce; line != NULL && *line != '\0';) {
        size_t length = strcspn(line, "\n");
        char **place = strncmp(line, "bgref ask ", 10) == 0 ? &out->bot : &out->rules;

        free(*place);
        *place = memory_text_of(line, length);
        line += length + (line[length] == '\n');
    }
}

void again_deinit(struct again *again)
{
    free(again->rules);
    free(again->bot);
}
