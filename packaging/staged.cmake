# Run by cpack on the installed files before they are packed: what Debian wants otherwise than `cmake --install`.
file(GLOB_RECURSE found "${CPACK_TEMPORARY_DIRECTORY}/*")
foreach(file IN LISTS found)
    if(file MATCHES "/share/man/man[0-9]/[^/]*\\.[0-9]$" OR file MATCHES "/share/doc/[^/]*/changelog$")
        execute_process(COMMAND gzip -9n "${file}" COMMAND_ERROR_IS_FATAL ANY)
    elseif(file MATCHES "/share/doc/bgref/LICENSE$") # debian/copyright has its text
        file(REMOVE "${file}")
    endif()
endforeach()
