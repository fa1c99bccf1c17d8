/* work_check.h - what every message from another machine must be. Private to work.
 */
#ifndef MACHINES_WORK_WORK_CHECK_H
#define MACHINES_WORK_WORK_CHECK_H

#include "work.h"

/* Every text of the message, and of those inside of it, is clean (rules/clean.h). BG_E_FORMAT names
 * the field. */
enum bg_status work_check_texts(const ProtobufCMessage *message, struct bg_error *err);

/* Unpacks a message of this kind and checks its texts. Errors as of work_read_item. */
enum bg_status work_read(ProtobufCMessage **out, const ProtobufCMessageDescriptor *kind,
                         const void *bytes, size_t size, struct bg_error *err);

#endif
