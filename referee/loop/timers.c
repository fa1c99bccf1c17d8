typedef int begun_timers;
