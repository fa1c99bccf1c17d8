/* api.h - the export mark and the version of the bgref SDK.
 *
 * Every other public header includes this one. Names that begin with bg_ or BG_ are promises.
 */
#ifndef BGREF_API_H
#define BGREF_API_H

#define BG_VERSION_MAJOR 0
#define BG_VERSION_MINOR 1
#define BG_VERSION_PATCH 0
#define BG_VERSION       "0.1.0"

/* The protocol version of proto/bgref.proto that this SDK speaks. */
#define BG_PROTOCOL 1

#if defined(__GNUC__)
#define BG_API                 __attribute__((visibility("default")))
#define BG_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define BG_API
#define BG_PRINTF(text, first)
#endif

#endif
