typedef int begun_ppg;
