typedef int begun_play;
