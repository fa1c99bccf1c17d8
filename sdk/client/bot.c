typedef int begun_bot;
