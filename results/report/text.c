typedef int begun_text;
