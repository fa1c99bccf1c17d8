typedef int begun_tournament;
