typedef int begun_schedule;
