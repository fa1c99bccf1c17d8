typedef int begun_wire;
