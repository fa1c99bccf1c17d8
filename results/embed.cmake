# Writes INPUT as the array `NAME` of bytes, with a terminating zero, to OUTPUT:
# cmake -D INPUT=... -D OUTPUT=... -D NAME=... -D HEADER=... -P embed.cmake
file(READ "${INPUT}" bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(................................................................................)" "\\1\n"
    bytes "${bytes}")
file(WRITE "${OUTPUT}" "#include \"${HEADER}\"\n\nconst unsigned char ${NAME}[] = {\n${bytes}0x00};\n")
