typedef int begun_cube;
