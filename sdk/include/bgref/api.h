/* api.h - the export mark and the version of the bgref SDK.
 *
 * Every other public header includes this one. Names that begin with bg_ or BG_ stay compatible.
 *
 * A program runs with every library whose name ends in the BG_ABI that it was compiled with
 * (libbgref.so.1), including later versions. These things may change in a later version
 * (docs/sdk.md lists them by struct):
 *
 *   lent       structs that the library owns and lends grow at their end (bg_ask, bg_ask_played,
 *              bg_game_begin, bg_tell).
 *              Never keep one in an array of your own size for the library to fill.
 *   sized      structs that the program fills for the library begin with their size, set by an
 *              initialiser, and grow at their end (bg_bot_info, bg_callbacks, bg_value). The
 *              library accepts a shorter one and refuses a longer one (from later headers).
 *   reserved   structs that both sides hold by value keep their size; new members take room from
 *              the member `reserved`, which is 0 (bg_rules, bg_match, bg_start). 0 in a new member
 *              means the behaviour of versions without this member.
 *   fixed      everything else keeps its layout until BG_ABI changes.
 *
 * Enumerations get new values after the old ones, before their ..._COUNT: a switch over a value
 * from the library needs a default.
 */
#ifndef BGREF_API_H
#define BGREF_API_H

#define BG_VERSION_MAJOR 0
#define BG_VERSION_MINOR 1
#define BG_VERSION_PATCH 0
#define BG_VERSION       "0.1.0"

/* The number in the library's name, libbgref.so.1. It rises when older programs can no longer run:
 * the system's linker then does not start them, because their library is missing. */
#define BG_ABI 1

/* The protocol version of proto/bgref.proto that this SDK speaks. */
#define BG_PROTOCOL 2

#if defined(__GNUC__)
#define BG_API                 __attribute__((visibility("default")))
#define BG_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define BG_API
#define BG_PRINTF(text, first)
#endif

#endif
