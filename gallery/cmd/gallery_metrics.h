/* gallery_metrics.h - pages for those who look after a gallery:
 *
 *     /metrics   who looks, and what was refused, in the format of metrics_text.h
 *     /healthz   200: it answers
 *     /readyz    the same; what a proxy asks before it sends somebody here
 *
 * /metrics is for programs of this machine: others get 404, also those who come by a proxy.
 */
#ifndef GALLERY_CMD_GALLERY_METRICS_H
#define GALLERY_CMD_GALLERY_METRICS_H

#include <stdbool.h>
#include <stdio.h>

#include "loop/web.h"

/* Returns false if the request is for another page. */
bool gallery_metrics_page(int *status, FILE *out, struct web_answer *answer, const struct web *web,
                          const struct web_request *request);

#endif
