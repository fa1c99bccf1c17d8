typedef int begun_rating;
