typedef int begun_progress;
