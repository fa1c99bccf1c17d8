typedef int begun_winrate;
