typedef int begun_dice;
