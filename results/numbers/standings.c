typedef int begun_standings;
