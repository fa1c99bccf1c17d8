typedef int begun_clock;
