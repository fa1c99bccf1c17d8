typedef int begun_cmd_dice;
