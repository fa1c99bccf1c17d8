typedef int begun_match;
