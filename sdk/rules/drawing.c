typedef int begun_drawing;
