/* One hash over all of them stands in the path of their folder: scripts import each other by their
 * names alone. */
#include "site_files.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "document/report_css.h"
#include "site_page.h"

const struct site_asset site_asset[SITE_ASSETS] = {
    {"style.css", report_css, "text/css; charset=utf-8"},
    {"board.js", board_js, "text/javascript; charset=utf-8"},
    {"replay.js", replay_js, "text/javascript; charset=utf-8"},
    {"replay.css", replay_css, "text/css; charset=utf-8"},
    {"shared.js", shared_js, "text/javascript; charset=utf-8"},
    {"shared.css", replay_css, "text/css; charset=utf-8"},
    {"embed.css", embed_css, "text/css; charset=utf-8"},
    {"live.js", live_js, "text/javascript; charset=utf-8"},
    {"live.css", live_css, "text/css; charset=utf-8"},
    {"icon.svg", icon_svg, "image/svg+xml"},
};

enum { HASH = 16, HASH_SHOWN = 6 };

const char *site_assets(void)
{
    static char path[2 + 2 * HASH_SHOWN + 2];

    if (path[0] == '\0') {
        crypto_generichash_state state;
        unsigned char hash[HASH];
        char text[2 * HASH_SHOWN + 1];

        crypto_generichash_init(&state, NULL, 0, sizeof hash);
        for (int i = 0; i < SITE_ASSETS; i++) {
            crypto_generichash_update(&state, site_asset[i].bytes,
                                      strlen((const char *)site_asset[i].bytes));
        }
        crypto_generichash_final(&state, hash, sizeof hash);
        sodium_bin2hex(text, sizeof text, hash, HASH_SHOWN);
        snprintf(path, sizeof path, "s/%s/", text);
    }
    return path;
}

void site_file(struct site_page *page)
{
    size_t size = strlen(site_assets());

    for (int i = 0; strncmp(page->path, site_assets(), size) == 0 && i < SITE_ASSETS; i++) {
        if (strcmp(page->path + size, site_asset[i].name) == 0) {
            site_text(page, site_asset[i].type, (const char *)site_asset[i].bytes);
            page->answer->is_immutable = true;
            return;
        }
    }
    site_none(page, "no such file");
}
