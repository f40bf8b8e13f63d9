# SPDX-License-Identifier: BSD-3-Clause
# Removes the files of an installation, and the folders of its own that are empty then.
# Usage: cmake -D manifest=install_manifest.txt -P uninstall.cmake
if(NOT EXISTS ${manifest})
    message(FATAL_ERROR "nothing to remove: no ${manifest} (cmake --install writes it)")
endif()
file(STRINGS ${manifest} files)
foreach(file ${files})
    file(REMOVE ${file})
    get_filename_component(folder ${file} DIRECTORY)
    while(folder MATCHES "/ukode(-formulas)?(/|$)") # ours alone
        file(GLOB left LIST_DIRECTORIES TRUE ${folder}/*)
        if(left)
            break()
        endif()
        file(REMOVE_RECURSE ${folder})
        get_filename_component(folder ${folder} DIRECTORY)
    endwhile()
endforeach()
file(REMOVE ${manifest})
