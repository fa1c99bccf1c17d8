/* agenda_plan.h - which instance of an event is next; for the files agenda*.c. */
#ifndef HOST_CALENDAR_AGENDA_PLAN_H
#define HOST_CALENDAR_AGENDA_PLAN_H

#include "agenda.h"

/* Sets name, start and state (announced) of the event's next instance; bots are left alone. The
 * event has none that is announced or entering. False: there is no next one now. */
bool agenda_plan(struct instance *out, const struct agenda *agenda,
                 const struct agenda_event *event, int64_t now_s);

/* Whether the event, as its settings are, has an instance with this start and name. */
bool agenda_fits(const struct agenda *agenda, const struct agenda_event *event,
                 const struct instance *instance);

/* Whether the instance's time has come. */
bool agenda_is_due(const struct agenda *agenda, const struct agenda_event *event,
                   const struct instance *instance, int64_t now_s);

/* Whether a later start of the event has passed too, so that this one is not made up for. */
bool agenda_is_missed(const struct agenda_event *event, const struct instance *instance,
                      int64_t now_s);

/* Whether the instance, announced or entering, waits for a far start while a nearer one is free:
 * the clock was set to the future, which passed over what is still to come, and is right again. */
bool agenda_is_ahead(const struct agenda_event *event, const struct instance *instance,
                     int64_t now_s);

#endif
