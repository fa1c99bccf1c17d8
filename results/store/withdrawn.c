/* Settings are withdrawn by an empty text and not deleted: the store's settings are only ever
 * replaced, and an older program that asks for one finds nothing said, as before the end of the
 * event. */
#include "withdrawn.h"

#include <stdio.h>

static const char *const SAID[WITHDRAWN_MOST] = {"results.decided", "results.counted",
                                                 "results.root"};

enum bg_status withdrawn_find(struct withdrawn *out, struct store *store, struct bg_error *err)
{
    enum bg_status status = BG_OK;
    char text[RECORD_HASH] = "";

    *out = (struct withdrawn){.count = 0};
    for (int i = 0; i < WITHDRAWN_MOST && status == BG_OK; i++) {
        status = store_meta_text(text, sizeof text, store, SAID[i], err);
        if (status == BG_OK && text[0] != '\0') {
            out->setting[out->count++] = (struct store_setting){SAID[i], ""};
        }
    }
    /* The root is the last of the list, so its text is the one that is left. */
    snprintf(out->root, sizeof out->root, "%s", text);
    return status;
}
