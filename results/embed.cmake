# Writes INPUT (several files with | between, one after another) as the array `NAME` of bytes, with a terminating zero, to OUTPUT:
# cmake -D INPUT=... -D OUTPUT=... -D NAME=... -D HEADER=... -P embed.cmake
string(REPLACE "|" ";" inputs "${INPUT}")
foreach(input ${inputs})
    file(READ "${input}" more HEX)
    string(APPEND bytes "${more}")
endforeach()
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(................................................................................)" "\\1\n"
    bytes "${bytes}")
file(WRITE "${OUTPUT}" "#include \"${HEADER}\"\n\nconst unsigned char ${NAME}[] = {\n${bytes}0x00};\n")
