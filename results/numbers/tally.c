typedef int begun_tally;
