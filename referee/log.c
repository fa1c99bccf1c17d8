typedef int begun_log;
