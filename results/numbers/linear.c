typedef int begun_linear;
