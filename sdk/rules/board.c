typedef int begun_board;
