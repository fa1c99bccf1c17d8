typedef int begun_launcher;
