typedef int begun_notation;
