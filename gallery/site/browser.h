/* browser.h - the desktop's browser. */
#ifndef GALLERY_SITE_BROWSER_H
#define GALLERY_SITE_BROWSER_H

#include <stdbool.h>

/* Opens an address with xdg-open, without waiting for it. Returns false if that is not there. */
bool browser_open(const char *address);

#endif
