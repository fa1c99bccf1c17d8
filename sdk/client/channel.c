typedef int begun_channel;
