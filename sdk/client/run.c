typedef int begun_run;
